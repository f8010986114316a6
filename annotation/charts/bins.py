"""Puts an axis into bins, so that a picture of a million values holds a few dozen numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

COUNT = 40
DECADES = 5
ROUNDING = 1e-12
"""What is not above this is as good as 0."""


@dataclass(frozen=True, slots=True)
class Bins:
    """Neighbouring bins by their edges, ascending; with a logarithmic axis or a plain one.

    What is below the first edge belongs to the first bin, what is above the last to the last.
    """

    edges: tuple[float, ...]
    is_log: bool

    @property
    def count(self) -> int:
        """The number of bins."""
        return len(self.edges) - 1

    @property
    def inner(self) -> list[float]:
        """The edges between two bins; a value's bin is the number of those not above it."""
        return list(self.edges[1:-1])

    @property
    def decades(self) -> list[float]:
        """The powers of ten on a logarithmic axis; none where it has fewer than two."""
        if not self.is_log:
            return []
        first, last = (math.log10(edge) for edge in (self.edges[0], self.edges[-1]))
        powers = [10.0**power for power in range(math.ceil(first), math.floor(last) + 1)]
        return powers if len(powers) > 1 else []

    def clamped(self, value: float) -> float:
        """Return the value, or the end of the axis that is nearest to it."""
        return min(max(value, self.edges[0]), self.edges[-1])


def bins(low: float, high: float, *, is_log: bool = False, count: int = COUNT) -> Bins:
    """Return bins from the least to the greatest value.

    On a logarithmic axis they begin at most five decades below the greatest value. There is no
    such axis for values that are all 0 or less, but for rounding; they get a plain one.
    """
    if is_log and high > ROUNDING:
        least = max(low, high / 10**DECADES)
        if least == high:
            least, high = high / 2, high * 2
        edges = np.geomspace(least, high, count + 1)
        return Bins(tuple(edges.tolist()), is_log=True)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return Bins(tuple(np.linspace(low, high, count + 1).tolist()), is_log=False)
