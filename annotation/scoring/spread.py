"""How a score lies among people: mean and sample standard deviation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spread:
    """The mean of `number` values and their sample standard deviation (n − 1 below the line).

    The mean is None where there is no value, the deviation where there are fewer than two.
    """

    mean: float | None
    deviation: float | None
    number: int


def spread(values: Iterable[float | None]) -> Spread:
    """Mean and deviation of the values that are defined."""
    found = [value for value in values if value is not None]
    if not found:
        return Spread(None, None, 0)
    mean = math.fsum(found) / len(found)
    if len(found) == 1:
        return Spread(mean, None, 1)
    squares = math.fsum((value - mean) ** 2 for value in found)
    return Spread(mean, math.sqrt(squares / (len(found) - 1)), len(found))
