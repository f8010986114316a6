"""Issues, tests and defences, claims, and insisting: what counts, what is kept, what is refused."""

import pytest
from django.urls import reverse

from annotation.models import StageCode, Vote
from annotation.services.assignments import next_task
from legal.algorithms import CitationSaid, EvidenceSaid, ExpertAnswer, IssueSaid
from legal.models import Citation, ClaimSpan, CriterionAnswer, IssueAnswer, Passage
from legal.queries.answers import as_said
from legal.services.answers import correct_answer, submit_answer
from legal.services.checking import AnswerRefused
from legal.services.settings import change_settings
from tests.cast import make_cast
from tests.legal.library import built
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


LAW = "Section 300\n\nEvery one who publishes a defamatory libel that they know is false is guilty."


@pytest.fixture
def passage(cast):
    built(cast.study, {"code.txt": LAW})
    return Passage.objects.get(document__study=cast.study)


def test_a_passage_is_cited_for_an_issue_or_for_the_whole_answer(held, passage):
    said = (CitationSaid(passage.pk, "defamation"), CitationSaid(passage.pk))
    answer = send(held, issues=defamation(), citations=(*said, said[0]))
    cited = {(one.passage_id, one.issue and one.issue.code) for one in answer.citations.all()}
    assert cited == {(passage.pk, "defamation"), (passage.pk, None)}
    assert set(as_said(answer).citations) == set(said)


def test_a_cited_passage_is_reasoning_where_the_study_wants_some(cast, held, passage):
    change_settings(by=cast.researcher, study=cast.study, wanted=["reasoning"])
    assert "issues" in problems(held, issues=defamation(), citations=(CitationSaid(passage.pk),))
    assert send(held, issues=defamation(), citations=(CitationSaid(passage.pk, "defamation"),)).pk


@pytest.mark.parametrize(
    ("citation", "sentence"),
    [
        (CitationSaid(0), "not in this study's legal library"),
        (CitationSaid(10**12), "not in this study's legal library"),
        (CitationSaid(-1, "piracy"), "catalogue does not have"),
    ],
)
def test_what_is_not_in_the_library_cannot_be_cited(held, citation, sentence):
    found = problems(held, issues=defamation(), citations=(citation,))
    assert sentence in " ".join(found["citations"])


def test_a_passage_of_another_study_cannot_be_cited(held):
    elsewhere = make_cast("elsewhere")
    built(elsewhere.study, {"code.txt": LAW})
    foreign = Passage.objects.get(document__study=elsewhere.study)
    assert "citations" in problems(held, issues=defamation(), citations=(CitationSaid(foreign.pk),))


def test_without_scripts_a_button_cites_and_takes_out_and_stores_nothing(
    cast, held, passage, sign_in
):
    client = sign_in(cast.expert)
    address = reverse("legal_submit", args=[cast.study.slug, held.pk])
    typed = {"label": "yes", "issues": ["defamation"], "comment": "So far", "evidence_url": [LINK]}
    shown = client.post(address, {**typed, "cite": str(passage.pk)})
    page = shown.content.decode()
    assert shown.status_code == 200 and "So far" in page and passage.title in page
    lines = f"{passage.pk}||{passage.title}"
    assert f'value="{passage.pk}:"' in page and not Vote.objects.exists()
    again = client.post(address, {**typed, "citations": lines, "uncite": f"{passage.pk}:"})
    assert f'value="{passage.pk}:"' not in again.content.decode()
    assert client.post(address, {**typed, "citations": lines}).status_code == 302
    assert Citation.objects.get().passage == passage


@pytest.mark.parametrize("lines", ["x|y|z", "|", "٣||", "9" * 40, "\0"])
def test_citations_that_cannot_be_read_are_refused_in_words(cast, held, sign_in, lines):
    address = reverse("legal_submit", args=[cast.study.slug, held.pk])
    sent = {"label": "unclear", "citations": lines}
    answer = sign_in(cast.expert).post(address, sent)
    assert answer.status_code == 422 and not Vote.objects.exists()


def test_the_same_answer_twice_is_the_same_with_a_reason_for_insisting_that_nothing_asked_for(held):
    said = ExpertAnswer(label="yes", evidence=EVIDENCE, issues=defamation(), insistence="x")
    for is_new in (True, False):
        outcome = submit_answer(by=held.member, assignment_id=held.pk, answer=said)
        assert (outcome.is_new, outcome.agrees) == (is_new, True)
    again = correct_answer(by=held.member, assignment_id=held.pk, answer=said, seen_version=1)
    assert again.vote.version == 1
