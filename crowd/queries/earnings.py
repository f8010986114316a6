"""What people earned in one currency: each person, and the study in all."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from annotation.models import BatchState, Member, Origin, Place, Sitting, StageCode, Study
from annotation.registry import Earned
from crowd.algorithms.pay import earned, hourly_rate
from crowd.models import EARNINGS, ErrandState, LedgerEntry, PayState
from crowd.queries.pay import (
    SittingPay,
    sitting_rows,
    sittings_of,
    time_in_words,
    with_pay_state,
)
from crowd.queries.recruitment import Completion, completions_of

NOTHING = Decimal("0.00")
# An entry is paid by a payout, or by the platform that its person came from.
IS_PAID = Q(line__isnull=False) | Q(errand__state=ErrandState.DONE)


@dataclass
class Earnings:
    """Sums: `entered` and `paid` of ledger entries, the others of sittings without an entry.

    `seconds` are those of all current votes in sittings, rejected ones too.
    """

    sittings: int = 0
    votes: int = 0
    seconds: float = 0.0
    entered: Decimal = NOTHING
    paid: Decimal = NOTHING
    waiting: Decimal = NOTHING
    under_way: Decimal = NOTHING
    rejected: Decimal = NOTHING

    @property
    def to_pay(self) -> Decimal:
        """Return what is approved and in no payout."""
        return self.entered - self.paid

    @property
    def in_all(self) -> Decimal:
        """Return what the work comes to if all that is not decided on is approved."""
        return self.entered + self.waiting + self.under_way

    @property
    def hourly(self) -> Decimal | None:
        """Return what that is by the hour of active time; None where no time is known."""
        return hourly_rate(self.in_all, self.seconds)

    @property
    def time(self) -> str:
        """Return the active time in words."""
        return time_in_words(self.seconds)

    def is_under(self, floor: Decimal | None) -> bool:
        """Say whether the hourly rate is known, and too low."""
        return floor is not None and self.hourly is not None and self.hourly < floor


@dataclass
class PersonPay(Earnings):
    """One person's earnings."""

    member: Member = field(default_factory=Member)


Key = tuple[int, str]
Sums = dict[str, Any]


def people_pay(people: QuerySet[Member], currency: str) -> list[PersonPay]:
    """Return those of some people who have a vote in a sitting or an entry in the ledger."""
    found = pay_of({"member__in": people, "currency": currency})
    members = Member.objects.in_bulk([member_id for member_id, _currency in found])
    for (member_id, _currency), mine in found.items():
        mine.member = members[member_id]
    return list(found.values())


def pay_of(which: dict[str, Any]) -> dict[Key, PersonPay]:
    """Return earnings by person and currency: one pass over sittings, one over the ledger."""
    found: dict[Key, PersonPay] = {}
    for key, sums in (*of_sittings(which), *of_entries(which)):
        mine = found.setdefault(key, PersonPay())
        for name, value in sums.items():
            setattr(mine, name, getattr(mine, name) + value)
    return found


def earned_by(members: Iterable[Member]) -> dict[int, list[Earned]]:
    """Return what the work of some members comes to, by member, one for each currency."""
    found: dict[int, list[Earned]] = {}
    pay = pay_of({"member__in": [member.pk for member in members]})
    for (member_id, currency), mine in sorted(pay.items()):
        pending = mine.waiting + mine.under_way
        if mine.entered or pending or mine.rejected:
            earned_here = Earned(currency, pending, mine.entered, mine.rejected)
            found.setdefault(member_id, []).append(earned_here)
    return found


def person_pay(member: Member, currency: str) -> PersonPay:
    """Return one person's earnings."""
    found = people_pay(Member.objects.filter(pk=member.pk), currency)
    return found[0] if found else PersonPay(member=member)


def of_sittings(which: dict[str, Any]) -> Iterator[tuple[Key, Sums]]:
    """Return for each person and state of pay their sittings, votes and what these come to."""
    grouped = (
        with_pay_state(Sitting.objects.filter(votes__gt=0, **which))
        .order_by()
        .values("member", "currency", "pay_state", "reward")
        .annotate(number=Count("pk"), votes_given=Sum("votes"), spent=Sum("active_seconds"))
    )
    for row in grouped:
        yield (row["member"], row["currency"]), sums_of_row(row)


