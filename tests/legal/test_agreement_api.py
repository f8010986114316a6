"""Agreement and the posts behind it, by the API and by the command, as on the pages."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import StageCode
from annotation.queries.breakdowns import breakdown
from annotation.queries.counts import rounds_of
from legal.queries.agreement import legal_agreement
from tests.api import caller
from tests.legal.world import answering, experts, legal_batch

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(cast):
    legal_batch(cast.study, 4)
    for number, member in enumerate(experts(cast.study, 3)):
        for post in range(4):
            label = ("yes", "no", "unclear")[(post * (number + 1)) % 3]
            issues = ("defamation",) if label == "yes" else ()
            answering(member, label=label, issues=issues)
    return cast.study


def told(*words):
    out = io.StringIO()
    call_command("agreement", "rumours", *words, stdout=out)
    return out.getvalue()


def test_programs_get_the_figures_of_the_page(study, cast):
    asked = caller(cast.researcher)
    found = legal_agreement(rounds_of(study, StageCode.LEGAL))
    answer = asked.get("legal_agreement").json()
    assert answer["label"]["alpha"] == found.label.alpha
    assert answer["mislc"]["interval"] == list(found.mislc.interval)
    assert answer["label"]["posts"] == 4 and answer["label"]["words"]
    for by in ("issue", "week", "batch", "pair"):
        parts = asked.get("legal_agreement_parts", by=by).json()
        assert [(one["part"], one["agreement"]["alpha"]) for one in parts] == [
            (part.code, part.agreement.alpha) for part in breakdown(study, StageCode.LEGAL, by)
        ]
    undefined = [one["agreement"] for one in asked.get("legal_agreement_parts").json()][-1]
    assert undefined["alpha"] is None and undefined["reason"].endswith(".")


def test_programs_get_the_posts_behind_a_figure_line_by_line(study, cast):
    asked = caller(cast.researcher)
    answer = asked.get("legal_agreement_posts", of="issue", part="defamation")
    lines = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    assert len(lines) == 4 and sum(line["votes"]["raised"] for line in lines) > 0
    assert all(sum(line["votes"].values()) == 3 for line in lines)
    assert asked.get("legal_agreement_posts", of="nothing").status_code == 422
    assert asked.get("legal_agreement_parts", by="nothing").status_code == 422


@pytest.mark.parametrize("by", ["issue", "week", "batch", "pair"])
def test_the_command_tells_the_parts(study, by):
    figures = json.loads(told("--stage", "legal", "--by", by, "--json"))
    parts = breakdown(study, StageCode.LEGAL, by)
    assert [part["alpha"] for part in figures["parts"]] == [part.agreement.alpha for part in parts]
    words = told("--stage", "legal", "--by", by)
    assert all(f"{part.name}: " in words for part in parts)


def test_the_command_refuses_parts_that_a_stage_has_not(study):
    with pytest.raises(CommandError, match="not told by issue"):
        told("--stage", "crowd", "--by", "issue")
    assert json.loads(told("--stage", "crowd", "--by", "week", "--json"))["parts"] == []
