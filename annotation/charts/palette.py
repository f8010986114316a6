"""The colours of all charts: one value for each role, different from every other one.

A picture carries these, which are for light paper. On a page, `static/css/chart.css` finds each of
them again by its value and gives it the token of the theme, so one picture serves light and dark.
The series differ in hue for people who see all colours, in blue against yellow for those who do
not, and in lightness for a grey print.
"""

PAPER = "#ffffff"
INK = "#1b1c20"
SOFT = "#58554e"
LINE = "#e0dcd2"
SERIES = ("#23488c", "#c25a00", "#1a8f80", "#a83d8f", "#6f6f6f")
FAINT = "#7b91bd"
"""The first series, where it is what was before."""

HEAT = ("#eef2fa", "#d3def1", "#b3c6e7", "#95aedb", "#7a98cf")
"""The steps of a heat table, the least first. Ink can be read on each, in both themes."""

PALETTE = {
    "paper": PAPER,
    "ink": INK,
    "soft": SOFT,
    "line": LINE,
    "faint": FAINT,
    **{f"series-{number}": colour for number, colour in enumerate(SERIES, start=1)},
    **{f"heat-{number}": colour for number, colour in enumerate(HEAT, start=1)},
}
SHAPES = ("circle", "square", "triangle-up", "diamond")
"""Fewer than the series by one, so that 20 lines differ in colour or in shape."""
