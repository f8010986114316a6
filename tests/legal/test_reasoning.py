"""Issues, tests and defences, claims, and insisting: what counts, what is kept, what is refused."""

import pytest

from annotation.models import StageCode, Vote
from annotation.services.assignments import next_task
from legal.algorithms import EvidenceSaid, ExpertAnswer, IssueSaid
from legal.models import ClaimSpan, CriterionAnswer, IssueAnswer
from legal.queries.answers import as_said
from legal.services.answers import correct_answer, submit_answer
from legal.services.checking import AnswerRefused
from legal.services.settings import change_settings
from tests.legal.world import LINK, legal_batch

pytestmark = pytest.mark.django_db

TEXT = "Our mayor 👩‍🔬 sold the harbour for a bag of cash."
HOLDS = {"defamatory_nature": "passes", "publication": "passes"}
FAIR_COMMENT = dict.fromkeys(
    ("public_interest", "based_on_fact", "recognisable_as_comment", "honestly_expressible"),
    "passes",
)
EVIDENCE = (EvidenceSaid(LINK, "refutes", "No bag was seen.", "Minutes of the council"),)


@pytest.fixture
def held(cast):
    legal_batch(cast.study, [TEXT])
    return next_task(by=cast.expert, stage=StageCode.LEGAL).assignment


def send(held, **what):
    answer = ExpertAnswer(**{"label": "yes", "evidence": EVIDENCE, **what})
    return submit_answer(by=held.member, assignment_id=held.pk, answer=answer).answer


def problems(held, **what):
    with pytest.raises(AnswerRefused) as refusal:
        send(held, **what)
    assert not Vote.objects.exists()
    return refusal.value.problems


def defamation(**what):
    return (IssueSaid("defamation", **what),)


def test_all_that_was_said_is_stored_and_comes_back_as_it_was_said(held):
    said = ExpertAnswer(
        label="yes",
        issues=defamation(
            findings={**HOLDS, "qualified_privilege": "fails", "public_interest": "cannot_tell"},
            sentences={"publication": "Two thousand followers."},
            reasoning="It says he takes bribes.\r\nNothing shows it.",
        ),
        evidence=EVIDENCE,
        spans=((10, 20), (0, 9)),
        kind="Fabricated content",
        confidence=3,
        comment="Seen",
        discuss=True,
    )
    answer = submit_answer(by=held.member, assignment_id=held.pk, answer=said).answer
    assert as_said(answer) == said.plain()
    assert answer.derived == "yes" and [one.issue.code for one in answer.raised_issues]
    assert submit_answer(by=held.member, assignment_id=held.pk, answer=said).agrees
    assert CriterionAnswer.objects.count() == 4 and ClaimSpan.objects.count() == 2


def test_a_ticked_issue_counts_while_its_answers_do_not_speak_against_it(held):
    answer = send(held, issues=defamation(findings={"publication": "cannot_tell"}))
    assert len(answer.raised_issues) == 1


@pytest.mark.parametrize(
    "findings", [{"publication": "fails"}, {"qualified_privilege": "passes"}, FAIR_COMMENT]
)
def test_a_ticked_issue_that_its_answers_contradict_is_kept_and_does_not_count(held, findings):
    answer = send(held, label="no", issues=defamation(findings=findings))
    assert answer.derived == "no" and not answer.raised_issues
    row = IssueAnswer.objects.get()
    assert row.is_ticked and not row.is_raised


def test_an_issue_counts_all_the_same_when_the_expert_insists_with_a_reason(held):
    answer = send(
        held, issues=defamation(findings={"publication": "fails"}, insistence="It spread later.")
    )
    assert answer.derived == "yes" and answer.raised_issues[0].insistence == "It spread later."


def test_an_issue_that_was_looked_into_and_not_ticked_is_kept(held):
    answer = send(
        held, label="no", issues=defamation(is_ticked=False, findings={"publication": "fails"})
    )
    assert not answer.raised_issues and CriterionAnswer.objects.get().finding == "fails"


def test_why_none_may_be_said_where_the_ticked_issue_does_not_count(held):
    answer = send(held, label="no", defence=True, issues=defamation(findings=FAIR_COMMENT))
    assert answer.defence and not answer.raised_issues


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ({"evidence": ()}, "“Yes”, but no evidence is given; by the definition that is “Unclear”"),
        ({"issues": ()}, "“Yes”, but evidence is given and no issue is raised"),
        ({"no_claim": True, "issues": ()}, "you found no factual claim"),
        ({"label": "no"}, "“No”, but evidence is given and an issue is raised"),
    ],
)
def test_a_label_that_does_not_follow_is_told_and_taken_when_the_expert_insists(
    held, what, sentence
):
    given = {"issues": defamation(findings=HOLDS), **what}
    assert sentence in problems(held, **given)["insists"][0]
    answer = send(held, **given, insists=True, insistence="I am sure.")
    assert answer.derived != answer.vote.label and answer.insistence == "I am sure."