def sums_of_row(row: dict[str, Any]) -> Sums:
    """Return what sittings of one state of pay add to a person's earnings."""
    sums = {"sittings": row["number"], "votes": row["votes_given"], "seconds": row["spent"]}
    if row["pay_state"] in (PayState.WAITING, PayState.UNDER_WAY, PayState.REJECTED):
        sums[row["pay_state"]] = earned(row["votes_given"], row["reward"])
    return sums


def of_entries(which: dict[str, Any]) -> Iterator[tuple[Key, Sums]]:
    """Return for each person the sum of their entries, and of those that are paid."""
    grouped = (
        LedgerEntry.objects.filter(**which)
        .order_by()
        .values("member", "currency")
        .annotate(
            entered=Sum("amount"),
            paid=Sum("amount", filter=IS_PAID, default=NOTHING),
        )
    )
    for row in grouped:
        sums = {"entered": row["entered"], "paid": row["paid"]}
        yield (row["member"], row["currency"]), sums


def total_of(people: list[PersonPay]) -> Earnings:
    """Return the sums over people."""
    total = Earnings()
    for mine in people:
        for name in Earnings.__dataclass_fields__:
            setattr(total, name, getattr(total, name) + getattr(mine, name))
    return total


def currencies_of(people: QuerySet[Member], today: str) -> list[str]:
    """Return the currencies in which people earned something, today's first."""
    sittings = Sitting.objects.filter(member__in=people, votes__gt=0).order_by()
    entries = LedgerEntry.objects.filter(member__in=people).order_by()
    known = {
        *sittings.values_list("currency", flat=True).distinct(),
        *entries.values_list("currency", flat=True).distinct(),
    }
    return [today, *sorted(known - {today})]


@dataclass(frozen=True)
class Forecast:
    """What open places still cost at today's reward: in batches that run, and in drafts."""

    running: int
    drafts: int
    reward: Decimal

    @property
    def running_cost(self) -> Decimal:
        """Return what the votes still wanted by open and paused batches cost."""
        return earned(self.running, self.reward)

    @property
    def draft_cost(self) -> Decimal:
        """Return what the votes of drafts would cost."""
        return earned(self.drafts, self.reward)


def forecast(study: Study) -> Forecast:
    """Return what is still to be spent on the crowd's places; votes for ties may be added."""
    places = Place.objects.unfilled().filter(
        batch__study=study, batch__stage=StageCode.CROWD, batch__origin=Origin.HERE
    )
    counts = places.aggregate(
        running=Count("pk", filter=Q(batch__state__in=[BatchState.OPEN, BatchState.PAUSED])),
        drafts=Count("pk", filter=Q(batch__state=BatchState.DRAFT)),
    )
    return Forecast(**counts, reward=study.protocol.reward)


def entries_of(member: Member) -> QuerySet[LedgerEntry]:
    """Return a person's entries, newest first, each with its payout or errand."""
    related = ("line__payout", "errand", "created_by")
    return LedgerEntry.objects.filter(member=member).select_related(*related)


@dataclass(frozen=True)
class OwnSitting(SittingPay):
    """A sitting as its own person sees it: with what it ended with."""

    completion: Completion | None


def own_sittings(member: Member) -> QuerySet[Any]:
    """Return a person's sittings, newest first, with all that a row shows of them."""
    return sittings_of(member.study).filter(member=member)


def own_rows(member: Member, sittings: Collection[Any]) -> list[OwnSitting]:
    """Return sittings of `own_sittings` as rows."""
    completions = completions_of(member, sittings)
    return [
        OwnSitting(row.sitting, row.approve_after_days, completions[row.sitting.pk])
        for row in sitting_rows(member.study, sittings)
    ]


def own_extras(member: Member) -> QuerySet[LedgerEntry]:
    """Return a person's bonuses and corrections: what is no sitting's pay, newest first."""
    return entries_of(member).exclude(kind__in=EARNINGS)


def own_sums(member: Member) -> list[tuple[str, PersonPay]]:
    """Return what somebody earned in each currency, that of today first."""
    known = currencies_of(Member.objects.filter(pk=member.pk), member.study.protocol.currency)
    return [(currency, person_pay(member, currency)) for currency in known]
