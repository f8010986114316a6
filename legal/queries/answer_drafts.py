"""What somebody parked, or began and lost the place of; and what they had typed."""

from typing import Any

from django.db.models import Q, QuerySet

from annotation.models import Assignment, AssignmentState, Member, StageCode
from annotation.queries.parking import with_kept_until
from legal.models import AnswerDraft


def draft_of_answer(assignment: Assignment) -> AnswerDraft | None:
    """Return what was typed on a post and not submitted."""
    return AnswerDraft.objects.filter(assignment=assignment.pk).first()


def put_aside(member: Member) -> QuerySet[Any]:
    """Return what a person parked, and what went back with something typed; oldest first."""
    lost = Q(state=AssignmentState.LAPSED, answer_draft__isnull=False)
    own = Assignment.objects.filter(
        Q(state=AssignmentState.PARKED) | lost, member=member, task__stage=StageCode.LEGAL
    )
    aside = with_kept_until(own).select_related("task__post", "task__batch", "answer_draft")
    return aside.order_by("pk")
