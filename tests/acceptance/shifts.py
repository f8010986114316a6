"""The crowd at work: in turns, with all that happens to people who work at home for a month.

They skip, correct, send an answer twice, open a second tab, let a lease lapse and answer late,
close the laptop and never come back; nights pass, in which every lease lapses.
"""

import random
from dataclasses import dataclass, field
from decimal import Decimal

from django.db import connection

from annotation.models import Assignment, Batch, Member, SittingState, SkipReason, StageCode
from annotation.services.assignments import Nothing, Offer, extend_lease, next_task, skip_task
from annotation.services.sittings import end_sitting
from annotation.services.votes import Answer, current_vote, submit_vote, vote_and_go_on
from crowd.services.admission import begin_work
from crowd.services.quality import apply_rules, is_due
from crowd.services.work import correct
from tests.acceptance.log import Log, Said
from tests.acceptance.people import LABELS, Person, share

CROWD = StageCode.CROWD
INSTRUCTIONS = 1
MOST_DAYS = 40
WATCHED, THRESHOLD = 5, 0.6
HAPPENS = {
    "answered": 78,
    "sent twice": 5,
    "corrected": 4,
    "skipped": 4,
    "second tab": 4,
    "lease prolonged": 2,
    "lease lapsed": 3,
}

# A night, or some days: all times of a study move back, as if its clock had gone on. Votes are
# append-only and keep theirs.
TIME_PASSES = """
    UPDATE annotation_sitting AS mine
    SET opened_at = opened_at - %(time)s::interval, ended_at = ended_at - %(time)s::interval
    FROM annotation_member AS member
    WHERE member.id = mine.member_id AND member.study_id = %(study)s;
    UPDATE annotation_assignment AS mine
    SET opened_at = opened_at - %(time)s::interval, ended_at = ended_at - %(time)s::interval
    FROM annotation_member AS member
    WHERE member.id = mine.member_id AND member.study_id = %(study)s;
    UPDATE annotation_standing AS mine SET day = day - %(days)s
    FROM annotation_member AS member
    WHERE member.id = mine.member_id AND member.study_id = %(study)s;
    UPDATE annotation_place AS mine SET lease_until = lease_until - %(time)s::interval
    FROM annotation_batch AS batch
    WHERE batch.id = mine.batch_id AND batch.study_id = %(study)s AND filled_at IS NULL;
    UPDATE annotation_cursor AS mine SET returned_to = returned_to - %(time)s::interval
    FROM annotation_batch AS batch
    WHERE batch.id = mine.batch_id AND batch.study_id = %(study)s
"""
LAPSE = """
    UPDATE annotation_place SET lease_until = clock_timestamp() - interval '1 second'
    WHERE member_id = %s AND filled_at IS NULL
"""
UNFILLED = "SELECT count(*) FROM annotation_place WHERE batch_id = %s AND filled_at IS NULL"


