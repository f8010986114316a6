"""What sittings earn and where each stands: waiting, approved, rejected, paid.

What people earned is the sum of their entries in the ledger; what waits is votes × reward.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import (
    Case,
    Exists,
    F,
    Max,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Greatest, Now
from django.utils.translation import gettext as _

from annotation.models import Member, Sitting, SittingState, Study, Vote
from crowd.algorithms.pay import earned, hourly_rate
from crowd.models import (
    EARNINGS,
    Decision,
    Dispute,
    Errand,
    ErrandState,
    PayApproval,
    PayoutLine,
    PayRules,
    PayState,
    SittingReview,
)


def rules_of(study: Study) -> PayRules:
    """Return a study's rules of pay; the defaults where nobody has changed them."""
    return PayRules.objects.filter(study=study).first() or PayRules(study_id=study.pk)


def prescreening_reward(study: Study) -> Decimal:
    """Return what a vote of a test that begins now is paid."""
    return study.protocol.reward if rules_of(study).prescreening_is_paid else Decimal(0)


def waiting_sittings(study: Study | None = None) -> QuerySet[Sitting]:
    """Return ended sittings with something to pay that nobody has decided on."""
    reviews = SittingReview.objects.filter(sitting=OuterRef("pk"))
    of_study = {} if study is None else {"member__study": study}
    return Sitting.objects.filter(
        ~Exists(reviews), ended_at__isnull=False, votes__gt=0, reward__gt=0, **of_study
    )


def idle_sittings(study: Study, days: int) -> QuerySet[Sitting]:
    """Return open sittings with votes in which nothing happened for some days."""
    last = Greatest(Max("assignments__opened_at"), Max("assignments__ended_at"))
    return (
        Sitting.objects.filter(member__study=study, state=SittingState.OPEN, votes__gt=0)
        .annotate(last_at=Coalesce(last, F("opened_at")))
        .filter(last_at__lt=Now() - timedelta(days=days))
        .select_related("member")
        .order_by("pk")
    )


def with_pay_state(sittings: QuerySet[Sitting]) -> QuerySet[Any]:
    """Add to each sitting what it comes to, and where that stands."""
    reviews = SittingReview.objects.filter(sitting=OuterRef("pk")).order_by("-number")
    return sittings.annotate(
        pay=F("votes") * F("reward"),
        decision=Subquery(reviews.values("decision")[:1]),
        pay_state=Case(
            When(state=SittingState.OPEN, then=Value(PayState.UNDER_WAY)),
            When(votes=0, then=Value(PayState.NOTHING)),
            When(reward=0, then=Value(PayState.NOTHING)),
            When(decision=None, then=Value(PayState.WAITING)),
            When(decision=Decision.REJECTED, then=Value(PayState.REJECTED)),
            When(is_paid(), then=Value(PayState.PAID)),
            default=Value(PayState.APPROVED),
        ),
    )


def is_paid() -> Q:
    """Return the condition that a payout or a platform has paid a sitting's votes."""
    of_votes = {"entry__sitting": OuterRef("pk"), "entry__kind__in": EARNINGS}
    lines = PayoutLine.objects.filter(**of_votes)
    errands = Errand.objects.filter(state=ErrandState.DONE, **of_votes)
    return Q(Exists(lines)) | Q(Exists(errands))


def in_pay_state(sittings: QuerySet[Any], state: str) -> QuerySet[Any]:
    """Return those of some sittings that stand somewhere on their way to the person's money.

    The same as filtering by `pay_state`, in conditions that the database finds rows by: to look at
    what waits costs nothing for what was decided before.
    """
    reviews = SittingReview.objects.filter(sitting=OuterRef("pk"))
    is_decided = Exists(reviews)
    stands_rejected = Exists(reviews.filter(decision=Decision.REJECTED)) & ~Exists(
        reviews.filter(decision=Decision.REINSTATED)
    )
    if state == PayState.UNDER_WAY:
        return sittings.filter(state=SittingState.OPEN)
    ended = sittings.exclude(state=SittingState.OPEN)
    if state == PayState.NOTHING:
        return ended.filter(Q(votes=0) | Q(reward=0))
    ended = ended.filter(votes__gt=0, reward__gt=0)
    if state == PayState.WAITING:
        return ended.filter(~is_decided)
    if state == PayState.REJECTED:
        return ended.filter(stands_rejected)
    paid_or_not = is_paid() if state == PayState.PAID else ~is_paid()
    return ended.filter(is_decided, ~stands_rejected, paid_or_not)


