"""The interim set of 670 real posts, counted again without our code; skipped where missing."""

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest

from annotation.models import Member, Vote
from annotation.services import importing as posts_importing
from infra.jobs import JobRefused, no_report
from legal.models import IssueAnswer, LegalAnswer
from legal.queries.summary import legal_summary
from legal.services.importing import import_legal_votes
from tests.cast import upload
from tests.legal.world import all_verdicts

SOURCE = Path(__file__).resolve().parents[3] / "shared" / "data" / "mislc_interim_670.jsonl"

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not SOURCE.exists(), reason="the real data is not beside the repository"),
]

CRIMINAL = "Criminal offense (Cyberbullying, Public Mischief)"
MAP = {
    CRIMINAL: ["cyberbullying", "public_mischief"],
    "Competition Act": ["competition"],
    "Securities Law": [],
}
COLUMNS = [
    "post_id",
    "annotator",
    "misinformation",
    "issues",
    "no_claim",
    "defence",
    "evidence",
    "comment",
    "seconds",
]


@pytest.fixture(scope="module")
def real():
    return [json.loads(line) for line in SOURCE.read_text(encoding="utf-8").splitlines()]


def as_csv(real) -> str:
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(COLUMNS)
    for post in real:
        rows.writerow(
            [
                post["item_id"],
                post["expert"],
                post["expert_legality"],
                ";".join(post["expert_legal_issues"]),
                "noclaim" in post["expert_special"],
                "def" in post["expert_special"],
                "",
                post["expert_comment"],
                post["lead_time_s"],
            ]
        )
    return out.getvalue()


@pytest.fixture
def study(cast):
    file = upload(cast.study, SOURCE.read_bytes(), name=SOURCE.name)
    posts_importing.import_posts(by=None, file=file, report=no_report)
    return cast.study


def test_names_that_the_catalogue_lacks_are_listed(study, real):
    file = upload(study, as_csv(real), "legal_votes")
    with pytest.raises(JobRefused) as refused:
        import_legal_votes(by=None, file=file, report=no_report)
    for name in MAP:
        assert f"“{name}”" in str(refused.value)
    assert "“Hate Speech”" not in str(refused.value) and not Vote.objects.exists()


def test_every_number_agrees_with_the_file(study, real):
    file = upload(study, as_csv(real), "legal_votes", options={"issue_map": MAP})
    found = import_legal_votes(by=None, file=file, report=no_report)
    answered = [post for post in real if post["expert_legality"]]
    assert (found["votes"], found["unanswered"], found["bad"]) == (669, 1, 0)
    assert found["people"] == len({post["expert"] for post in real}) == 10
    assert Member.objects.filter(study=study, user=None).count() == 10
    assert Counter(Vote.objects.values_list("label", flat=True)) == {
        "yes": 98,
        "no": 468,
        "unclear": 103,
    }
    without = LegalAnswer.objects.filter(vote__label="yes", issues=None)
    left_out = {"Securities Law"}
    assert sum(p["expert_legality"] == "yes" and not p["expert_legal_issues"] for p in real) == 18
    assert without.count() == 18 + sum(
        p["expert_legality"] == "yes" and set(p["expert_legal_issues"]) <= left_out
        for p in real
        if p["expert_legal_issues"]
    )
    assert LegalAnswer.objects.filter(no_claim=True).count() == sum(
        "noclaim" in post["expert_special"] for post in answered
    )
    assert LegalAnswer.objects.filter(no_claim=True, defence=True).count() == 4
    comments = dict(LegalAnswer.objects.values_list("vote__task__post__external_id", "comment"))
    assert all(comments[post["item_id"]] == post["expert_comment"].strip() for post in answered)


def test_verdicts_and_summary_agree_with_the_file(study, real):
    file = upload(study, as_csv(real), "legal_votes", options={"issue_map": MAP})
    import_legal_votes(by=None, file=file, report=no_report)
    by_name = Counter(name for post in real for name in post["expert_legal_issues"])
    by_code = Counter(IssueAnswer.objects.values_list("issue__code", flat=True))
    assert by_code["cyberbullying"] == by_code["public_mischief"] == by_name[CRIMINAL] == 18
    assert by_code["defamation"] == by_name["Defamation"] == 49
    assert by_code.total() == by_name.total() + 18 - 1
    verdicts = all_verdicts(study)
    assert Counter(verdict.y for verdict in verdicts) == {2: 98, 0: 468, 1: 103}
    assert not any(verdict.is_tie for verdict in verdicts)
    summary = legal_summary(study)
    assert summary.labels == {"yes": 98, "unclear": 103, "no": 468}
    assert {one.code: one.posts for one in summary.issues} == by_code
