"""Answers: idempotent, append-only, refused in words, never lost."""

import pytest
from django.db.models import F

from annotation.models import BatchState, StageCode, Vote
from annotation.services.assignments import NotHeld, next_task
from annotation.services.batches import move_batch
from annotation.services.votes import VoteRefused
from legal.algorithms import ExpertAnswer
from legal.models import Evidence, IssueAnswer, LegalAnswer
from legal.services.answers import ChangedMeanwhile, correct_answer, submit_answer
from legal.services.checking import AnswerRefused
from tests.legal.world import LINK, answering, experts, lapse_all_leases, legal_batch

pytestmark = pytest.mark.django_db

FULL = ExpertAnswer.of_ticks(
    "yes",
    issues=("defamation", "hate_speech"),
    evidence=(LINK, "", f"  {LINK}  ", "http://other.example/?a=1;b=2"),
    comment="First line\r\nsecond <b>line</b>\n",
    seconds=31.5,
)


@pytest.fixture
def held(cast):
    legal_batch(cast.study)
    return next_task(by=cast.expert, stage=StageCode.LEGAL).assignment


def codes(answer: LegalAnswer) -> set[str]:
    return {one.issue.code for one in answer.raised_issues}


def nothing_is_stored() -> bool:
    return not any(model.objects.exists() for model in (Vote, LegalAnswer, IssueAnswer, Evidence))


def test_an_answer_is_stored_whole_with_its_vote(cast, held):
    answer = submit_answer(by=cast.expert, assignment_id=held.pk, answer=FULL).answer
    assert answer.vote.label == "yes" and answer.vote.counted and answer.vote.seconds == 31.5
    assert answer.vote.guide_version == 1
    assert codes(answer) == {"defamation", "hate_speech"}
    assert [one.url for one in answer.evidence.all()] == [LINK, "http://other.example/?a=1;b=2"]
    assert answer.comment == "First line\nsecond <b>line</b>"


def test_the_same_answer_twice_makes_one(cast, held):
    first = submit_answer(by=cast.expert, assignment_id=held.pk, answer=FULL)
    again = submit_answer(by=cast.expert, assignment_id=held.pk, answer=FULL)
    assert (first.is_new, again.is_new, again.agrees) == (True, False, True)
    assert first.answer == again.answer
    assert Vote.objects.count() == LegalAnswer.objects.count() == 1
    assert IssueAnswer.objects.count() == 2


def test_another_answer_to_the_same_post_is_told_apart_and_not_stored(cast, held):
    submit_answer(by=cast.expert, assignment_id=held.pk, answer=FULL)
    other = submit_answer(
        by=cast.expert,
        assignment_id=held.pk,
        answer=ExpertAnswer.of_ticks("yes", issues=("defamation",)),
    )
    assert not other.is_new and not other.agrees
    assert Vote.objects.count() == 1


@pytest.mark.parametrize("label", ["yes", "no", "unclear"])
def test_each_label_may_stand_alone(cast, held, label):
    answer = submit_answer(
        by=cast.expert, assignment_id=held.pk, answer=ExpertAnswer.of_ticks(label)
    ).answer
    assert answer.vote.label == label and not codes(answer)


@pytest.mark.parametrize(
    "special", [{"no_claim": True}, {"defence": True}, {"no_claim": True, "defence": True}]
)
def test_reasons_for_no_issue_may_be_given_where_none_is_ticked(cast, held, special):
    answer = submit_answer(
        by=cast.expert, assignment_id=held.pk, answer=ExpertAnswer.of_ticks("no", **special)
    ).answer
    assert {name for name in special if getattr(answer, name)} == set(special)


@pytest.mark.parametrize(
    ("more", "field", "sentence"),
    [
        ({"label": ""}, "label", "first question"),
        ({"label": "maybe"}, "label", "first question"),
        ({"issues": ("securities",)}, "issues", "not in this batch's catalogue: securities"),
        ({"issues": ("a\0b",)}, "issues", "not in this batch's catalogue"),
        ({"issues": ("defamation",), "no_claim": True}, "no_claim", "there is a claim"),
        ({"issues": ("defamation",), "defence": True}, "defence", "the defence undoes"),
        ({"evidence": ("javascript:alert(1)",)}, "evidence", "Evidence 1, “javascript:alert(1)”"),
        ({"evidence": ("", LINK, "file:///etc/passwd")}, "evidence", "Evidence 2, “file:///etc"),
        ({"evidence": ("garbage",)}, "evidence", "not a web address"),
        ({"evidence": ("http://",)}, "evidence", "not a web address"),
        ({"evidence": ("http://garbage",)}, "evidence", "not a web address"),
        ({"evidence": ("https://a b.example/",)}, "evidence", "not a web address"),
        ({"evidence": ("ftp://a.example/x",)}, "evidence", "not a web address"),
        ({"evidence": ("data:text/html,x",)}, "evidence", "not a web address"),
        ({"evidence": ("https://a.example/\0",)}, "evidence", "not a web address"),
        ({"evidence": ("https://a.example/" + "x" * 2_000,)}, "evidence", "not a web address"),
        ({"evidence": ("x" * 10_000_000,)}, "evidence", "not a web address"),
        (
            {"evidence": tuple(f"https://a.example/{n}" for n in range(51))},
            "evidence",
            "at most 50",
        ),
        ({"comment": "x" * 20_001}, "comment", "20001 characters"),
        ({"comment": "x" * 10_000_000}, "comment", "at most 20000"),
        ({"comment": "a\0b"}, "comment", "cannot be stored"),
        ({"comment": "a\ud800b"}, "comment", "cannot be stored"),
    ],
)
def test_bad_input_gets_a_sentence_and_changes_nothing(cast, held, more, field, sentence):
    answer = ExpertAnswer.of_ticks(**{"label": "no", **more})
    with pytest.raises(AnswerRefused) as refusal:
        submit_answer(by=cast.expert, assignment_id=held.pk, answer=answer)
    assert sentence in " ".join(refusal.value.problems[field])
    assert len(str(refusal.value)) < 1_000
    assert nothing_is_stored()


