"""Charts as plain data in, SVG and PNG out. Knows Altair, vl-convert and numpy, never Django.

Words are the caller's: they come in translated. Altair and vl-convert are heavy, so they are
imported where something is drawn, which only jobs do.
"""

from annotation.charts.bins import Bins, bins
from annotation.charts.drawing import MOST_SERIES, Bar, Drawing, Interval, Panel, Series
from annotation.charts.palette import PALETTE
from annotation.charts.pictures import bars, histograms, intervals, lines
from annotation.charts.rendering import Rendered, rendered

__all__ = [
    "MOST_SERIES",
    "PALETTE",
    "Bar",
    "Bins",
    "Drawing",
    "Interval",
    "Panel",
    "Rendered",
    "Series",
    "bars",
    "bins",
    "histograms",
    "intervals",
    "lines",
    "rendered",
]
