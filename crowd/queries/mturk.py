"""What a requester tells Mechanical Turk: whom to approve, to reject, to give a bonus.

Each row names an assignment and a worker by Mechanical Turk's ids: for owners, where they pay.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from annotation.models import SittingState, Study
from crowd.models import (
    Arrival,
    Decision,
    EntryKind,
    LedgerEntry,
    Payout,
    Qualified,
    QualifiedState,
    Recruit,
    RecruitmentKind,
    SittingReview,
)

Cells = tuple[object, ...]

REVIEW_COLUMNS = ("AssignmentId", "WorkerId", "Approve", "Reject")
BONUS_COLUMNS = ("AssignmentId", "WorkerId", "BonusAmount", "Reason", "UniqueRequestToken")
QUALIFICATION_COLUMNS = ("WorkerId", "IntegerValue")
LONGEST_REASON = 1_000
MARK = "x"


def visits_of(study: Study, users: Iterable[int]) -> dict[int, list[Arrival]]:
    """Return the visits through which Mechanical Turk sent people, by account, oldest first."""
    found: dict[int, list[Arrival]] = {}
    visits = Arrival.objects.filter(
        recruitment__study=study, recruitment__kind=RecruitmentKind.MTURK, user__in=set(users)
    ).exclude(session_id="")
    for visit in visits.select_related("recruit").order_by("pk"):
        found.setdefault(visit.user_id, []).append(visit)
    return found


def ids(visit: Arrival) -> tuple[str, str]:
    """Return the assignment and the worker of a visit."""
    assert visit.recruit
    return visit.session_id, visit.recruit.platform_id


@dataclass
class Share:
    """What a payout holds for one person: visits to approve, and what is left as a bonus."""

    visits: list[Arrival]
    approved: list[Arrival]
    bonus: Decimal
    reasons: list[str]

    def add(self, entry: LedgerEntry) -> None:
        """Take an entry: a whole sitting approves its visit, all else is part of the bonus."""
        of_sitting = (one for one in self.visits if one.sitting_id == entry.sitting_id)
        visit = next(of_sitting, None) if entry.kind == EntryKind.SITTING else None
        if visit and entry.sitting and entry.sitting.state == SittingState.COMPLETE:
            self.approved.append(visit)
            return
        self.bonus += entry.amount
        self.reasons.append(entry.reason or str(entry.get_kind_display()))


def shares(payout: Payout) -> dict[int, Share]:
    """Return what a payout holds for each person whom Mechanical Turk sent, by member."""
    entries = list(
        LedgerEntry.objects.filter(line__payout=payout, member__user__isnull=False)
        .select_related("member", "sitting")
        .order_by("pk")
    )
    visits = visits_of(payout.study, (entry.member.user_id or 0 for entry in entries))
    found: dict[int, Share] = {}
    for entry in entries:
        mine = visits.get(entry.member.user_id or 0)
        if mine:
            share = found.setdefault(entry.member_id, Share(mine, [], Decimal(0), []))
            share.add(entry)
    return found


def approvals(payout: Payout) -> Iterator[Cells]:
    """Return the assignments that a payout approves."""
    for share in shares(payout).values():
        yield from ((*ids(visit), MARK, "") for visit in share.approved)


def bonuses(payout: Payout) -> Iterator[Cells]:
    """Return the bonuses of a payout, one a person; the token lets the same one be paid once."""
    for member, share in shares(payout).items():
        if share.bonus > 0:
            visit = share.approved[-1] if share.approved else share.visits[-1]
            reason = "; ".join(dict.fromkeys(share.reasons))[:LONGEST_REASON]
            token = f"payout-{payout.pk}-{member}"
            yield (*ids(visit), share.bonus, reason, token)


def rejections(study: Study) -> Iterator[Cells]:
    """Return the assignments of sittings that stand rejected, with the words to the person."""
    reviews = SittingReview.objects.filter(
        decision=Decision.REJECTED,
        sitting__member__study=study,
        sitting__arrival__recruitment__kind=RecruitmentKind.MTURK,
    ).exclude(sitting__reviews__decision=Decision.REINSTATED)
    for review in reviews.select_related("sitting__arrival__recruit").order_by("pk"):
        yield (*ids(review.sitting.arrival), "", review.words)


def qualified(study: Study) -> Iterator[Cells]:
    """Return the workers who passed, with their agreement in percent as the value."""
    granted = Qualified.objects.filter(qualification__study=study, state=QualifiedState.GRANTED)
    shares = {one.user_id: round(100 * (one.correct or 0) / (one.scored or 1)) for one in granted}
    recruits = Recruit.objects.filter(study=study, platform="mturk", user__in=shares)
    for recruit in recruits.order_by("pk"):
        yield recruit.platform_id, shares[recruit.user_id]
