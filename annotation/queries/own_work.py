"""What somebody did at each stage, and what its votes are worth, for themselves.

Each query costs the same on a person's first and last post.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from django.db.models import F, Sum

from annotation.models import Member, Sitting, SittingState, Standing, StandingState


@dataclass
class OwnWork:
    """One person at one stage: posts voted on in all, the sitting they are in, votes × reward."""

    votes: int = 0
    state: str = StandingState.ACTIVE
    sitting: Sitting | None = None
    earned: list[tuple[Decimal, str]] = field(default_factory=list)


def own_work(members: Iterable[Member]) -> dict[tuple[int, str], OwnWork]:
    """Return what these members did, by (member's id, stage); who did nothing is left out."""
    ids = [member.pk for member in members]
    found: dict[tuple[int, str], OwnWork] = {}
    for standing in Standing.objects.filter(member__in=ids):
        mine = found.setdefault((standing.member_id, standing.stage), OwnWork())
        mine.votes, mine.state = standing.votes, standing.state
    for sitting in Sitting.objects.filter(member__in=ids, state=SittingState.OPEN):
        found.setdefault((sitting.member_id, sitting.stage), OwnWork()).sitting = sitting
    for member, stage, currency, earned in earned_in_sittings(ids):
        if earned:
            mine = found.setdefault((member, stage), OwnWork())
            mine.earned.append((earned, currency))
    return found


def earned_in_sittings(members: Iterable[int]) -> Iterable[tuple[int, str, str, Decimal]]:
    """Return what sittings earned, by member, stage and currency: votes times reward."""
    sittings = Sitting.objects.filter(member__in=members).order_by()
    by_currency = sittings.values_list("member", "stage", "currency")
    return by_currency.annotate(earned=Sum(F("votes") * F("reward")))
