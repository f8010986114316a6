"""Scores labels against a truth; an undefined score is None, never 0 or NaN."""

from annotation.scoring.f1 import Confusion, Scores, bin_f1, confusion_of, f1, ma_f1, mi_f1, scores
from annotation.scoring.spread import Spread, spread

__all__ = [
    "Confusion",
    "Scores",
    "Spread",
    "bin_f1",
    "confusion_of",
    "f1",
    "ma_f1",
    "mi_f1",
    "scores",
    "spread",
]
