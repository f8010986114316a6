"""Keeps what an expert has typed so far, so that another device finds it; nobody else reads it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Assignment, AssignmentState, Member
from annotation.services.archive import hold_open
from annotation.services.assignments import NotHeld, own_assignment
from annotation.services.parking import park_task
from legal.algorithms import ExpertAnswer, plain_data
from legal.models import AnswerDraft
from legal.queries.settings import settings_of

ENDED = (AssignmentState.SUBMITTED, AssignmentState.SKIPPED)


class DraftRefused(Exception):
    """A draft that is not kept; its text is a sentence for the person."""


@transaction.atomic
def keep_draft(
    *, by: Member, assignment_id: int, typed: ExpertAnswer, seen: int | None = None
) -> AnswerDraft:
    """Store what was typed, over what was stored before.

    With `seen`, only over the revision that the person saw: a window left open somewhere does not
    write over what was typed later elsewhere.
    """
    hold_open(by.study_id)
    own_assignment(by, assignment_id)
    assignment = Assignment.objects.select_for_update(no_key=True).get(pk=assignment_id)
    if assignment.state in ENDED:
        raise DraftRefused(_("This post is done; there is nothing to keep."))
    draft = AnswerDraft.objects.filter(assignment=assignment).first()
    if draft is None:
        return AnswerDraft.objects.create(assignment=assignment, content=plain_data(typed))
    if seen is not None and seen != draft.revision:
        raise DraftRefused(_("You went on with this post in another window. Load the page anew."))
    draft.content, draft.revision = plain_data(typed), draft.revision + 1
    draft.save()
    return draft


def drop_draft(assignment_id: int) -> None:
    """Forget what was typed: it was submitted."""
    AnswerDraft.objects.filter(assignment=assignment_id).delete()


@transaction.atomic
def park_answer(*, by: Member, assignment_id: int, typed: ExpertAnswer) -> datetime | None:
    """Keep a post with what was typed for some days; return until when its place is kept."""
    settings = settings_of(by.study)
    if not settings.parked_posts:
        raise NotHeld(_("This study does not let posts be parked."))
    until = park_task(
        by=by,
        assignment_id=assignment_id,
        days=settings.parking_days,
        most=settings.parked_posts,
    )
    keep_draft(by=by, assignment_id=assignment_id, typed=typed)
    return until
