"""Parks posts: a place is kept for some days, and the person works on others meanwhile.

A parked post is a longer lease and nothing else, so exact overlap rests where it did. The days run
from the parking and are never prolonged: a place that was not filled by then comes back.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Assignment, AssignmentState, Member, Place
from annotation.queries.parking import kept_for
from annotation.services.archive import hold_open
from annotation.services.assignments import (
    NotHeld,
    database_now,
    lock_standing,
    own_assignment,
)


@transaction.atomic
def park_task(*, by: Member, assignment_id: int, days: int, most: int) -> datetime | None:
    """Keep the place of a post that somebody holds; return until when.

    Parking it again changes nothing. Refused is what they do not hold, or hold too many of.
    """
    hold_open(by.study_id)
    lock_standing(by, own_assignment(by, assignment_id).task.stage)
    assignment = own_assignment(by, assignment_id)
    places = Place.objects.unfilled().filter(task=assignment.task_id, member=by)
    if assignment.state == AssignmentState.PARKED:
        return places.values_list("lease_until", flat=True).first()
    refuse_unheld(assignment)
    if kept_for(by, assignment.task.stage).count() >= most:
        raise NotHeld(
            _("You may have %(most)s posts parked at a time. Finish or skip one of them first.")
            % {"most": most}
        )
    until = database_now() + timedelta(days=days)
    if not places.update(lease_until=until):
        raise NotHeld(no_longer_held())
    assignment.state = AssignmentState.PARKED
    assignment.save(update_fields=["state"])
    return until


def refuse_unheld(assignment: Assignment) -> None:
    """Refuse to park what is done, or is not in the person's hands any more."""
    if assignment.state == AssignmentState.SUBMITTED:
        raise NotHeld(_("You have voted on this post already; there is nothing to park."))
    if assignment.state != AssignmentState.HELD:
        raise NotHeld(no_longer_held())


def no_longer_held() -> str:
    """Return the sentence about a post that went back."""
    return _(
        "This post is no longer held for you, so it cannot be parked. You can still submit your "
        "answer; it counts as long as the post has room."
    )
