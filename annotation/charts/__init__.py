"""Charts as plain data in, SVG and PNG out. Knows Altair, vl-convert and numpy, never Django.

Words are the caller's: they come in translated. Altair and vl-convert are heavy, so they are
imported where something is drawn, which only jobs do.
"""

from annotation.charts.bins import Bins, bins
from annotation.charts.distributions import heat_table, stacks
from annotation.charts.drawing import (
    MOST_SERIES,
    Bar,
    Course,
    Drawing,
    HeatTable,
    Interval,
    Panel,
    Series,
    Stack,
)
from annotation.charts.palette import PALETTE, SERIES
from annotation.charts.pictures import bars, histograms, intervals, lines
from annotation.charts.rendering import Rendered, rendered
from annotation.charts.weeks import over_weeks

__all__ = [
    "MOST_SERIES",
    "PALETTE",
    "SERIES",
    "Bar",
    "Bins",
    "Course",
    "Drawing",
    "HeatTable",
    "Interval",
    "Panel",
    "Rendered",
    "Series",
    "Stack",
    "bars",
    "bins",
    "heat_table",
    "histograms",
    "intervals",
    "lines",
    "over_weeks",
    "rendered",
    "stacks",
]
