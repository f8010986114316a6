"""What a release's rows add up to. Knows neither Django nor any library."""

from releases.algorithms.row_counts import PostSeen, RowCounts
from releases.algorithms.statistics import SIDES, statistics

__all__ = ["SIDES", "PostSeen", "RowCounts", "statistics"]