def run_sql(statement: str, values: object) -> list[tuple[object, ...]]:
    """Run plain SQL; return its rows, if it has some."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall()) if cursor.description else []


def let_time_pass(study_id: int, days: int, log: Log) -> None:
    """Let days go by."""
    run_sql(TIME_PASSES, {"study": study_id, "days": days, "time": f"{days} days"})
    log.day += days


@dataclass
class Worker:
    """A person with what is on their screen, and the answer that they never sent."""

    person: Person
    member: Member
    offer: Offer | None = None
    unsent: Assignment | None = None
    sleeps: int = 0
    is_home: bool = False
    is_gone: bool = False

    @property
    def name(self) -> str:
        """Return the name that the log knows."""
        return self.person.name


@dataclass
class Shifts:
    """Days of work in a batch."""

    batch: Batch
    team: list[Worker]
    log: Log
    dice: random.Random
    rate: Decimal
    takes_corrections: bool = True
    leaves_after: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def work(self) -> None:
        """Work day after day until no place of the batch is unfilled."""
        for _day in range(MOST_DAYS):
            self.spend_day()
            let_time_pass(self.batch.study_id, 1, self.log)
            if run_sql(UNFILLED, [self.batch.pk]) == [(0,)]:
                return
        self.wrong.append("work that nobody could get")

    def spend_day(self) -> None:
        """Take turns until all are home, or wait for each other."""
        for worker in self.team:
            worker.is_home, worker.offer, worker.sleeps = worker.is_gone, None, 0
        idle = 0
        while (awake := [one for one in self.team if not one.is_home]) and idle < 200:
            idle = 0 if self.turn(self.dice.choice(awake)) else idle + 1

    def turn(self, worker: Worker) -> bool:
        """Let somebody do one thing; say whether it was one."""
        if worker.sleeps:
            worker.sleeps -= 1
            return True
        if worker.unsent:
            self.send_late(worker)
            return True
        if worker.offer is None:
            self.come_in(worker)
        assert worker.offer
        if worker.offer.assignment:
            self.act(worker, worker.offer.assignment)
            return True
        return self.face_nothing(worker, worker.offer.nothing)

    def come_in(self, worker: Worker) -> None:
        """Begin a sitting, or go on with the open one, and look at what comes."""
        sitting = begin_work(by=worker.member, version=INSTRUCTIONS)
        self.log.begin(sitting.pk, worker.name, self.rate)
        worker.offer = next_task(by=worker.member, stage=CROWD)

    def face_nothing(self, worker: Worker, nothing: Nothing | None) -> bool:
        """Begin the next sitting, wait for others, or go home."""
        worker.offer = None
        if nothing == Nothing.HELD_BY_OTHERS:
            return False
        if nothing != Nothing.NO_SITTING:
            if nothing in (Nothing.DONE, Nothing.DAILY_CAP):
                end_sitting(by=worker.member, stage=CROWD, state=SittingState.COMPLETE)
            worker.is_home = True
        return True

    def act(self, worker: Worker, held: Assignment) -> None:
        """Do one of the things that happen with a post on the screen."""
        happens = self.dice.choices(list(HAPPENS), weights=list(HAPPENS.values()))[0]
        if happens == "corrected" and not self.takes_corrections:
            happens = "answered"
        self.log.events[happens] += 1
        if happens == "skipped":
            skip_task(by=worker.member, assignment_id=held.pk, reason=SkipReason.NOT_SURE)
            worker.offer = None
        elif happens == "lease lapsed":
            run_sql(LAPSE, [worker.member.pk])
            worker.unsent, worker.offer, worker.sleeps = held, None, self.dice.randrange(3, 9)
        else:
            self.before(happens, worker, held)
            label = self.answer(worker, held)
            self.after(happens, worker, held, label)

    def before(self, happens: str, worker: Worker, held: Assignment) -> None:
        """Do what comes before an answer."""
        if happens == "second tab":
            again = next_task(by=worker.member, stage=CROWD).assignment
            if again is None or again.pk != held.pk:
                self.wrong.append("a second tab shows another post")
        if happens == "lease prolonged":
            extend_lease(by=worker.member, assignment_id=held.pk)

    def after(self, happens: str, worker: Worker, held: Assignment, label: str) -> None:
        """Do what comes after an answer; or never come back."""
        if happens == "sent twice":
            _vote, is_new = submit_vote(
                by=worker.member, assignment_id=held.pk, answer=Answer(label, 2.0, INSTRUCTIONS)
            )
            if is_new:
                self.wrong.append("an answer sent twice is stored twice")
        if happens == "corrected":
            self.change_mind(worker, held)
        left = self.leaves_after.get(worker.name)
        if left is not None and self.said_here(worker) >= left:
            worker.is_home = worker.is_gone = True

    def said_here(self, worker: Worker) -> int:
        """Return how many answers somebody has given in this batch."""
        return sum(
            one.person == worker.name and one.batch == self.batch.number for one in self.log.said
        )

    def answer(self, worker: Worker, held: Assignment) -> str:
        """Answer a post, note what is acknowledged, and see what comes next."""
        post = held.task.post.external_id
        label = worker.person.says(self.log.truth[post], is_hard=post in self.log.hard)
        answer = Answer(label, worker.person.seconds(), INSTRUCTIONS)
        receipt, worker.offer = vote_and_go_on(
            by=worker.member, stage=CROWD, assignment_id=held.pk, answer=answer
        )
        if not receipt.is_new or receipt.sitting_id is None:
            self.wrong.append("a first answer is not new, or belongs to no sitting")
            return label
        self.log.votes_in[receipt.sitting_id] += 1
        self.note(worker, post, label, counted=receipt.counted)
        if worker.offer and is_due(worker.offer):
            self.look(worker)
        return label

    def note(
        self, worker: Worker, post: str, label: str, *, counted: bool, is_correction: bool = False
    ) -> None:
        """Write an answer down."""
        self.log.said.append(
            Said(worker.name, post, label, self.batch.number, self.log.day, counted, is_correction)
        )

    def send_late(self, worker: Worker) -> None:
        """Send the answer whose lease has lapsed; somebody else may have the place by now."""
        held, worker.unsent = worker.unsent, None
        assert held
        self.answer(worker, held)
        self.log.events["late, not counted"] += not self.log.said[-1].counted

    def change_mind(self, worker: Worker, held: Assignment) -> None:
        """Correct the vote just given, to another label."""
        vote = current_vote(held)
        assert vote
        label = self.dice.choice([label for label in LABELS if label != vote.label])
        correct(
            by=worker.member,
            assignment_id=held.pk,
            answer=Answer(label, 3.0, INSTRUCTIONS),
            seen_version=vote.version,
        )
        post = held.task.post.external_id
        self.note(worker, post, label, counted=vote.counted, is_correction=True)

    def look(self, worker: Worker) -> None:
        """Let the rules look, and note what they must see."""
        apply_rules(member=worker.member)
        last = self.log.gold_answers(worker.name)[-WATCHED:]
        if len(last) == WATCHED:
            self.log.looks.append((worker.name, share(last) or 0.0))