def sittings_of(study: Study) -> QuerySet[Any]:
    """Return a study's sittings, newest first, with all that a row shows of them."""
    reviews = SittingReview.objects.select_related("created_by", "errand").prefetch_related(
        Prefetch("dispute", Dispute.objects.select_related("answered_by"))
    )
    return (
        with_pay_state(Sitting.objects.filter(member__study=study))
        .select_related("member")
        .prefetch_related(Prefetch("reviews", reviews))
        .order_by("-pk")
    )


def sitting_votes(sittings: Collection[int] | QuerySet[Sitting]) -> QuerySet[Any]:
    """Return the current votes that were given in sittings, each with its sitting."""
    return (
        Vote.objects.filter(
            task__assignments__member=F("member"), task__assignments__sitting__in=sittings
        )
        .current()
        .annotate(sitting_id=F("task__assignments__sitting"))
    )


def time_in_words(seconds: float) -> str:
    """Return a length of time as somebody would say it."""
    hours, rest = divmod(round(seconds), 3600)
    minutes, left = divmod(rest, 60)
    words = {"hours": hours, "minutes": minutes, "seconds": left}
    if hours:
        return _("%(hours)s h %(minutes)s min") % words
    if minutes:
        return _("%(minutes)s min %(seconds)s s") % words
    return _("%(seconds)s s") % words


@dataclass(frozen=True)
class SittingPay:
    """A sitting with what it earns, and what was said about it."""

    sitting: Any
    approve_after_days: int | None

    @property
    def seconds(self) -> float:
        """Return the active seconds of its votes."""
        return float(self.sitting.active_seconds)

    @property
    def amount(self) -> Decimal:
        """Return what its votes earn."""
        return earned(self.sitting.votes, self.sitting.reward)

    @property
    def hourly(self) -> Decimal | None:
        """Return what that is by the hour."""
        return hourly_rate(self.amount, self.seconds)

    @property
    def time(self) -> str:
        """Return the active time in words."""
        return time_in_words(self.seconds)

    @property
    def word(self) -> str:
        """Return where it stands, in words."""
        return str(PayState(self.sitting.pay_state).label)

    @property
    def review(self) -> SittingReview | None:
        """Return the first decision on it: approved or rejected."""
        return next((one for one in self.sitting.reviews.all() if one.number == 1), None)

    @property
    def reinstatement(self) -> SittingReview | None:
        """Return the decision that took a rejection back."""
        return next((one for one in self.sitting.reviews.all() if one.number != 1), None)

    @property
    def dispute(self) -> Dispute | None:
        """Return what the person said against its rejection."""
        return getattr(self.review, "dispute", None)

    @property
    def approved_by_itself_at(self) -> datetime | None:
        """Return when it is approved if nobody decides before."""
        if self.sitting.pay_state != PayState.WAITING or self.approve_after_days is None:
            return None
        ended_at: datetime = self.sitting.ended_at
        return ended_at + timedelta(days=self.approve_after_days)


def sitting_rows(study: Study, sittings: Collection[Any]) -> list[SittingPay]:
    """Return sittings of `sittings_of` as rows."""
    rules = rules_of(study)
    days = rules.approve_after_days if rules.approval == PayApproval.AUTOMATIC else None
    return [SittingPay(one, days) for one in sittings]


def open_disputes(study: Study) -> QuerySet[Dispute]:
    """Return the disputes of a study that wait for an answer, the oldest first."""
    return disputes_of(study).filter(answered_at=None)


def disputes_of(study: Study) -> QuerySet[Dispute]:
    """Return the disputes of a study with their sittings, the oldest first."""
    return Dispute.objects.filter(review__sitting__member__study=study).select_related(
        "review__sitting__member", "answered_by"
    )


def own_sitting(member: Member, sitting_id: int) -> SittingPay | None:
    """Return one of a person's own sittings."""
    found = sittings_of(member.study).filter(member=member, pk=sitting_id).first()
    return sitting_rows(member.study, [found])[0] if found else None
