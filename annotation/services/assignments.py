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
from django.utils.translation import gettext_lazy

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    Member,
    Place,
    Post,
    Sitting,
    StageCode,
    Task,
    TaskKind,
)
from annotation.queries.rows import Columns, Statement, read_row
from annotation.services.archive import hold_open, is_held_open

OFFERED = (
    Columns("task", Task),
    Columns(
        "batch",
        Batch,
        without=["origin", "votes_wanted", "seed", "source", "follows", "created_at"],
    ),
    Columns(
        "post",
        Post,
        without=["original_text", "changed_by", "dropped_reason", "imported_in", "line"],
    ),
    Columns("sitting", Sitting, without=["completion_code", "opened_at", "ended_at"]),
)
OFFER = "offer.nothing, offer.until, offer.assignment_id, offer.opened_at, "
OFFER += "offer.sitting_votes, offer.sitting_seconds, "
OFFER += ", ".join(columns.sql for columns in OFFERED)
WITH_TASK = """
    LEFT JOIN annotation_task AS task ON task.id = offer.task_id
    LEFT JOIN annotation_batch AS batch ON batch.id = task.batch_id
    LEFT JOIN annotation_post AS post ON post.id = task.post_id
    LEFT JOIN annotation_sitting AS sitting ON sitting.id = offer.sitting_id
"""
NOT_YOURS = gettext_lazy("This post is not assigned to you.")
TAKE_TASK = Statement(
    "take_task", f"SELECT {OFFER} FROM annotation_take_task($1, $2) AS offer {WITH_TASK}"
)
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
    ARCHIVED = "archived"
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
    return offer_of(TAKE_TASK.row(by.pk, stage) or (), by)


def offer_of(row: Sequence[Any], member: Member) -> Offer:
    """Return what a row of OFFER says."""
    nothing, until, assignment_id, opened_at, votes, seconds = row[:6]
    if assignment_id is None:
        return Offer(nothing=Nothing(nothing), until=until)
    task, batch, post, sitting = read_row(*OFFERED, row=row, start=6)
    task.batch, task.post, batch.study = batch, post, member.study
    if sitting:
        # The joined row is as it was before the statement.
        sitting.votes, sitting.active_seconds = votes, seconds
    assignment = Assignment(
        pk=assignment_id, task=task, member=member, sitting=sitting, opened_at=opened_at
    )
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
        raise NotHeld(NOT_YOURS)
    return found


@transaction.atomic
def skip_task(*, by: Member, assignment_id: int, reason: str) -> Assignment:
    """Pass a post on: its place is free for others, and it never comes back to this person."""
    hold_open(by.study_id)
    lock_standing(by, own_assignment(by, assignment_id).task.stage)
    assignment = own_assignment(by, assignment_id)
    if assignment.state == AssignmentState.SUBMITTED:
        raise NotHeld(_("You have voted on this post already; it cannot be skipped any more."))
    give_back("task_id = %s AND member_id = %s", [assignment.task_id, by.pk])
    end(assignment, AssignmentState.SKIPPED, reason)
    return assignment


@transaction.atomic
def extend_lease(*, by: Member, assignment_id: int) -> datetime | None:
    """Renew the lease of a post that is worked on; None for who holds it no longer, or may not."""
    assignment = own_assignment(by, assignment_id)
    if assignment.state != AssignmentState.HELD or not is_held_open(by.study_id):
        return None
    with connection.cursor() as cursor:
        cursor.execute(LEASE_END, [by.study_id])
        until: datetime = cursor.fetchone()[0]
    if assignment.task.kind == TaskKind.OPEN:
        return until
    places = Place.objects.filter(task=assignment.task_id, member=by, filled_at=None)
    return until if places.update(lease_until=until) else None
