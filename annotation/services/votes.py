"""Records votes. Submitting is idempotent by assignment; nothing that was typed is thrown away.

A vote counts when it fills a place. An answer that comes after its lease was given to somebody else
takes another free place of the same post, and is kept uncounted when there is none.
"""

from dataclasses import dataclass

from django.db import connection, transaction
from django.utils.translation import gettext as _

from annotation.models import (
    Assignment,
    AssignmentState,
    BatchState,
    Member,
    Place,
    TaskKind,
    Vote,
)
from annotation.services.assignments import FREE, database_now, end, own_assignment

MOST_SECONDS = 4 * 60 * 60.0

FREE_PLACE_OF_TASK = f"""
    SELECT id FROM annotation_place WHERE task_id = %s AND {FREE}
    ORDER BY number FOR UPDATE SKIP LOCKED LIMIT 1
"""


class VoteRefused(Exception):
    """A vote that is not taken; its text is a sentence for the person."""


@dataclass(frozen=True)
class Answer:
    """What a person sends: a label, their active seconds, and the guide's version they had."""

    label: str
    seconds: float | None = None
    guide_version: int | None = None


@transaction.atomic
def submit_vote(*, by: Member, assignment_id: int, answer: Answer) -> tuple[Vote, bool]:
    """Record a first vote; return it and whether it is new.

    The same assignment sent again gives the vote that is there, when it says the same; another
    label is refused, because only a correction may change a vote.
    """
    member = Member.objects.select_for_update(no_key=True).get(pk=by.pk)
    assignment = own_assignment(member, assignment_id)
    refuse_unknown_label(assignment, answer.label)
    known = current_vote(assignment)
    if known:
        return known, False
    if assignment.task.batch.state == BatchState.CLOSED:
        raise VoteRefused(_("This batch is closed; it takes no more votes."))
    place = fill_place(assignment)
    vote = write_vote(assignment, answer, version=1, place=place)
    end(assignment, AssignmentState.SUBMITTED)
    return vote, True


@transaction.atomic
def correct_vote(*, by: Member, assignment_id: int, answer: Answer) -> Vote:
    """Record a new version of one's vote, until the batch is closed."""
    member = Member.objects.select_for_update(no_key=True).get(pk=by.pk)
    assignment = own_assignment(member, assignment_id)
    refuse_unknown_label(assignment, answer.label)
    known = current_vote(assignment)
    if known is None:
        raise VoteRefused(_("There is no vote of yours on this post to correct."))
    if assignment.task.batch.state == BatchState.CLOSED:
        raise VoteRefused(_("This batch is closed; its votes cannot be corrected any more."))
    return write_vote(
        assignment, answer, version=known.version + 1, place=known.place, counted=known.counted
    )


def refuse_unknown_label(assignment: Assignment, label: str) -> None:
    """Refuse a label that is not in the batch's label set."""
    if label not in assignment.task.batch.labels:
        raise VoteRefused(_("Choose one of the answers; “%s” is none of them.") % label[:60])


def current_vote(assignment: Assignment) -> Vote | None:
    """Return the newest version of the vote that came out of an assignment."""
    return (
        Vote.objects.filter(task=assignment.task_id, member=assignment.member_id)
        .order_by("-version")
        .first()
    )


def fill_place(assignment: Assignment) -> Place | None:
    """Fill the place that the person holds, or another free one of the task; None without one."""
    if assignment.task.kind == TaskKind.OPEN:
        return None
    places = Place.objects.select_for_update().filter(filled_at=None)
    place = places.filter(task=assignment.task_id, member=assignment.member_id).first()
    if place is None:
        with connection.cursor() as cursor:
            cursor.execute(FREE_PLACE_OF_TASK, [assignment.task_id])
            row = cursor.fetchone()
        place = places.get(pk=row[0]) if row else None
    if place:
        place.member_id, place.lease_until = assignment.member_id, None
        place.filled_at = database_now()
        place.save(update_fields=["member", "lease_until", "filled_at"])
    return place


def write_vote(
    assignment: Assignment,
    answer: Answer,
    *,
    version: int,
    place: Place | None,
    counted: bool | None = None,
) -> Vote:
    """Append one version of a vote."""
    is_open = assignment.task.kind == TaskKind.OPEN
    seconds = None if answer.seconds is None else min(max(answer.seconds, 0.0), MOST_SECONDS)
    return Vote.objects.create(
        task_id=assignment.task_id,
        member_id=assignment.member_id,
        place=place,
        version=version,
        label=answer.label,
        counted=(is_open or place is not None) if counted is None else counted,
        seconds=seconds,
        guide_version=answer.guide_version,
        created_at=database_now(),
    )
