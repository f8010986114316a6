"""Hands out tasks: exactly as many places as votes are wanted, never two of one person.

A place is one row, and all that makes it free stands on that row, so `FOR UPDATE SKIP LOCKED`
decides between any number of processes. One person's requests queue up behind a lock on their
membership. Time is the database's. docs/task-engine.md explains the order of the searches.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db import connection, transaction
from django.utils.translation import gettext as _

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Cursor,
    Member,
    Place,
    StageCode,
    StudyState,
    Task,
)

FREE = "filled_at IS NULL AND (member_id IS NULL OR lease_until <= now())"

NEXT_FREE = f"""
    SELECT id FROM annotation_place
    WHERE batch_id = %(batch)s AND position > %(cursor)s AND {FREE}
    ORDER BY position, number FOR UPDATE SKIP LOCKED LIMIT 1
"""

# Behind the cursor lie places that skips and lapsed leases set free again.
FREE_BEHIND = f"""
    SELECT id FROM annotation_place AS place
    WHERE batch_id = %(batch)s AND position <= %(cursor)s AND {FREE}
      AND NOT EXISTS (
        SELECT FROM annotation_assignment AS mine
        WHERE mine.member_id = %(member)s AND mine.task_id = place.task_id
          AND mine.state IN ('submitted', 'skipped'))
    ORDER BY position, number FOR UPDATE SKIP LOCKED LIMIT 1
"""

NEXT_OPEN = """
    SELECT task.id FROM annotation_task AS task
    WHERE batch_id = %(batch)s AND position > %(cursor)s
    ORDER BY position LIMIT 1
"""


class Nothing(StrEnum):
    """Why there is nothing to hand out."""

    DONE = "done"
    HELD_BY_OTHERS = "held"
    PAUSED = "paused"
    NO_BATCH = "no_batch"


@dataclass(frozen=True)
class Offer:
    """What a person gets: an assignment with its lease, or the reason for none.

    `until` is the end of the lease; where others hold the last posts, the first end of theirs.
    """

    assignment: Assignment | None = None
    until: datetime | None = None
    nothing: Nothing | None = None


@transaction.atomic
def next_task(*, by: Member, stage: str) -> Offer:
    """Give a person what they hold already, else the next task, else the reason for none."""
    member = Member.objects.select_for_update(no_key=True).get(pk=by.pk)
    if by.study.state != StudyState.ACTIVE:
        return Offer(nothing=Nothing.PAUSED)
    batches = open_batches(member, stage)
    for look in (held_offer, claim):
        for batch in batches:
            offer = look(member, batch)
            if offer:
                return offer
    return why_nothing(member, stage, batches)


def open_batches(member: Member, stage: str) -> list[Batch]:
    """Return the batches that are handed out, oldest first."""
    return list(
        Batch.objects.filter(study=member.study_id, stage=stage, state=BatchState.OPEN).order_by(
            "number"
        )
    )


def held_offer(member: Member, batch: Batch) -> Offer | None:
    """Return what the person holds in a batch; a lapsed lease that nobody took is renewed."""
    held = (
        Assignment.objects.select_related("task__post", "task__batch")
        .filter(member=member, task__batch=batch, state=AssignmentState.HELD)
        .first()
    )
    if held is None:
        return None
    if batch.stage == StageCode.GOLD:
        return Offer(assignment=held)
    # Locked: between reading and renewing a lapsed lease, somebody else may take the place.
    places = Place.objects.select_for_update().filter(filled_at=None)
    place = places.filter(member=member, task=held.task_id).first()
    if place is None:
        end(held, AssignmentState.LAPSED)
        return None
    return Offer(assignment=held, until=hold(place.pk, member))


def claim(member: Member, batch: Batch) -> Offer | None:
    """Take the next free place (or open task) of a batch, if there is one."""
    cursor, _is_new = Cursor.objects.get_or_create(
        member=member, batch=batch, defaults={"position": 0}
    )
    where = {"batch": batch.pk, "cursor": cursor.position, "member": member.pk}
    if batch.stage == StageCode.GOLD:
        task_id = first_id(NEXT_OPEN, where)
        return advance(member, cursor, task_id) if task_id else None
    place_id = first_id(NEXT_FREE, where) or first_id(FREE_BEHIND, where)
    if place_id is None:
        return None
    return take(member, cursor, place_id)


def first_id(sql: str, where: dict[str, int]) -> int | None:
    """Return the id that a search found."""
    with connection.cursor() as cursor:
        cursor.execute(sql, where)
        row = cursor.fetchone()
    return row[0] if row else None


def take(member: Member, cursor: Cursor, place_id: int) -> Offer:
    """Hold a locked place; whoever let it lapse before loses it."""
    place = Place.objects.get(pk=place_id)
    if place.member_id and place.member_id != member.pk:
        Assignment.objects.filter(
            task=place.task_id, member=place.member_id, state=AssignmentState.HELD
        ).update(state=AssignmentState.LAPSED, ended_at=place.lease_until)
    until = hold(place_id, member)
    offer = advance(member, cursor, place.task_id)
    return Offer(assignment=offer.assignment, until=until)


def hold(place_id: int, member: Member) -> datetime:
    """Set a locked place's lease to its full length from now, by the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE annotation_place SET member_id = %s, lease_until = now() + make_interval("
            "mins => (SELECT lease_minutes FROM annotation_protocol WHERE study_id = %s)) "
            "WHERE id = %s RETURNING lease_until",
            [member.pk, member.study_id, place_id],
        )
        until: datetime = cursor.fetchone()[0]
    return until


