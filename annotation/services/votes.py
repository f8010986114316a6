"""Records votes. Submitting is idempotent by assignment; nothing that was typed is thrown away.

A vote counts when it fills a place. An answer that comes after its lease was given to somebody else
takes another free place of the same post, and is kept uncounted when there is none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import BigIntegerField, F
from django.utils.translation import gettext as _

from annotation.models import (
    WORK_ENDED,
    Assignment,
    BatchState,
    Member,
    Sitting,
    Standing,
    StudyState,
    Vote,
)
from annotation.queries.rows import Statement
from annotation.services.archive import hold_open
from annotation.services.assignments import (
    NOT_YOURS,
    OFFER,
    WITH_TASK,
    NotHeld,
    Offer,
    database_now,
    lock_standing,
    offer_of,
    own_assignment,
    standing_stage,
)

BIGGEST_ID = BigIntegerField.MAX_BIGINT
MOST_SECONDS = 4 * 60 * 60.0

SUBMIT_VOTE = Statement(
    "submit_vote", "SELECT * FROM annotation_submit_vote($1, $2, $3, $4, $5, $6)"
)
VOTE_AND_GO_ON = Statement(
    "vote_and_go_on",
    f"""
    SELECT (cycle.receipt).*, {OFFER}
    FROM annotation_vote_and_go_on($1, $2, $3, $4, $5, $6) AS cycle, LATERAL (
        SELECT (cycle.offer).*
    ) AS offer
    {WITH_TASK}
""",
)
SETTLE_TIE = "SELECT annotation_settle_tie(%s)"


class VoteRefused(Exception):
    """A vote that is not taken; its text is a sentence for the person."""


class NoSuchLabel(VoteRefused):
    """The batch does not have the label."""


@dataclass(frozen=True)
class Answer:
    """What a person sends: a label, their active seconds, and the guide's version they had."""

    label: str
    seconds: float | None = None
    guide_version: int | None = None

    @property
    def kept_seconds(self) -> float | None:
        """Return the seconds within what is possible."""
        return None if self.seconds is None else min(max(self.seconds, 0.0), MOST_SECONDS)


@dataclass(frozen=True)
class Receipt:
    """The vote that stands after an answer; `is_new` unless it stood there before."""

    vote_id: int
    label: str
    version: int
    counted: bool
    is_new: bool
    sitting_id: int | None


def refuse_archived(by: Member) -> None:
    """Refuse a vote in an archived study."""
    if by.study.state == StudyState.ARCHIVED:
        raise VoteRefused(archived())


def archived() -> str:
    """Return the sentence about a vote in an archived study."""
    return _("This study is archived: votes can be read, not given or changed.")


def vote_and_go_on(
    *, by: Member, stage: str, assignment_id: int, answer: Answer
) -> tuple[Receipt, Offer | None]:
    """Record a first vote and hand out the next task, in one statement.

    Without an offer the vote that stands has another label than the answer: only a correction may
    change it.
    """
    refuse_archived(by)
    row = ask(VOTE_AND_GO_ON, by, stage, assignment_id, answer)
    receipt = receipt_of(row[:7], answer)
    return receipt, offer_of(row[7:], by) if receipt.label == answer.label else None


def submit_vote(*, by: Member, assignment_id: int, answer: Answer) -> tuple[Vote, bool]:
    """Record a first vote; return the one that stands, and whether it is new."""
    refuse_archived(by)
    stage = standing_stage(own_assignment(by, assignment_id).task.stage)
    receipt = receipt_of(ask(SUBMIT_VOTE, by, stage, assignment_id, answer), answer)
    return Vote.objects.select_related("place").get(pk=receipt.vote_id), receipt.is_new


def ask(
    statement: Statement, member: Member, stage: str, assignment_id: int, answer: Answer
) -> Sequence[Any]:
    """Send an answer to the database."""
    if assignment_id > BIGGEST_ID:
        raise NotHeld(NOT_YOURS)
    values = (answer.label, answer.kept_seconds, answer.guide_version)
    return statement.row(member.pk, stage, assignment_id, *values) or ()


def receipt_of(row: Sequence[Any], answer: Answer) -> Receipt:
    """Return what an `annotation_receipt` says; raise for a vote that was not taken."""
    outcome, vote_id, _task_id, label, version, counted, sitting_id = row
    if outcome == "not_yours":
        raise NotHeld(NOT_YOURS)
    if outcome == "no_such_label":
        raise NoSuchLabel(unknown_label(answer.label))
    if outcome == "closed":
        raise VoteRefused(_("This batch is closed; it takes no more votes."))
    if outcome == "archived":
        raise VoteRefused(archived())
    if outcome not in ("new", "known"):
        raise VoteRefused(_("You may not vote in this study at present; the vote is not taken."))
    return Receipt(vote_id, label, version, counted, outcome == "new", sitting_id)


def refuse_ended(assignment: Assignment) -> None:
    """Refuse to change the vote of somebody who withdrew or was dismissed."""
    stage = standing_stage(assignment.task.stage)
    standings = Standing.objects.filter(member=assignment.member_id, stage=stage)
    if standings.filter(state__in=WORK_ENDED).exists():
        raise VoteRefused(_("Your work in this study has ended; your votes stay as they are."))


def unknown_label(label: str) -> str:
    """Return the sentence about a label that the batch does not have."""
    return _("Choose one of the answers; “%s” is none of them.") % label[:60]


@transaction.atomic
def correct_vote(*, by: Member, assignment_id: int, answer: Answer) -> Vote:
    """Record a new version of one's vote, until the batch is closed."""
    refuse_archived(by)
    hold_open(by.study_id)
    lock_standing(by, own_assignment(by, assignment_id).task.stage)
    assignment = own_assignment(by, assignment_id)
    refuse_ended(assignment)
    if answer.label not in assignment.task.batch.labels:
        raise NoSuchLabel(unknown_label(answer.label))
    known = current_vote(assignment)
    if known is None:
        raise VoteRefused(_("There is no vote of yours on this post to correct."))
    if assignment.task.batch.state == BatchState.CLOSED:
        raise VoteRefused(_("This batch is closed; its votes cannot be corrected any more."))
    vote = Vote.objects.create(
        task_id=known.task_id,
        member_id=known.member_id,
        place=known.place,
        version=known.version + 1,
        label=answer.label,
        counted=known.counted,
        seconds=answer.kept_seconds,
        guide_version=answer.guide_version,
        created_at=database_now(),
    )
    more = (vote.seconds or 0.0) - (known.seconds or 0.0)
    sitting = Sitting.objects.filter(assignments=assignment)
    sitting.update(active_seconds=F("active_seconds") + more)
    with connection.cursor() as cursor:
        cursor.execute(SETTLE_TIE, [known.task_id])
    return vote


def current_vote(assignment: Assignment) -> Vote | None:
    """Return the newest version of the vote that came out of an assignment."""
    return (
        Vote.objects.filter(task=assignment.task_id, member=assignment.member_id)
        .order_by("-version")
        .first()
    )
