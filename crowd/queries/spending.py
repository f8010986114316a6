"""What a study's crowd cost: by week, in all, and for each vote and post that came of it."""

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from django.db.models import Count, Sum
from django.db.models.functions import TruncWeek

from annotation.models import Origin, StageCode, Study, Vote
from crowd.models import LedgerEntry
from crowd.queries.earnings import Earnings, currencies_of, people_pay, total_of


@dataclass(frozen=True)
class WeekPay:
    """What was entered into the ledger in one week (it begins on a Monday, UTC)."""

    begins: datetime
    currency: str
    amount: Decimal


@dataclass(frozen=True)
class Spending:
    """What was earned in one currency, and the crowd's counted votes and their posts here.

    A vote and a post are told what they cost only where everything was paid in one currency.
    """

    currency: str
    earnings: Earnings
    votes: int
    posts: int
    is_only: bool

    @property
    def per_vote(self) -> Decimal | None:
        """Return what the ledger has for each counted vote; None where that cannot be told."""
        return self._by(self.votes)

    @property
    def per_post(self) -> Decimal | None:
        """Return what the ledger has for each post with a counted vote."""
        return self._by(self.posts)

    def _by(self, number: int) -> Decimal | None:
        return self.earnings.entered / number if number and self.is_only else None


def pay_by_week(study: Study) -> list[WeekPay]:
    """Return what was entered into a study's ledger, by week and currency."""
    entries = LedgerEntry.objects.filter(study=study).order_by()
    weeks = entries.annotate(week=TruncWeek("created_at", tzinfo=UTC)).values("week", "currency")
    found = weeks.annotate(amount=Sum("amount")).order_by("week", "currency")
    return [WeekPay(row["week"], row["currency"], row["amount"]) for row in found]


def spending(study: Study) -> list[Spending]:
    """Return what the crowd earned, for each currency in which anybody earned something."""
    people = study.members.all()
    earned = {
        currency: total_of(people_pay(people, currency))
        for currency in currencies_of(people, study.protocol.currency)
    }
    earned = {currency: total for currency, total in earned.items() if total.in_all or total.votes}
    here = Vote.objects.filter(
        task__batch__study=study, task__stage=StageCode.CROWD, task__origin=Origin.HERE
    ).counting()
    numbers = here.aggregate(votes=Count("pk"), posts=Count("task__post", distinct=True))
    return [
        Spending(currency, total, numbers["votes"], numbers["posts"], len(earned) == 1)
        for currency, total in earned.items()
    ]
