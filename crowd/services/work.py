"""Records corrections of the crowd's and the researchers' answers, safe against second tabs."""

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Member, Vote
from annotation.services.assignments import lock_standing, own_assignment
from annotation.services.votes import Answer, correct_vote, current_vote


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
    assignment = own_assignment(by, assignment_id)
    lock_standing(by, assignment.task.stage)
    known = current_vote(assignment)
    if known and known.label == answer.label:
        return known
    if known and known.version != seen_version:
        raise ChangedMeanwhile(known)
    return correct_vote(by=by, assignment_id=assignment_id, answer=answer)
