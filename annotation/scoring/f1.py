"""The three F1 scores of the MisLC paper (section 4, Table 3), from counts of y.

y is 2 for MisLC, 1 for Unclear, 0 for Non-MisLC. With TP, FP and FN of a set of positive labels,

    F1 = 2 TP / (2 TP + FP + FN)

A post whose true and given label are both positive is a true positive, also where the two differ:
that is what merging labels into one class means. An F1 is undefined (None) where no post has a
positive label, neither truly nor as given; a mean of F1s is undefined where one of them is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

MISLC, UNCLEAR, NON_MISLC = 2, 1, 0
LABELS = frozenset({MISLC, UNCLEAR, NON_MISLC})

Confusion = Mapping[tuple[int, int], int]
"""(the true y, the y given) → number of posts."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The three scores over `posts` posts, each None where it is undefined."""

    bin_f1: float | None
    ma_f1: float | None
    mi_f1: float | None
    posts: int


def confusion_of(pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Count pairs of (the true y, the y given)."""
    return dict(Counter(pairs))


def f1(confusion: Confusion, positive: Collection[int]) -> float | None:
    """F1 with these labels merged into the positive class. Raises ValueError for a y unknown."""
    if unknown := {y for pair in confusion for y in pair} - LABELS:
        raise ValueError(f"y is 0, 1 or 2, not {', '.join(map(str, sorted(unknown)))}.")
    hits = misses = 0
    for (truth, given), posts in confusion.items():
        found = (truth in positive) + (given in positive)
        hits += posts * (found == 2)
        misses += posts * (found == 1)
    return 2 * hits / (2 * hits + misses) if hits or misses else None


def bin_f1(confusion: Confusion) -> float | None:
    """Bin-F1: F1 of MisLC alone."""
    return f1(confusion, {MISLC})


def ma_f1(confusion: Confusion) -> float | None:
    """Ma-F1: the mean of the F1 of MisLC and the F1 of Unclear, each counting the same."""
    both = [f1(confusion, {label}) for label in (MISLC, UNCLEAR)]
    defined = [one for one in both if one is not None]
    return sum(defined) / 2 if len(defined) == 2 else None


def mi_f1(confusion: Confusion) -> float | None:
    """Mi-F1 as the paper computed it: F1 with MisLC and Unclear merged into one class.

    Not scikit-learn's micro-F1, which counts a MisLC called Unclear as wrong.
    """
    return f1(confusion, {MISLC, UNCLEAR})


def scores(confusion: Confusion) -> Scores:
    """All three scores."""
    return Scores(
        bin_f1=bin_f1(confusion),
        ma_f1=ma_f1(confusion),
        mi_f1=mi_f1(confusion),
        posts=sum(confusion.values()),
    )
