"""Exact overlap under load: many threads on a real PostgreSQL, with everything that goes wrong.

32 threads, of which some are second tabs of the same person, take, answer, answer twice, skip,
park, let leases lapse and answer late. Whatever happens, no post gets more counted votes than
wanted, never two of one person, and no acknowledged answer is lost.
"""

import random
import threading
import time
from collections import Counter
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models import Count
from django.db.models.functions import Now

from annotation.models import (
    Assignment,
    AssignmentState,
    BatchState,
    Place,
    Role,
    StageCode,
    Task,
    Vote,
)
from annotation.queries.parking import kept_for
from annotation.services.assignments import NotHeld, extend_lease, next_task, skip_task
from annotation.services.batches import move_batch
from annotation.services.parking import park_task
from annotation.services.votes import Answer, correct_vote, submit_vote
from tests.cast import add_posts, join, make_cast, sample_batch

LABELS = ["no_claim", "not_checkworthy", "checkworthy"]
THREADS, PEOPLE, WANTED = 32, 24, 3
SECONDS = 12.0

pytestmark = pytest.mark.django_db(transaction=True)


class Crowd:
    """Threads that work at once, and what each of them was told."""

    def __init__(self, members):
        self.members = members
        self.acknowledged = []
        self.errors = []
        self.lock = threading.Lock()
        self.barrier = threading.Barrier(THREADS)
        self.ends_at = 0.0

    def run(self, act):
        self.ends_at = time.monotonic() + SECONDS
        threads = [
            threading.Thread(target=self.work, args=(number, act)) for number in range(THREADS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.errors:
            raise self.errors[0]

    def work(self, number, act):
        member = self.members[number % len(self.members)]
        dice = random.Random(number)
        try:
            self.barrier.wait()
            while time.monotonic() < self.ends_at and act(self, member, dice):
                pass
        except Exception as error:
            self.errors.append(error)
        finally:
            connection.close()

    def acknowledge(self, vote):
        with self.lock:
            self.acknowledged.append((vote.task_id, vote.member_id))


def lapse(member):
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE annotation_place SET lease_until = now() - interval '1 second' "
            "WHERE member_id = %s AND filled_at IS NULL",
            [member.pk],
        )


def live(crowd, member, dice):
    """Do one of the things that happen; say whether there was anything to do."""
    offer = next_task(by=member, stage=StageCode.CROWD)
    if offer.assignment is None:
        return offer.nothing == "held"
    happen = dice.choices(
        [answer, answer_twice, answer_and_correct, answer_late, lose, skip, linger, park, take_up],
        weights=[40, 15, 10, 10, 10, 10, 5, 15, 10],
    )[0]
    happen(crowd, member, offer.assignment.pk, dice)
    return True


def answer_twice(crowd, member, held, dice):
    answer(crowd, member, held, dice)
    answer(crowd, member, held, dice)


def answer_and_correct(crowd, member, held, dice):
    answer(crowd, member, held, dice)
    correct_vote(by=member, assignment_id=held, answer=Answer(dice.choice(LABELS)))


def answer_late(crowd, member, held, dice):
    lose(crowd, member, held, dice)
    answer(crowd, member, held, dice)


def lose(crowd, member, held, dice):
    lapse(member)
    time.sleep(dice.random() / 50)


def skip(crowd, member, held, dice):
    with suppress(NotHeld):  # where the other tab has answered it meanwhile
        skip_task(by=member, assignment_id=held, reason="not_sure")


def park(crowd, member, held, dice):
    with suppress(NotHeld):  # where it went meanwhile, or too many are parked
        park_task(by=member, assignment_id=held, days=1, most=3)


def take_up(crowd, member, held, dice):
    """Answer what was parked, whatever became of its place; what is held stays held."""
    parked = Assignment.objects.filter(member=member, state=AssignmentState.PARKED)
    for one in list(parked.values_list("pk", flat=True)):
        answer(crowd, member, one, dice)


def linger(crowd, member, held, dice):
    extend_lease(by=member, assignment_id=held)


def answer(crowd, member, held, dice):
    vote, _is_new = submit_vote(
        by=member, assignment_id=held, answer=Answer(dice.choice(LABELS), seconds=1.0)
    )
    crowd.acknowledge(vote)


@pytest.fixture
def study(request):
    posts = getattr(request, "param", 40)
    study = make_cast("busy").study
    add_posts(study, posts)
    batch = sample_batch(
        study=study,
        stage=StageCode.CROWD,
        labels=LABELS,
        number=posts,
        votes_wanted=WANTED,
        seed=1,
    )
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    return study


@pytest.fixture
def members(study):
    return [join(study, f"w{number}", Role.CROWD_WORKER) for number in range(PEOPLE)]


def check(crowd):
    counted = Counter(Vote.objects.counting().values_list("task_id", flat=True))
    assert max(counted.values()) <= WANTED
    firsts = Vote.objects.filter(version=1).values_list("task_id", "member_id")
    assert len(firsts) == len(set(firsts))
    assert set(firsts) == set(crowd.acknowledged)
    filled = dict(
        Place.objects.filter(filled_at__isnull=False)
        .values_list("task_id")
        .annotate(places=Count("pk"))
    )
    assert filled == dict(counted)
    assert not Vote.objects.filter(counted=True, place=None).exists()
    ended = Assignment.objects.filter(state=AssignmentState.SUBMITTED)
    assert ended.count() == len(firsts)


@pytest.mark.parametrize("study", [400], indirect=True)
def test_32_threads_never_make_a_vote_too_many_or_lose_one(study, members):
    crowd = Crowd(members)
    crowd.run(live)
    check(crowd)
    assert len(crowd.acknowledged) > 100


def test_32_threads_fill_every_place_when_all_answer(study, members):
    def only_answer(crowd, member, dice):
        offer = next_task(by=member, stage=StageCode.CROWD)
        if offer.assignment is None:
            return offer.nothing == "held"
        answer(crowd, member, offer.assignment.pk, dice)
        return True

    crowd = Crowd(members)
    crowd.run(only_answer)
    check(crowd)
    complete = Counter(Vote.objects.counting().values_list("task_id", flat=True))
    assert all(complete[task] == WANTED for task in Task.objects.values_list("pk", flat=True))


@pytest.mark.parametrize("study", [12], indirect=True)
def test_nobody_ever_has_more_places_kept_than_allowed(study, members):
    def park_first(crowd, member, dice):
        offer = next_task(by=member, stage=StageCode.CROWD)
        if offer.assignment is None:
            return offer.nothing == "held"
        act = dice.choice([park, park, answer])
        act(crowd, member, offer.assignment.pk, dice)
        assert kept_for(member, StageCode.CROWD).count() <= 3
        return True

    crowd = Crowd(members)
    crowd.run(park_first)
    assert Assignment.objects.filter(state=AssignmentState.PARKED).exists()
    for member in members:
        take_up(crowd, member, None, random.Random(0))
    check(crowd)


@pytest.mark.parametrize("study", [1], indirect=True)
def test_32_threads_that_start_at_once_share_three_places(study, members):
    taken = []

    def take(crowd, member, dice):
        offer = next_task(by=member, stage=StageCode.CROWD)
        if offer.assignment:
            with crowd.lock:
                taken.append(member.pk)
        return False

    Crowd(members).run(take)
    assert len(set(taken)) == WANTED


def test_a_lapsed_place_that_another_fills_meanwhile_is_not_renewed(study, members):
    """Two transactions, step by step: one renews while the other has the place locked."""
    late, quick = members[:2]
    held = next_task(by=late, stage=StageCode.CROWD).assignment
    Place.objects.filter(member=late).update(lease_until=Now() - timedelta(seconds=1))
    renewed = []

    def renew():
        try:
            renewed.append(next_task(by=late, stage=StageCode.CROWD).assignment)
        finally:
            connection.close()

    with transaction.atomic():
        other = next_task(by=quick, stage=StageCode.CROWD).assignment
        assert other.task_id == held.task_id
        submit_vote(by=quick, assignment_id=other.pk, answer=Answer("checkworthy"))
        waiting = threading.Thread(target=renew)
        waiting.start()
        waiting.join(timeout=1)
        assert waiting.is_alive()
    waiting.join()
    assert Place.objects.get(task=held.task_id, filled_at__isnull=False).member == quick
    assert renewed[0].task_id != held.task_id