def test_a_comment_of_the_longest_length_is_stored_whole(cast, held):
    text = "é" * 20_000
    answer = submit_answer(
        by=cast.expert, assignment_id=held.pk, answer=ExpertAnswer.of_ticks("no", comment=text)
    ).answer
    assert answer.comment == text


def test_all_that_is_wrong_is_said_at_once(cast, held):
    answer = ExpertAnswer.of_ticks("", evidence=("x", "y"), comment="\0")
    with pytest.raises(AnswerRefused) as refusal:
        submit_answer(by=cast.expert, assignment_id=held.pk, answer=answer)
    assert {name: len(found) for name, found in refusal.value.problems.items()} == {
        "label": 1,
        "evidence": 2,
        "comment": 1,
    }


def test_anothers_assignment_is_refused(cast, held):
    other = experts(cast.study, 1)[0]
    with pytest.raises(NotHeld):
        submit_answer(by=other, assignment_id=held.pk, answer=FULL)
    assert nothing_is_stored()


def test_a_correction_is_a_new_version_and_the_old_one_stays(cast, held):
    submit_answer(by=cast.expert, assignment_id=held.pk, answer=FULL)
    changed = correct_answer(
        by=cast.expert,
        assignment_id=held.pk,
        answer=ExpertAnswer.of_ticks("no", no_claim=True),
        seen_version=1,
    )
    assert changed.vote.version == 2 and changed.vote.counted
    assert [vote.label for vote in Vote.objects.counting()] == ["no"]
    old = LegalAnswer.objects.get(vote__version=1)
    assert codes(old) == {"defamation", "hate_speech"} and not codes(changed)


def test_a_correction_that_says_the_same_makes_no_version(cast, held):
    submit_answer(by=cast.expert, assignment_id=held.pk, answer=FULL)
    for _time in range(2):
        assert (
            correct_answer(
                by=cast.expert, assignment_id=held.pk, answer=FULL, seen_version=1
            ).vote.version
            == 1
        )


def test_a_version_that_the_person_has_not_seen_is_not_overwritten(cast, held):
    submit_answer(by=cast.expert, assignment_id=held.pk, answer=FULL)
    one, other = ExpertAnswer.of_ticks("no"), ExpertAnswer.of_ticks("unclear")
    correct_answer(by=cast.expert, assignment_id=held.pk, answer=one, seen_version=1)
    with pytest.raises(ChangedMeanwhile) as change:
        correct_answer(by=cast.expert, assignment_id=held.pk, answer=other, seen_version=1)
    assert change.value.answer.vote.version == 2
    assert (
        correct_answer(
            by=cast.expert, assignment_id=held.pk, answer=other, seen_version=2
        ).vote.version
        == 3
    )


def test_a_closed_batch_takes_neither_answers_nor_corrections(cast, held):
    submit_answer(by=cast.expert, assignment_id=held.pk, answer=FULL)
    second = next_task(by=cast.expert, stage=StageCode.LEGAL).assignment
    move_batch(by=None, batch=held.task.batch, to=BatchState.CLOSED)
    with pytest.raises(VoteRefused, match="closed"):
        correct_answer(by=cast.expert, assignment_id=held.pk, answer=ExpertAnswer.of_ticks("no"))
    with pytest.raises(VoteRefused, match="closed"):
        submit_answer(by=cast.expert, assignment_id=second.pk, answer=FULL)
    assert Vote.objects.count() == 1


def test_a_late_answer_beyond_the_overlap_is_kept_and_does_not_count(cast):
    legal_batch(cast.study, 1)
    late = next_task(by=cast.expert, stage=StageCode.LEGAL).assignment
    lapse_all_leases()
    for member in experts(cast.study, 3):
        answering(member)
    answer = submit_answer(by=cast.expert, assignment_id=late.pk, answer=FULL).answer
    assert not answer.vote.counted and codes(answer) == {"defamation", "hate_speech"}


@pytest.mark.parametrize("model", [LegalAnswer, IssueAnswer, Evidence])
def test_answers_cannot_be_changed(cast, held, model):
    submit_answer(by=cast.expert, assignment_id=held.pk, answer=FULL)
    with pytest.raises(Exception, match="Cannot update"):
        model.objects.update(id=F("id"))


@pytest.mark.parametrize("model", [LegalAnswer, IssueAnswer, Evidence])
def test_answers_cannot_be_deleted(cast, held, model):
    submit_answer(by=cast.expert, assignment_id=held.pk, answer=FULL)
    with pytest.raises(Exception, match="Cannot update or delete"):
        model.objects.all()._raw_delete("default")


def test_a_vote_of_another_stage_takes_no_expert_answer(cast):
    from tests.cast import add_posts, sample_batch

    add_posts(cast.study, 1)
    batch = sample_batch(
        study=cast.study, stage=StageCode.CROWD, labels=["a"], number=1, votes_wanted=1, seed=1
    )
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    held = next_task(by=cast.worker, stage=StageCode.CROWD).assignment
    with pytest.raises(VoteRefused, match="legal stage"):
        submit_answer(by=cast.worker, assignment_id=held.pk, answer=FULL)
    assert nothing_is_stored()
