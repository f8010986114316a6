"""The task engine: exact overlap, leases, skips, and what is said when nothing is left."""

import pytest
from django.db import connection

from annotation.models import BatchState, Place, Role, StageCode, Task, Vote
from annotation.services import assignments, votes
from annotation.services.assignments import Nothing, next_task, skip_task
from annotation.services.batches import move_batch
from annotation.services.votes import Answer, VoteRefused, correct_vote, submit_vote
from tests.cast import add_posts, join, sample_batch

LABELS = ["no_claim", "not_checkworthy", "checkworthy"]
YES = Answer(label="checkworthy", seconds=4.0)

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch(cast):
    add_posts(cast.study, 4)
    batch = sample_batch(
        study=cast.study, stage=StageCode.CROWD, labels=LABELS, number=4, votes_wanted=2, seed=1
    )
    return move_batch(by=None, batch=batch, to=BatchState.OPEN)


def lapse_all_leases():
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE annotation_place SET lease_until = now() - interval '1 second' "
            "WHERE lease_until IS NOT NULL"
        )


def work(member, answer=YES):
    offer = next_task(by=member, stage=StageCode.CROWD)
    if offer.assignment is None:
        return None
    return submit_vote(by=member, assignment_id=offer.assignment.pk, answer=answer)[0]


def test_a_person_gets_each_post_once_and_then_hears_that_all_is_done(cast, batch):
    seen = [vote.task_id for vote in iter(lambda: work(cast.worker), None)]
    assert len(seen) == len(set(seen)) == 4
    assert next_task(by=cast.worker, stage=StageCode.CROWD).nothing == Nothing.DONE


def test_a_post_takes_exactly_the_votes_it_wants(cast, batch):
    others = [join(cast.study, f"w{n}", Role.CROWD_WORKER) for n in range(5)]
    while sum(work(member) is not None for member in others):
        pass
    for task in Task.objects.all():
        assert Vote.objects.filter(task=task).counting().count() == 2


def test_a_live_assignment_comes_back_on_any_device(cast, batch):
    first = next_task(by=cast.worker, stage=StageCode.CROWD)
    again = next_task(by=cast.worker, stage=StageCode.CROWD)
    assert first.assignment.pk == again.assignment.pk


def test_a_lapsed_place_goes_to_another_and_the_late_answer_takes_a_free_one(cast, batch):
    late = next_task(by=cast.worker, stage=StageCode.CROWD).assignment
    lapse_all_leases()
    other = join(cast.study, "quick", Role.CROWD_WORKER)
    assert next_task(by=other, stage=StageCode.CROWD).assignment.task_id == late.task_id
    vote, is_new = submit_vote(by=cast.worker, assignment_id=late.pk, answer=YES)
    assert is_new and vote.counted and vote.place.number == 2


def test_an_answer_beyond_the_overlap_is_kept_but_does_not_count(cast, batch):
    late = next_task(by=cast.worker, stage=StageCode.CROWD).assignment
    lapse_all_leases()
    for name in ("a", "b"):
        other = join(cast.study, name, Role.CROWD_WORKER)
        assert work(other).task_id == late.task_id
    vote, _is_new = submit_vote(by=cast.worker, assignment_id=late.pk, answer=YES)
    assert not vote.counted and vote.place is None
    assert Vote.objects.filter(task=late.task_id).counting().count() == 2


def test_the_same_submission_twice_makes_one_vote(cast, batch):
    held = next_task(by=cast.worker, stage=StageCode.CROWD).assignment
    first = submit_vote(by=cast.worker, assignment_id=held.pk, answer=YES)
    second = submit_vote(by=cast.worker, assignment_id=held.pk, answer=Answer("no_claim"))
    assert first[0].pk == second[0].pk and not second[1]
    assert Vote.objects.count() == 1


def test_a_correction_is_a_new_version_until_the_batch_is_closed(cast, batch):
    held = next_task(by=cast.worker, stage=StageCode.CROWD).assignment
    submit_vote(by=cast.worker, assignment_id=held.pk, answer=YES)
    correct_vote(by=cast.worker, assignment_id=held.pk, answer=Answer("no_claim"))
    assert [vote.label for vote in Vote.objects.counting()] == ["no_claim"]
    assert Vote.objects.count() == 2
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)
    with pytest.raises(VoteRefused):
        correct_vote(by=cast.worker, assignment_id=held.pk, answer=YES)


def test_a_skipped_post_frees_its_place_and_never_comes_back(cast, batch):
    held = next_task(by=cast.worker, stage=StageCode.CROWD).assignment
    skip_task(by=cast.worker, assignment_id=held.pk, reason="not_sure")
    seen = [vote.task_id for vote in iter(lambda: work(cast.worker), None)]
    assert held.task_id not in seen and len(seen) == 3
    assert Place.objects.filter(task=held.task_id, member=None).count() == 2


def test_who_has_nothing_left_hears_until_when_others_hold_posts(cast, batch):
    others = [join(cast.study, f"w{n}", Role.CROWD_WORKER) for n in range(2)]
    for _number in range(4):
        work(others[0])
    for _number in range(3):
        work(others[1])
    next_task(by=others[1], stage=StageCode.CROWD)
    offer = next_task(by=cast.worker, stage=StageCode.CROWD)
    assert offer.nothing == Nothing.HELD_BY_OTHERS and offer.until


def test_a_label_outside_the_set_is_refused_and_nothing_is_stored(cast, batch):
    held = next_task(by=cast.worker, stage=StageCode.CROWD).assignment
    with pytest.raises(VoteRefused):
        submit_vote(by=cast.worker, assignment_id=held.pk, answer=Answer("maybe"))
    assert not Vote.objects.exists()


def test_another_persons_assignment_is_refused(cast, batch):
    held = next_task(by=cast.worker, stage=StageCode.CROWD).assignment
    other = join(cast.study, "other", Role.CROWD_WORKER)
    with pytest.raises(assignments.NotHeld):
        votes.submit_vote(by=other, assignment_id=held.pk, answer=YES)


def test_votes_cannot_be_changed_or_deleted(cast, batch):
    work(cast.worker)
    with pytest.raises(Exception, match="Cannot update"):
        Vote.objects.update(label="no_claim")
