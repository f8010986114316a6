"""Verdicts: majorities, ties, evidence, versions; the summary adds up to the same."""

from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import StageCode
from annotation.services.assignments import next_task
from legal.algorithms import ExpertAnswer
from legal.queries.summary import legal_summary
from legal.queries.verdicts import verdicts_of
from legal.services.answers import correct_answer, submit_answer
from tests.cast import make_cast
from tests.legal.world import LINK, all_verdicts, answering, experts, lapse_all_leases, legal_batch

pytestmark = pytest.mark.django_db


@pytest.fixture
def three(cast):
    legal_batch(cast.study, 1)
    return experts(cast.study, 3)


def only_verdict(study):
    (found,) = all_verdicts(study)
    assert verdicts_of(study, [found.post_id]) == {found.post_id: found}
    return found


@pytest.mark.parametrize(
    ("labels", "y", "is_tie"),
    [
        (("yes", "yes", "yes"), 2, False),
        (("yes", "yes", "no"), 2, False),
        (("no", "no", "yes"), 0, False),
        (("unclear", "unclear", "yes"), 1, False),
        (("yes", "no", "unclear"), 1, True),
    ],
)
def test_the_label_is_the_majoritys_and_three_answers_are_a_marked_tie(
    cast, three, labels, y, is_tie
):
    for member, label in zip(three, labels, strict=True):
        answering(member, label=label)
    found = only_verdict(cast.study)
    assert (found.y, found.is_tie, found.is_complete) == (y, is_tie, True)
    assert found.counts == {label: labels.count(label) for label in ("no", "unclear", "yes")}


def test_issues_need_more_than_half_of_the_experts_on_the_post(cast, three):
    answering(three[0], label="yes", issues=("defamation", "hate_speech"))
    answering(three[1], label="yes", issues=("defamation",))
    answering(three[2], label="no")
    found = only_verdict(cast.study)
    assert found.issues == ("defamation",)
    assert found.issue_counts == {"defamation": 2, "hate_speech": 1}


def test_half_is_not_a_majority(cast):
    cast.study.protocol.expert_votes = 2
    cast.study.protocol.save()
    legal_batch(cast.study, 1)
    one, other = experts(cast.study, 2)
    answering(one, label="yes", issues=("defamation",))
    answering(other, label="no", no_claim=True)
    found = only_verdict(cast.study)
    assert found.is_tie and found.y == 1
    assert found.issues == () and not found.no_claim and found.no_claim_votes == 1


def test_reasons_for_no_issue_are_counted_by_majority_and_by_any(cast, three):
    answering(three[0], no_claim=True)
    answering(three[1], no_claim=True, defence=True)
    answering(three[2])
    found = only_verdict(cast.study)
    assert (found.no_claim, found.no_claim_votes) == (True, 2)
    assert (found.defence, found.defence_votes) == (False, 1)


def test_evidence_is_all_that_anybody_named_once(cast, three):
    answering(three[0], evidence=(LINK, "https://b.example/"))
    answering(three[1], evidence=("https://c.example/", LINK))
    answering(three[2])
    assert only_verdict(cast.study).evidence == (LINK, "https://b.example/", "https://c.example/")


def test_only_the_newest_version_enters(cast, three):
    first = answering(three[0], label="yes", issues=("defamation",), evidence=(LINK,)).answer
    assignment = first.vote.task.assignments.get(member=three[0])
    correct_answer(
        by=three[0], assignment_id=assignment.pk, answer=ExpertAnswer.of_ticks("no", defence=True)
    )
    found = only_verdict(cast.study)
    assert (found.y, found.issues, found.evidence, found.defence_votes) == (0, (), (), 1)
    assert found.voters == 1 and not found.is_complete


def test_a_late_answer_that_does_not_count_enters_nothing(cast, three):
    late = next_task(by=cast.expert, stage=StageCode.LEGAL).assignment
    lapse_all_leases()
    for member in three:
        answering(member, label="no")
    submit_answer(
        by=cast.expert,
        assignment_id=late.pk,
        answer=ExpertAnswer.of_ticks("yes", issues=("defamation",), evidence=(LINK,)),
    )
    found = only_verdict(cast.study)
    assert (found.voters, found.y, found.issue_counts, found.evidence) == (3, 0, {}, ())


def test_a_study_without_answers_has_no_verdicts(cast):
    assert all_verdicts(cast.study) == [] and verdicts_of(cast.study, [1]) == {}
    legal_batch(cast.study, 2)
    assert all_verdicts(cast.study) == []
    assert legal_summary(cast.study).posts == 0


def answer_many(cast, posts: int) -> None:
    legal_batch(cast.study, posts)
    says = [
        {"label": "yes", "issues": ("defamation", "hate_speech"), "evidence": (LINK,)},
        {"label": "no", "no_claim": True},
        {"label": "unclear", "defence": True, "comment": "hm"},
        {"label": "yes", "issues": ("defamation",)},
    ]
    for shift, member in enumerate(experts(cast.study, 3)):
        for number in range(posts - (shift == 2)):
            answering(member, **says[(number * (shift + 1) + shift) % 4])


def test_the_summary_adds_up_to_the_verdicts_on_complete_posts(cast):
    answer_many(cast, 9)
    everything = all_verdicts(cast.study)
    complete = [one for one in everything if one.is_complete]
    assert len(everything) == 9 and len(complete) == 8
    summary = legal_summary(cast.study)
    assert summary.posts == 8
    assert summary.labels == {
        label: sum(one.label == label for one in complete) for label in ("yes", "unclear", "no")
    }
    assert summary.ties == sum(one.is_tie for one in complete)
    assert summary.no_claim == sum(one.no_claim for one in complete)
    assert summary.any_no_claim == sum(one.no_claim_votes > 0 for one in complete)
    assert summary.defence == sum(one.defence for one in complete)
    assert summary.any_defence == sum(one.defence_votes > 0 for one in complete)
    assert summary.with_evidence == sum(bool(one.evidence) for one in complete)
    by_majority = Counter(code for one in complete for code in one.issues)
    by_any = Counter(code for one in complete for code in one.issue_counts)
    assert {one.code: one.posts for one in summary.issues if one.posts} == by_majority
    assert {one.code: one.any_posts for one in summary.issues} == by_any


def test_the_same_number_of_queries_for_any_number_of_posts(cast):
    answer_many(cast, 3)
    with CaptureQueriesContext(connection) as few:
        all_verdicts(cast.study)
        legal_summary(cast.study)
    bigger = make_cast("bigger")
    legal_batch(bigger.study, 9)
    for number in range(9):
        answering(
            bigger.expert, label="yes", issues=("defamation",), evidence=(LINK, f"{LINK}/{number}")
        )
    with CaptureQueriesContext(connection) as many:
        all_verdicts(bigger.study)
        legal_summary(bigger.study)
    assert len(few) == len(many)
