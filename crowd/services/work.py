"""What becomes of a post in somebody's hands, beside the first vote: for the pages and the API."""

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import (
    Assignment,
    Member,
    SittingState,
    StageCode,
    Vote,
    worked_at,
)
from annotation.services.assignments import (
    NotHeld,
    Nothing,
    Offer,
    lock_standing,
    own_assignment,
)
from annotation.services.sittings import end_sitting
from annotation.services.votes import Answer, VoteRefused, correct_vote, current_vote
from crowd.services.screening import find_nothing

NOTHING_IS_LEFT = {Nothing.DONE, Nothing.LIMIT, Nothing.DAILY_CAP, Nothing.ARCHIVED}


def own_at(by: Member, stage: str, assignment_id: int) -> Assignment:
    """Return one of the person's own assignments at a stage, or raise NotHeld."""
    assignment = own_assignment(by, assignment_id)
    if assignment.task.stage not in worked_at(stage):
        raise NotHeld(_("This post is not assigned to you."))
    return assignment


@transaction.atomic
def conclude(*, by: Member, stage: str, offer: Offer) -> None:
    """Complete a sitting for which nothing is left: its code must not wait for what never comes.

    Who found nothing to do from the beginning is turned away.
    """
    if offer.nothing not in NOTHING_IS_LEFT:
        return
    ended = end_sitting(by=by, stage=stage, state=SittingState.COMPLETE)
    if ended and not ended.votes and stage == StageCode.CROWD:
        find_nothing(member=by, sitting=ended)


class ChangedMeanwhile(Exception):
    """The vote that a person corrects is no longer the one they saw; it carries the present one."""

    def __init__(self, vote: Vote) -> None:
        super().__init__(_("You changed this vote elsewhere meanwhile. Look at it again."))
        self.vote = vote


@transaction.atomic
def correct(*, by: Member, assignment_id: int, answer: Answer, seen_version: int) -> Vote:
    """Record a correction of the version that the person saw.

    The same label as before makes no new version, so a retry makes none either; a version that the
    person has not seen is never overwritten.
    """
    lock_standing(by, own_assignment(by, assignment_id).task.stage)
    assignment = own_assignment(by, assignment_id)
    refuse_after_test(assignment)
    known = current_vote(assignment)
    if known and known.label == answer.label:
        return known
    if known and known.version != seen_version:
        raise ChangedMeanwhile(known)
    return correct_vote(by=by, assignment_id=assignment_id, answer=answer)


def refuse_after_test(assignment: Assignment) -> None:
    """Refuse to correct what stands in a test that was scored."""
    sitting = assignment.sitting
    is_over = sitting is None or sitting.state != SittingState.OPEN
    if assignment.task.stage == StageCode.PRESCREENING and is_over:
        raise VoteRefused(_("This test is complete; its answers cannot be changed any more."))
