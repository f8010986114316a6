"""Exact overlap under many threads: the counts hold whatever people and machines do meanwhile.

Each thread has a connection of its own, as each web process has. People come in twice at a time,
skip, leave posts until their lease is over, send late, and send the same answer again.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable

import pytest
from django.db import connection

from annotation.models import Batch, BatchState, Member, Place, Role, StageCode, Task, Vote
from annotation.services.assignments import NotHeld, next_task, skip_task
from annotation.services.batches import move_batch, sample_batch
from annotation.services.votes import Answer, correct_vote, submit_vote
from tests.cast import add_posts, join, make_cast

LABELS = ["no_claim", "not_checkworthy", "checkworthy"]
THREADS, PEOPLE, POSTS, WANTED = 32, 20, 60, 3
MOST_SECONDS = 40.0

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people() -> list[Member]:
    cast = make_cast()
    add_posts(cast.study, POSTS)
    batch = sample_batch(
        study=cast.study,
        stage=StageCode.CROWD,
        labels=LABELS,
        number=POSTS,
        votes_wanted=WANTED,
        seed=1,
    )
    move_batch(batch=batch, to=BatchState.OPEN)
    return [join(cast.study, f"person-{number}", Role.CROWD_WORKER) for number in range(PEOPLE)]


class Crowd:
    """Threads that act at random until every place is filled; what fails in one is kept."""

    def __init__(self, people: list[Member]) -> None:
        self.people = people
        self.errors: list[BaseException] = []
        self.done: Counter[str] = Counter()
        self.late: list[tuple[Member, int]] = []
        self.give_up_at = time.monotonic() + MOST_SECONDS

    def run(self) -> None:
        workers = [
            threading.Thread(target=self.guarded, args=(self.work, seed)) for seed in range(THREADS)
        ]
        lapser = threading.Thread(target=self.guarded, args=(self.lapse, THREADS))
        for thread in [*workers, lapser]:
            thread.start()
        for thread in [*workers, lapser]:
            thread.join()
        assert not self.errors, self.errors[0]

    def guarded(self, act: Callable[[random.Random], None], seed: int) -> None:
        try:
            act(random.Random(seed))
        except BaseException as error:
            self.errors.append(error)
        finally:
            connection.close()

    def goes_on(self) -> bool:
        is_open = Place.objects.filter(filled_at=None).exists()
        return is_open and time.monotonic() < self.give_up_at and not self.errors

    def work(self, chance: random.Random) -> None:
        while self.goes_on():
            person = chance.choice(self.people)
            offer = next_task(by=person, stage=StageCode.CROWD)
            if offer.assignment is None:
                self.done[str(offer.nothing)] += 1
                time.sleep(0.01)
                continue
            self.act(chance, person, offer.assignment.pk)

    def act(self, chance: random.Random, person: Member, assignment_id: int) -> None:
        what = chance.random()
        if what < 0.1:
            self.late.append((person, assignment_id))
            self.done["left"] += 1
        elif what < 0.15:
            self.skip(person, assignment_id)
        else:
            self.submit(chance, person, assignment_id)
        if self.late and chance.random() < 0.1:
            self.submit(chance, *self.late.pop())

    def skip(self, person: Member, assignment_id: int) -> None:
        try:
            skip_task(by=person, assignment_id=assignment_id, reason="not_sure")
            self.done["skipped"] += 1
        except NotHeld:
            self.done["skipped too late"] += 1

    def submit(self, chance: random.Random, person: Member, assignment_id: int) -> None:
        for _retry in range(chance.choice([1, 1, 2])):
            _vote, is_new = submit_vote(
                by=person, assignment_id=assignment_id, answer=Answer(chance.choice(LABELS))
            )
            self.done["submitted" if is_new else "submitted again"] += 1
        if chance.random() < 0.05:
            answer = Answer(chance.choice(LABELS))
            correct_vote(by=person, assignment_id=assignment_id, answer=answer)

    def lapse(self, chance: random.Random) -> None:
        """Let leases run out, a few at a time."""
        while self.goes_on():
            with connection.cursor() as cursor:
                cursor.execute(
                    "UPDATE annotation_place SET lease_until = now() - interval '1 second' "
                    "WHERE id IN (SELECT id FROM annotation_place WHERE lease_until > now() "
                    "AND random() < 0.3 FOR UPDATE SKIP LOCKED)"
                )
            time.sleep(0.02)


def test_counts_are_exact_under_32_threads(people):
    crowd = Crowd(people)
    crowd.run()
    assert crowd.done["submitted"] and crowd.done["submitted again"] and crowd.done["skipped"]
    assert crowd.done["left"]
    counting = Counter(Vote.objects.counting().values_list("task", flat=True))
    assert set(counting) == set(Task.objects.values_list("pk", flat=True))
    assert set(counting.values()) == {WANTED}
    first_votes = Counter(Vote.objects.filter(version=1).values_list("task", "member"))
    assert set(first_votes.values()) == {1}


def test_two_submissions_of_one_person_at_the_same_moment_make_one_vote(people):
    held = next_task(by=people[0], stage=StageCode.CROWD).assignment
    barrier, errors = threading.Barrier(8), []

    def send(label: str) -> None:
        try:
            barrier.wait()
            submit_vote(by=people[0], assignment_id=held.pk, answer=Answer(label))
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=send, args=(LABELS[n % 3],)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert Vote.objects.filter(task=held.task_id).count() == 1


def test_two_requests_of_one_person_at_the_same_moment_get_the_same_post(people):
    barrier, seen = threading.Barrier(8), []

    def ask() -> None:
        try:
            barrier.wait()
            seen.append(next_task(by=people[0], stage=StageCode.CROWD).assignment.pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8 and len(set(seen)) == 1
    assert Place.objects.filter(member=people[0]).count() == 1


def test_the_last_place_of_a_post_goes_to_one_of_many(people):
    Batch.objects.update(state=BatchState.CLOSED)
    study = people[0].study
    batch = Batch.objects.create(
        study=study, stage=StageCode.CROWD, number=9, labels=LABELS, votes_wanted=1,
        state=BatchState.OPEN,
    )  # fmt: skip
    gold_like = Task.objects.first()
    task = Task.objects.create(
        batch=batch, post=gold_like.post, stage=StageCode.LEGAL, origin="here", position=1
    )
    Place.objects.create(task=task, batch=batch, position=1, number=1)
    barrier, got = threading.Barrier(PEOPLE), []

    def ask(person: Member) -> None:
        try:
            barrier.wait()
            got.append(next_task(by=person, stage=StageCode.CROWD).assignment)
        finally:
            connection.close()

    threads = [threading.Thread(target=ask, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(assignment is not None for assignment in got) == 1


def test_the_constraints_refuse_a_second_first_vote_in_a_place(people):
    held = next_task(by=people[0], stage=StageCode.CROWD).assignment
    vote, _is_new = submit_vote(by=people[0], assignment_id=held.pk, answer=Answer("checkworthy"))
    vote.pk, vote.member = None, people[1]
    with pytest.raises(Exception, match="vote_fills_place_once"):
        vote.save(force_insert=True)
