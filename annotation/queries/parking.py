"""Which posts somebody has parked, and until when their places are kept."""

from datetime import datetime
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Now

from annotation.models import Assignment, AssignmentState, Member, Place


def with_kept_until(assignments: QuerySet[Assignment]) -> QuerySet[Any]:
    """Add until when an assignment's own place is kept; None where somebody else has it now."""
    place = Place.objects.unfilled().filter(task=OuterRef("task"), member=OuterRef("member"))
    return assignments.annotate(kept_until=Subquery(place.values("lease_until")[:1]))


def kept_for(member: Member, stage: str) -> QuerySet[Any]:
    """Return the parked posts of a person whose places are kept at this moment."""
    parked = Assignment.objects.filter(
        member=member, task__stage=stage, state=AssignmentState.PARKED
    )
    return with_kept_until(parked).filter(kept_until__gt=Now())


def kept_until(assignment: Assignment) -> datetime | None:
    """Return until when the place of one assignment is kept, if it is still the person's."""
    own = with_kept_until(Assignment.objects.filter(pk=assignment.pk))
    found: datetime | None = own.values_list("kept_until", flat=True).get()
    return found
