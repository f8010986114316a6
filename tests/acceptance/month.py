"""A month of crowd work on real posts, in its order: gold, prescreening, three batches, pay."""

import random
from decimal import Decimal
from pathlib import Path

from annotation.models import Batch, BatchState, ExclusionKind, StageCode
from annotation.services.batches import move_batch
from annotation.services.people import change_study
from annotation.services.standings import exclude
from crowd.models import Action, Watched
from crowd.services.batches import create_batch
from crowd.services.checks import set_check_share
from crowd.services.consent import withdraw
from crowd.services.quality import write_rule
from tests.acceptance import candidates, counting, ground, money
from tests.acceptance.findings import Findings
from tests.acceptance.ground import BATCH_POSTS, Month
from tests.acceptance.people import CARELESS, share
from tests.acceptance.shifts import THRESHOLD, WATCHED, Shifts, Worker

CHECK_SHARE = 0.2
TIE_VOTES = 2
LATER_RATE = Decimal("0.21")
ANSWERS_BEFORE_LEAVING = 7


def live_through(source: Path, folder: Path, findings: Findings) -> None:
    """Live through the month, and count all of it again."""
    print("\nA month of crowd work: gold and prescreening", flush=True)
    month = ground.begin_month(source, folder, findings)
    ground.label_gold(month)
    everybody = candidates.recruit(month)
    team = candidates.prescreen(month, everybody)
    ground.choose_some_checks(month)
    write_rule(
        by=month.by,
        study=month.study,
        watched=Watched.GOLD,
        over=WATCHED,
        threshold=THRESHOLD,
        action=Action.ASK,
    )
    money.settle(month, everybody, "after the prescreening")
    first_batch(month, team)
    money.settle(month, everybody, "after batch 1")
    second_batch(month, team)
    money.settle(month, everybody, "after batch 2")
    third_batch(month, team)
    money.settle(month, everybody, "after batch 3")
    print("\nA month of crowd work: what came of it", flush=True)
    judge(month, team)


def open_batch(month: Month) -> Batch:
    """Draw a batch, with checks among its posts, and open it."""
    batch = create_batch(by=month.by, study=month.study, posts=BATCH_POSTS)
    batch = move_batch(by=None, batch=batch, to=BatchState.OPEN)
    set_check_share(by=month.by, batch=batch, share=CHECK_SHARE)
    print(f"\nA month of crowd work: batch {batch.number}", flush=True)
    return batch


def shifts_in(month: Month, batch: Batch, team: list[Worker]) -> Shifts:
    """Return the days of work in a batch."""
    return Shifts(batch, team, month.log, random.Random(month.dice.random()), month.rate)


def work_through(month: Month, shifts: Shifts) -> None:
    """Work until the batch has all its votes."""
    before = shifts.log.day
    shifts.work()
    month.findings.check("what went wrong at work", shifts.wrong, [])
    month.findings.note("days", shifts.log.day - before)


def first_batch(month: Month, team: list[Worker]) -> None:
    """All work; two sittings are rejected, of which one is disputed and paid after all."""
    batch = open_batch(month)
    work_through(month, shifts_in(month, batch, team))
    counting.compare_overlap(month, batch, "batch 1")
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)
    careful, careless = careful_one(team), careless_one(month, team)
    money.reject_one(month, careful, is_disputed=True)
    money.reject_one(month, careless, is_disputed=False)
    money.approve_by_hand(month, [one for one in team if one not in (careful, careless)])


def second_batch(month: Month, team: list[Worker]) -> None:
    """One never comes back; at the end the careless one is dismissed, and the batch refills."""
    batch = open_batch(month)
    leaver = [one for one in team if one is not careless_one(month, team)][-1]
    shifts = shifts_in(month, batch, team)
    shifts.leaves_after[leaver.name] = ANSWERS_BEFORE_LEAVING
    work_through(month, shifts)
    month.findings.check("somebody left in the middle", leaver.is_gone, True)
    counting.compare_overlap(month, batch, "batch 2")
    counting.compare_flags(month, team)
    counting.estimate(month, team, "Dawid and Skene before the dismissal")
    dismiss(month, batch, careless_one(month, team))
    work_through(month, shifts)
    counting.compare_overlap(month, batch, "batch 2, refilled")
    closed = month.study.batches.get(stage=StageCode.CROWD, number=1)
    counting.compare_votes(month, closed, "batch 1, closed before")
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)


def third_batch(month: Month, team: list[Worker]) -> None:
    """More is paid, ties get further votes, and somebody withdraws after the first day."""
    study, month.rate = month.study, LATER_RATE
    change_study(
        by=month.owner,
        study=study,
        title=study.title,
        description=study.description,
        reward=LATER_RATE,
        tie_votes=TIE_VOTES,
    )
    for worker in team:
        worker.member.study = study
    batch = open_batch(month)
    shifts = shifts_in(month, batch, team)
    shifts.takes_corrections = False
    shifts.spend_day()
    withdraw_one(month, next(one for one in reversed(team) if not one.is_gone))
    work_through(month, shifts)
    counting.compare_ties(month, batch, "batch 3")
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)
    money.give_bonus(month, careful_one(team))


def careful_one(team: list[Worker]) -> Worker:
    """Return somebody who works well and stays."""
    return next(one for one in team if one.person.kind == "good")


def careless_one(month: Month, team: list[Worker]) -> Worker:
    """Return who answers gold worst: by design the one who was careful in the test only."""
    careless = [one for one in team if one.person.kind == CARELESS]
    by_gold = sorted(team, key=lambda one: share(month.log.gold_answers(one.name)) or 1.0)
    return (careless or by_gold)[0]


def dismiss(month: Month, batch: Batch, worker: Worker) -> None:
    """Take somebody's votes out: what they filled in the open batch is to be filled anew."""
    own = [one for one in month.log.standing() if one.person == worker.name]
    expected = sum(one.batch == batch.number for one in own)
    found = exclude(
        by=month.by,
        member=worker.member,
        stage=StageCode.CROWD,
        kind=ExclusionKind.DISMISSED,
        reason="Answers to gold are no better than chance.",
    )
    month.findings.check("places that are to be filled anew", found.places, expected)
    take_out(month, worker)


def withdraw_one(month: Month, worker: Worker) -> None:
    """Let somebody withdraw: their votes stop counting and are not released."""
    withdraw(by=worker.member)
    take_out(month, worker)
    month.log.withdrawn.add(worker.name)


def take_out(month: Month, worker: Worker) -> None:
    """Note that somebody's votes do not count any more."""
    month.log.taken_out.add(worker.name)
    worker.is_gone, worker.unsent = True, None


def judge(month: Month, team: list[Worker]) -> None:
    """Hold the figures of the whole month against people's own count."""
    month.findings.note("days that the month took", month.log.day)
    month.findings.note("what happened", dict(month.log.events))
    counting.compare_people(month, team)
    counting.compare_flags(month, team)
    counting.compare_alpha(month)
    counting.estimate(month, team, "Dawid and Skene at the end")
    counting.compare_release(month, team)