def test_insisting_where_nothing_differs_leaves_no_trace(held):
    answer = send(held, issues=defamation(), insists=True, insistence="x")
    assert answer.derived == "yes" and answer.insistence == ""


@pytest.mark.parametrize(
    ("what", "field", "sentence"),
    [
        ({"spans": ((0, 10_000),)}, "spans", "outside the post's text"),
        ({"spans": ((5, 5),)}, "spans", "outside"),
        ({"spans": ((-1, -1),)}, "spans", "outside"),
        ({"spans": tuple((0, n) for n in range(1, 60))}, "spans", "outside"),
        ({"kind": "Rumour"}, "kind", "does not know the kind “Rumour”"),
        ({"confidence": 7}, "confidence", "low, medium or high"),
        ({"issues": defamation(findings={"colour": "passes"})}, "issues", "other tests"),
        ({"issues": defamation(findings={"fair_comment": "passes"})}, "issues", "other tests"),
        ({"issues": defamation(findings={"publication": "maybe"})}, "issues", "passes, fails"),
        ({"issues": defamation(reasoning="x" * 5_001)}, "issues", "at most 5000"),
        ({"issues": defamation(sentences={"publication": "\0"})}, "issues", "cannot be stored"),
        ({"evidence": (EvidenceSaid("", note="no address"),)}, "evidence", "but no address"),
        ({"evidence": (EvidenceSaid(LINK, "doubts"),)}, "evidence", "supports, refutes"),
        ({"evidence": (EvidenceSaid(LINK, quote="x" * 5_001),)}, "evidence", "at most 5000"),
    ],
)
def test_what_cannot_be_gets_a_sentence_and_changes_nothing(held, what, field, sentence):
    assert sentence in " ".join(problems(held, insists=True, **what)[field])


@pytest.mark.parametrize(
    ("wanted", "what", "more", "field"),
    [
        ("evidence", {"evidence": ()}, {"evidence": EVIDENCE}, "evidence"),
        ("evidence", {"evidence": ()}, {"no_claim": True}, "evidence"),
        ("stance", {"evidence": (EvidenceSaid(LINK),)}, {"evidence": EVIDENCE}, "evidence"),
        ("claim", {}, {"spans": ((0, 3),)}, "spans"),
        ("claim", {}, {"label": "no"}, "spans"),
        ("kind", {}, {"kind": "Satire or parody"}, "kind"),
        ("confidence", {}, {"confidence": 1}, "confidence"),
        ("insistence", {}, {"insistence": "I know."}, "insistence"),
        (
            "reasoning",
            {"issues": defamation()},
            {"issues": defamation(reasoning="So.")},
            "issues",
        ),
        (
            "tests",
            {"issues": defamation(findings=HOLDS)},
            {"issues": (IssueSaid("cyberbullying", findings={
                "false_or_inaccurate": "passes", "harass_or_harm": "cannot_tell"}),)},
            "issues",
        ),
    ],
)  # fmt: skip
def test_what_the_study_requires_is_asked_for_and_nothing_else(
    cast, held, wanted, what, more, field
):
    change_settings(by=cast.researcher, study=cast.study, wanted=[wanted])
    assert field in problems(held, insists=True, **what)
    assert send(held, **{"insists": True, **what, **more}).pk


def test_positions_count_code_points_and_not_bytes(held):
    answer = send(held, issues=defamation(), spans=((10, 13),))
    start, end = answer.spans.values_list("start", "end").get()
    assert TEXT[start:end] == "👩‍🔬"


def test_a_correction_of_reasoning_alone_is_a_new_version(held):
    send(held, issues=defamation())
    changed = ExpertAnswer(label="yes", evidence=EVIDENCE, issues=defamation(reasoning="Because."))
    answer = correct_answer(by=held.member, assignment_id=held.pk, answer=changed, seen_version=1)
    assert answer.vote.version == 2
    again = correct_answer(by=held.member, assignment_id=held.pk, answer=changed, seen_version=2)
    assert again.vote.version == 2
