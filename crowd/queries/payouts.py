"""What can be paid, and what payouts hold."""

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Max, Q, QuerySet, Sum

from annotation.models import Member, Study
from crowd.models import ErrandState, LedgerEntry, Payout
from crowd.queries.payees import Payee, payees


@dataclass(frozen=True)
class Payable:
    """What one person is to be paid: the sum of some entries."""

    member_id: int
    amount: Decimal
    entries: int


def unpaid_entries(study: Study, currency: str) -> QuerySet[LedgerEntry]:
    """Return the entries that no payout holds and that no platform is to pay."""
    is_ours = Q(errand=None) | Q(errand__state=ErrandState.SET_ASIDE)
    entries = LedgerEntry.objects.filter(is_ours, study=study, currency=currency, line=None)
    return entries.order_by("pk")


def newest_unpaid(study: Study, currency: str) -> int:
    """Return the newest entry that a payout can hold; 0 for none.

    A preview goes so far, corrections of people who get nothing included.
    """
    newest: int | None = unpaid_entries(study, currency).aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def payable(
    study: Study,
    currency: str,
    *,
    last_entry: int,
    people: Collection[int] | None = None,
) -> list[Payable]:
    """Return what each person is to be paid, of some people or of all.

    Whose entries sum to nothing or less is left out: what was taken away waits for what they earn.
    """
    entries = unpaid_entries(study, currency).filter(pk__lte=last_entry)
    if people is not None:
        entries = entries.filter(member__in=people)
    sums = (
        entries.order_by("member")
        .values("member")
        .annotate(total=Sum("amount"), number=Count("pk"))
        .filter(total__gt=0)
    )
    return [Payable(row["member"], row["total"], row["number"]) for row in sums]


@dataclass(frozen=True)
class PaidPerson:
    """What a payout holds for one person."""

    member: Member
    payee: Payee
    amount: Decimal
    entries: int


def paid_people(payout: Payout) -> list[PaidPerson]:
    """Return what each person gets of a payout."""
    sums = (
        LedgerEntry.objects.filter(line__payout=payout)
        .order_by("member__pseudonym")
        .values("member")
        .annotate(total=Sum("amount"), number=Count("pk"))
    )
    rows = list(sums)
    members = Member.objects.select_related("user").in_bulk([row["member"] for row in rows])
    names = payees(payout.study, members.values())
    return [
        PaidPerson(
            member=members[row["member"]],
            payee=names[row["member"]],
            amount=row["total"],
            entries=row["number"],
        )
        for row in rows
    ]


def payouts_of(study: Study) -> QuerySet[Payout]:
    """Return a study's payouts, newest first, with how many people and entries each holds."""
    return (
        Payout.objects.filter(study=study)
        .select_related("created_by")
        .annotate(
            entries=Count("lines", distinct=True),
            people=Count("lines__entry__member", distinct=True),
        )
        .order_by("-number")
    )
