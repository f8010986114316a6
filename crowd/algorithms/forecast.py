"""What a batch costs, and when it ends at the pace of its last votes. Knows no Django.

Nothing is guessed: too few votes, or none for a day, give no pace and no end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

FEWEST_VOTES = 5
SILENCE = timedelta(days=1)
FARTHEST = timedelta(days=3650)


@dataclass(frozen=True)
class Cost:
    """From the votes that are wanted in any case to those that ties may add."""

    least: Decimal
    most: Decimal


def cost_of(*, posts: int, votes: int, tie_votes: int, reward: Decimal, given: int = 0) -> Cost:
    """Return what a batch costs: `votes` for each post, and up to `tie_votes` more where they tie.

    More votes than wanted may have been given already: those that came late are paid, too.
    """
    least, most = votes * posts, (votes + tie_votes) * posts
    return Cost(least=reward * max(least, given), most=reward * max(most, given))


def votes_per_hour(times: Sequence[datetime], now: datetime) -> float | None:
    """Return the pace of the last votes up to now, so that a pause since the last one slows it.

    None for fewer than five votes, or when nobody has voted for a day.
    """
    if len(times) < FEWEST_VOTES or now - max(times) > SILENCE:
        return None
    hours = (now - min(times)).total_seconds() / 3600
    return len(times) / hours if hours > 0 else None


def end_of(*, left: int, pace: float | None, now: datetime) -> datetime | None:
    """Return when the votes that are left are given at a pace; None where nobody can say."""
    if pace is None or left <= 0:
        return None
    hours = left / pace
    return now + timedelta(hours=hours) if hours <= FARTHEST.total_seconds() / 3600 else None
