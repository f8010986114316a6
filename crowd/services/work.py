"""Records the crowd's and the researchers' answers, safe against retries and second tabs."""

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Member, Vote
from annotation.services.assignments import own_assignment
from annotation.services.votes import Answer, correct_vote, current_vote, submit_vote


@dataclass(frozen=True)
class Outcome:
    """What became of an answer: the vote that stands, and whether it says what was answered."""

    vote: Vote
    is_new: bool
    agrees: bool


class ChangedMeanwhile(Exception):
    """The vote that a person corrects is no longer the one they saw; it carries the present one."""

    def __init__(self, vote: Vote) -> None:
        super().__init__(_("You changed this vote elsewhere meanwhile. Look at it again."))
        self.vote = vote


def submit(*, by: Member, assignment_id: int, answer: Answer) -> Outcome:
    """Record a first answer. Sent again it changes nothing; another answer is not thrown away
    silently but told apart (`agrees` is false).
    """
    vote, is_new = submit_vote(by=by, assignment_id=assignment_id, answer=answer)
    return Outcome(vote=vote, is_new=is_new, agrees=vote.label == answer.label)


@transaction.atomic
def correct(*, by: Member, assignment_id: int, answer: Answer, seen_version: int) -> Vote:
    """Record a correction of the version that the person saw.

    The same label as before makes no new version, so a retry makes none either; a version that the
    person has not seen is never overwritten.
    """
    member = Member.objects.select_for_update(no_key=True).get(pk=by.pk)
    known = current_vote(own_assignment(member, assignment_id))
    if known and known.label == answer.label:
        return known
    if known and known.version != seen_version:
        raise ChangedMeanwhile(known)
    return correct_vote(by=by, assignment_id=assignment_id, answer=answer)