def advance(member: Member, cursor: Cursor, task_id: int) -> Offer:
    """Record the assignment and move the person's cursor up to it."""
    task = Task.objects.select_related("post", "batch").get(pk=task_id)
    assignment, _is_new = Assignment.objects.update_or_create(
        task=task,
        member=member,
        defaults={"state": AssignmentState.HELD, "opened_at": database_now(), "ended_at": None},
    )
    if task.position > cursor.position:
        cursor.position = task.position
        cursor.save(update_fields=["position"])
    return Offer(assignment=assignment)


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


def why_nothing(member: Member, stage: str, batches: list[Batch]) -> Offer:
    """Say why a person gets nothing now."""
    if not batches:
        paused = member.study.batches.filter(stage=stage, state=BatchState.PAUSED).exists()
        return Offer(nothing=Nothing.PAUSED if paused else Nothing.NO_BATCH)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT min(lease_until) FROM annotation_place AS place "
            "WHERE batch_id = ANY(%s) AND filled_at IS NULL AND lease_until > now() "
            "AND NOT EXISTS (SELECT FROM annotation_assignment AS mine WHERE mine.member_id = %s "
            "AND mine.task_id = place.task_id AND mine.state IN ('submitted', 'skipped'))",
            [[batch.pk for batch in batches], member.pk],
        )
        until = cursor.fetchone()[0]
    return Offer(nothing=Nothing.HELD_BY_OTHERS if until else Nothing.DONE, until=until)


class NotHeld(Exception):
    """Somebody acts on an assignment that is not theirs to act on; its text says how it stands."""


def own_assignment(member: Member, assignment_id: int) -> Assignment:
    """Return one of the person's own assignments, or raise NotHeld."""
    found = (
        Assignment.objects.select_related("task__batch", "task__post")
        .filter(pk=assignment_id, member=member)
        .first()
    )
    if found is None:
        raise NotHeld(_("This post is not assigned to you."))
    return found


@transaction.atomic
def skip_task(*, by: Member, assignment_id: int, reason: str) -> Assignment:
    """Pass a post on: its place is free for others, and it never comes back to this person."""
    member = Member.objects.select_for_update(no_key=True).get(pk=by.pk)
    assignment = own_assignment(member, assignment_id)
    if assignment.state == AssignmentState.SUBMITTED:
        raise NotHeld(_("You have voted on this post already; it cannot be skipped any more."))
    Place.objects.filter(task=assignment.task_id, member=member, filled_at=None).update(
        member=None, lease_until=None
    )
    end(assignment, AssignmentState.SKIPPED, reason)
    return assignment


@transaction.atomic
def extend_lease(*, by: Member, assignment_id: int) -> datetime | None:
    """Renew the lease of a post that is worked on; None when the person holds it no longer."""
    assignment = own_assignment(by, assignment_id)
    place = (
        Place.objects.select_for_update()
        .filter(task=assignment.task_id, member=by, filled_at=None)
        .first()
    )
    if place is None or assignment.state != AssignmentState.HELD:
        return None
    return hold(place.pk, by)
