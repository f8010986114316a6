"""How far experts agree, in all and in parts, down to the posts behind each figure."""

import csv
import io
import re
from collections import Counter
from html import unescape

import krippendorff
import numpy as np
import pytest
from django.urls import reverse

from annotation.access import Access, Permission
from annotation.models import StageCode, Vote
from annotation.queries.agreement import agreement_on, stage_agreement
from annotation.queries.counts import rounds_of
from annotation.queries.parts import patterns_by_part
from infra.jobs import no_report
from legal.queries.agreement import SUMS, entered, issue_parts, legal_agreement
from legal.services.importing import import_legal_votes
from tests.cast import add_posts, make_cast, upload
from tests.legal.world import answering, experts, legal_batch
from tests.queries import queries_for

pytestmark = pytest.mark.django_db

VOTES = {
    "p1": ("yes defamation", "yes defamation", "yes hate_speech"),
    "p2": ("no", "no", "unclear"),
    "p3": ("yes defamation", "no", "unclear"),
    "p4": ("no",),
    "p5": ("unclear", "no"),
}


@pytest.fixture
def study(cast):
    add_posts(cast.study, 8)
    bring_in(cast.study, VOTES)
    return cast.study


def bring_in(study, votes, days=None):
    lines = ["id,annotator,misinformation,issues,time"]
    for post, answers in votes.items():
        for name, answer in zip("abc", answers, strict=False):
            label, *issues = answer.split()
            when = (days or {}).get(post, "2026-11-02")
            lines.append(f"{post},{name},{label},{';'.join(issues)},{when}T10:00:00Z")
    file = upload(study, "\n".join(lines), kind="legal_votes")
    import_legal_votes(by=None, file=file, report=no_report)


def rounds(study):
    return rounds_of(study, StageCode.LEGAL)


def url(name, study, *more, **query):
    address = reverse(name, args=[study.slug, *more])
    return address + "?" + "&".join(f"{key}={value}" for key, value in query.items())


def page(response):
    assert response.status_code == 200
    return unescape(re.sub(r"\s+", " ", response.content.decode()))


def table(response):
    assert response.status_code == 200
    content = b"".join(response.streaming_content).decode()
    return list(csv.DictReader(io.StringIO(content)))


def reference(rows):
    """Alpha by the reference package, of rows of counts."""
    return krippendorff.alpha(
        value_counts=np.array(rows, dtype=float), level_of_measurement="nominal"
    )


def counts_of(rows):
    return [[int(value) for key, value in row.items() if key != "post_id"] for row in rows]


def test_alpha_is_that_of_the_votes_and_of_votes_with_two_labels_made_one(study):
    found = legal_agreement(rounds(study))
    three = [[0, 0, 3], [2, 1, 0], [1, 1, 1], [1, 1, 0]]
    two = [[0, 3], [3, 0], [2, 1], [2, 0]]
    assert found.label == stage_agreement(study, StageCode.LEGAL)
    assert found.label.alpha == pytest.approx(reference(three), abs=1e-9)
    assert found.mislc.alpha == pytest.approx(reference(two), abs=1e-9)
    assert found.mislc.paired_posts == 4
    listed = patterns_by_part(SUMS["mislc"](rounds(study)))[""]
    assert found.mislc == agreement_on(listed, found.mislc.labels)
    assert found.mislc.interval[0] <= found.mislc.alpha <= found.mislc.interval[1]


def test_an_issue_is_raised_or_not_by_each_who_voted_on_the_post(study):
    found = {part.code: part.agreement for part in issue_parts(study, rounds(study))}
    defamation = [[1, 2], [3, 0], [2, 1], [2, 0]]
    assert found["defamation"].alpha == pytest.approx(reference(defamation), abs=1e-9)
    assert found["defamation"].paired_posts == 4 and len(found) == 11
    assert found["public_mischief"].alpha is None
    assert "Nobody raised this issue" in found["public_mischief"].reason


@pytest.mark.parametrize("of", list(SUMS))
def test_the_file_of_a_figure_holds_the_posts_that_make_it(of, study, cast, sign_in):
    client = sign_in(cast.researcher)
    parts = patterns_by_part(SUMS[of](rounds(study)))
    assert parts
    for part, patterns in parts.items():
        rows = table(client.get(url("legal_agreement_file", study, of=of, part=part)))
        paired = {counts: posts for counts, posts in patterns.items() if sum(counts) >= 2}
        assert Counter(map(tuple, counts_of(rows))) == paired
        shown = page(client.get(url("legal_agreement_posts", study, of=of, part=part)))
        assert re.findall(r">\s*(p\d)\s*</a>", shown) == [row["post_id"] for row in rows]


