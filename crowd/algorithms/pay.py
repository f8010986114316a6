"""Money in exact decimals: what votes earn, and what that is by the hour.

Rounded to the cent, half to even, where an entry is written and nowhere before; sums of entries
need no rounding.
"""

from decimal import ROUND_HALF_EVEN, Decimal

CENT = Decimal("0.01")
SECONDS_IN_HOUR = 3600


def to_cents(amount: Decimal) -> Decimal:
    """Return an amount rounded to the cent, half to even."""
    return amount.quantize(CENT, rounding=ROUND_HALF_EVEN)


def earned(votes: int, reward: Decimal) -> Decimal:
    """Return what a number of votes earns at a reward for each."""
    return to_cents(votes * reward)


def hourly_rate(amount: Decimal, seconds: float) -> Decimal | None:
    """Return what an amount is by the hour; None where no time is known."""
    if seconds <= 0:
        return None
    return to_cents(amount * SECONDS_IN_HOUR / Decimal(str(seconds)))
