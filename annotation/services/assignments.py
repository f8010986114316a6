"""Hands out tasks: exactly as many places as votes are wanted, never two of one person.

The work is done by functions of the database (annotation/sql/task_engine.sql), each in one
statement; here they get names and types. docs/task-engine.md explains them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

from annotation.models import Assignment, AssignmentState, Member, Place, StageCode, TaskKind

TAKE_TASK = "SELECT * FROM annotation_take_task(%s, %s)"
LOCK_STANDING = "SELECT annotation_lock_standing(%s, %s)"
LEASE_END = """
    SELECT now() + make_interval(mins => lease_minutes::integer)
    FROM annotation_protocol WHERE study_id = %s
"""


class Nothing(StrEnum):
    """Why there is nothing to hand out."""

    DONE = "done"
    HELD_BY_OTHERS = "held"
    PAUSED = "paused"
    NO_BATCH = "no_batch"
    NO_SITTING = "no_sitting"
    LIMIT = "limit"
    DAILY_CAP = "daily_cap"
    YOU_WAIT = "you_waiting"
    YOU_ARE_PAUSED = "you_paused"
    YOU_ARE_DISMISSED = "you_dismissed"
    YOU_WITHDREW = "you_withdrawn"


@dataclass(frozen=True)
class Offer:
    """What a person gets: an assignment with its lease, or the reason for none.

    `until` is the end of the lease; where others hold the last posts, the first end of theirs.
    """

    assignment: Assignment | None = None
    until: datetime | None = None
    nothing: Nothing | None = None


def next_task(*, by: Member, stage: str) -> Offer:
    """Give a person what they hold already, else the next task, else the reason for none."""
    with connection.cursor() as cursor:
        cursor.execute(TAKE_TASK, [by.pk, stage])
        row = cursor.fetchone()
    return offer_of(row)


def offer_of(row: Sequence[Any]) -> Offer:
    """Return what an `annotation_offer` says."""
    nothing, until, assignment_id, _sitting_id = row
    if assignment_id is None:
        return Offer(nothing=Nothing(nothing), until=until)
    assignment = Assignment.objects.select_related(
        "task__post", "task__batch__study", "sitting"
    ).get(pk=assignment_id)
    return Offer(assignment=assignment, until=until)


def lock_standing(member: Member, task_stage: str) -> None:
    """Make a person's requests at a stage queue up, until this transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(LOCK_STANDING, [member.pk, standing_stage(task_stage)])


def standing_stage(task_stage: str) -> str:
    """Return at which stage somebody stands who has a task of this one: checks are crowd work."""
    return StageCode.CROWD if task_stage == StageCode.CHECK else task_stage


def end(assignment: Assignment, state: str, reason: str = "") -> None:
    """Take an assignment out of a person's hands."""
    assignment.state, assignment.skip_reason = state, reason
    assignment.ended_at = database_now()
    assignment.save(update_fields=["state", "skip_reason", "ended_at"])


def database_now() -> datetime:
    """Return the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT now()")
        now: datetime = cursor.fetchone()[0]
    return now


def give_back(places: str, values: Sequence[int | list[int]]) -> None:
    """Set places free that match a condition, for whoever may take them.

    By the clock and not by the transaction's time: others find them in the order of these times.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE annotation_place SET member_id = NULL, lease_until = clock_timestamp() "
            f"WHERE filled_at IS NULL AND {places}",
            values,
        )


class NotHeld(Exception):
    """Somebody acts on an assignment that is not theirs to act on; its text says how it stands."""


def own_assignment(member: Member, assignment_id: int) -> Assignment:
    """Return one of the person's own assignments, or raise NotHeld."""
    found = (
        Assignment.objects.select_related("task__batch", "task__post", "sitting")
        .filter(pk=assignment_id, member=member)
        .first()
    )
    if found is None:
        raise NotHeld(_("This post is not assigned to you."))
    return found


@transaction.atomic
def skip_task(*, by: Member, assignment_id: int, reason: str) -> Assignment:
    """Pass a post on: its place is free for others, and it never comes back to this person."""
    lock_standing(by, own_assignment(by, assignment_id).task.stage)
    assignment = own_assignment(by, assignment_id)
    if assignment.state == AssignmentState.SUBMITTED:
        raise NotHeld(_("You have voted on this post already; it cannot be skipped any more."))
    give_back("task_id = %s AND member_id = %s", [assignment.task_id, by.pk])
    end(assignment, AssignmentState.SKIPPED, reason)
    return assignment


@transaction.atomic
def extend_lease(*, by: Member, assignment_id: int) -> datetime | None:
    """Renew the lease of a post that is worked on; None when the person holds it no longer."""
    assignment = own_assignment(by, assignment_id)
    if assignment.state != AssignmentState.HELD:
        return None
    with connection.cursor() as cursor:
        cursor.execute(LEASE_END, [by.study_id])
        until: datetime = cursor.fetchone()[0]
    if assignment.task.kind == TaskKind.OPEN:
        return until
    places = Place.objects.filter(task=assignment.task_id, member=by, filled_at=None)
    return until if places.update(lease_until=until) else None