def test_a_post_belongs_to_the_week_of_its_newest_vote_and_to_its_batch(cast, sign_in):
    add_posts(cast.study, 8)
    days = {"p1": "2026-01-01", "p2": "2026-01-04", "p3": "2026-01-05"}
    bring_in(cast.study, VOTES, days)
    week = patterns_by_part(SUMS["week"](rounds(cast.study)))
    assert set(week) == {"2026-W01", "2026-W02", "2026-W45"}
    assert week["2026-W01"] == {(0, 0, 3): 1, (2, 1, 0): 1}
    bring_in(cast.study, {"p6": ("yes", "yes")})
    batches = patterns_by_part(SUMS["batch"](rounds(cast.study)))
    assert batches["2"] == {(0, 0, 2): 1} and len(batches) == 2
    html = page(sign_in(cast.researcher).get(url("legal_agreement", cast.study, by="week")))
    assert html.index("2026-W01") < html.index("2026-W02") < html.index("2026-W45")


def test_the_page_draws_each_alpha_with_its_interval_and_says_why_there_is_none(
    study, cast, sign_in
):
    html = page(sign_in(cast.researcher).get(url("legal_agreement", study)))
    found = legal_agreement(rounds(study))
    assert f"{found.label.alpha:.3f}" in html and "over 4 posts" in html
    assert "alpha-point" in html and html.count("alpha-mark") >= 4
    assert "Nobody raised this issue" in html
    assert "0.667" in html and "0.8" in html


def test_pairs_have_an_alpha_and_open_to_their_posts(study, cast, sign_in):
    client = sign_in(cast.researcher)
    html = page(client.get(url("legal_agreement", study, by="pair")))
    a, b, c = (study.members.get(imported_name=name).pseudonym for name in "abc")
    pair = reverse("legal_pair", args=[study.slug, a, b])
    assert pair in html and f"{a} · {c}" in html
    # a and b: yes yes, no no, yes no, unclear no.
    assert f"{reference([[0, 0, 2], [2, 0, 0], [1, 0, 1], [1, 1, 0]]):.3f}" in html
    shown = page(client.get(pair))
    assert "4 posts" in shown and "Unclear" in shown


def test_an_empty_study_says_so_everywhere(cast, sign_in):
    client = sign_in(cast.researcher)
    for by in ("issue", "week", "batch"):
        assert "There are no votes yet." in page(
            client.get(url("legal_agreement", cast.study, by=by))
        )
    html = page(client.get(url("legal_agreement", cast.study, by="pair")))
    assert "No two experts have voted on the same post." in html
    assert "No post has entered" in page(client.get(url("legal_agreement_posts", cast.study)))


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("legal_agreement", {"by": "nothing"}),
        ("legal_agreement_posts", {"of": "pair"}),
        ("legal_agreement_file", {"of": "issue", "part": "%00"}),
    ],
)
def test_what_is_no_figure_is_not_found(name, query, study, cast, sign_in):
    assert sign_in(cast.researcher).get(url(name, study, **query)).status_code == 404


def test_the_people_of_another_study_are_no_pair_here(study, cast, sign_in):
    other = make_cast("elsewhere")
    stranger = other.expert.pseudonym
    mine = study.members.get(imported_name="a").pseudonym
    client = sign_in(cast.researcher)
    assert client.get(url("legal_pair", study, mine, stranger)).status_code == 404


def test_an_expert_who_may_see_results_sees_no_post_before_their_own_vote(cast, sign_in):
    legal_batch(cast.study, 3)
    for member in experts(cast.study, 2):
        for _post in range(3):
            answering(member, label="yes")
    answering(cast.expert, label="no")
    cast.expert.permissions = [Permission.SEE_RESULTS]
    cast.expert.save()
    own = Access(study=cast.study, member=cast.expert, user=cast.expert.user)
    assert own.may(Permission.SEE_RESULTS)
    voted = Vote.objects.get(member=cast.expert).task.post_id
    assert [one.post.pk for one in entered(own, "label")] == [voted]
    researcher = Access(study=cast.study, member=cast.researcher, user=cast.researcher.user)
    assert entered(researcher, "label").count() == 3
    client = sign_in(cast.expert)
    shown = page(client.get(url("legal_agreement_posts", cast.study)))
    assert "1 post" in shown and "stay hidden from you" in shown


def test_the_pages_cost_the_same_with_more_rows(study, cast, sign_in):
    client = sign_in(cast.researcher)
    asked = [url("legal_agreement", study, by=by) for by in ("issue", "week", "batch", "pair")]
    asked.append(url("legal_agreement_posts", study))
    few = [queries_for(client, address) for address in asked]
    bring_in(study, {f"p{number}": ("yes defamation",) * 3 for number in range(6, 9)})
    assert [queries_for(client, address) for address in asked] == few
