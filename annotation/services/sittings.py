"""Opens and ends sittings: what one visit asks for. A person has one open sitting of a stage."""

import secrets
from collections.abc import Callable, Sequence
from decimal import Decimal

from django.db import transaction

from annotation.models import Member, Sitting, SittingSlot, SittingState, Task
from annotation.services.archive import hold_open
from annotation.services.assignments import database_now, lock_standing
from annotation.services.standings import let_go

CODE_BYTES = 10

# Says which tasks stand at which numbers of a new sitting; the rest comes from the batches.
Plan = Callable[[Sitting], Sequence[tuple[int, Task]]]


def open_sitting(*, by: Member, stage: str) -> Sitting | None:
    """Return the sitting that somebody is in."""
    return Sitting.objects.filter(member=by, stage=stage, state=SittingState.OPEN).first()


@transaction.atomic
def begin_sitting(
    *,
    by: Member,
    stage: str,
    size: int | None = None,
    plan: Plan | None = None,
    reward: Decimal | None = None,
) -> Sitting:
    """Begin a sitting, or go on with the open one.

    Its reward, the protocol's unless another is given, stays as it is today.
    """
    hold_open(by.study_id)
    lock_standing(by, stage)
    known = open_sitting(by=by, stage=stage)
    if known:
        return known
    protocol = by.study.protocol
    sitting = Sitting.objects.create(
        member=by,
        stage=stage,
        size=size or protocol.sitting_size,
        reward=protocol.reward if reward is None else reward,
        currency=protocol.currency,
        completion_code=secrets.token_hex(CODE_BYTES).upper(),
        opened_at=database_now(),
    )
    slots = plan(sitting) if plan else ()
    SittingSlot.objects.bulk_create(
        [SittingSlot(sitting=sitting, number=number, task=task) for number, task in slots]
    )
    return sitting


@transaction.atomic
def end_sitting(*, by: Member, stage: str, state: str) -> Sitting | None:
    """End the open sitting: left by the person, or complete because nothing is left for them.

    What they hold goes back; the votes given stay and are paid.
    """
    lock_standing(by, stage)
    sitting = open_sitting(by=by, stage=stage)
    if sitting is None:
        return None
    sitting.state, sitting.ended_at = state, database_now()
    sitting.save(update_fields=["state", "ended_at"])
    let_go(by, stage)
    return sitting
