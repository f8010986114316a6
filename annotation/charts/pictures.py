"""The few kinds of pictures that the house has, as charts of Altair.

They are narrow, so that a telephone shows them as they are and a desktop shows them side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.charts.bins import Bins
from annotation.charts.drawing import Bar, Interval, Panel, Series
from annotation.charts.palette import FAINT, INK, PAPER, SERIES, SHAPES

WIDTH = 270
PANEL_HEIGHT = 56
LINES_HEIGHT = 170
INTERVAL_HEIGHT = 24
BAR_STEP = 20
DASHES = [4, 3]
WHOLE = "datum.value % 1 ? '' : datum.label"
"""Counts have no halves, though an axis of few of them would be divided so."""


def histograms(
    panels: Sequence[Panel], at: Bins, *, x: str, y: str, kinds: tuple[str, str], rule: str
) -> Any:
    """Draw histograms one below the other on one axis, each with its threshold as a dashed rule.

    `x` and `y` are the axes' titles, `kinds` the names of what lies below and above in each bin,
    `rule` says what the rule is.
    """
    import altair as alt

    scale = alt.Scale(
        type="log" if at.is_log else "linear", domain=[at.edges[0], at.edges[-1]], nice=False
    )
    ticks = {"values": at.decades} if at.decades else {"tickCount": 5}
    across = alt.Axis(format="~g", grid=False, **ticks)
    upwards = alt.Axis(tickCount=3, format="~s", labelExpr=WHOLE)
    base = alt.Chart()
    steps = base.transform_filter("isValid(datum.high)").mark_area(interpolate="step-after")
    filled = steps.encode(
        x=alt.X("from:Q", scale=scale, title=x, axis=across),
        y=alt.Y("low:Q", title=y, axis=upwards),
        y2="high:Q",
        color=colours(kinds),
    )
    marked = base.transform_filter("isValid(datum.mark)").encode(x=alt.X("mark:Q", scale=scale))
    halo = marked.mark_rule(color=PAPER, strokeWidth=3)
    return (
        alt.layer(filled, halo, marked.mark_rule(color=INK, strokeDash=DASHES))
        .properties(width=WIDTH, height=PANEL_HEIGHT)
        .facet(
            data=alt.Data(values=_panel_rows(panels, at, kinds)),
            row=_heading("panel", [panel.title for panel in panels]),
            spacing=6,
            title=alt.TitleParams(rule),
        )
        .resolve_scale(y="independent")
    )


def _panel_rows(
    panels: Sequence[Panel], at: Bins, kinds: tuple[str, str]
) -> list[dict[str, object]]:
    """Return each bin by where it begins; the last one's height again where it ends."""
    rows: list[dict[str, object]] = []
    places = [*range(len(at.edges) - 1), -1]
    for panel in panels:
        rows.append({"panel": panel.title, "mark": at.clamped(panel.threshold)})
        for start, place in zip(at.edges, places, strict=True):
            below = panel.lower[place]
            top = below + panel.upper[place]
            for kind, low, high in ((kinds[0], 0, below), (kinds[1], below, top)):
                step = {"from": start, "kind": kind, "low": low, "high": high}
                rows.append({"panel": panel.title, **step})
    return rows


def lines(
    series: Sequence[Series], *, x: str, y: str, level: float | None = None, rule: str = ""
) -> Any:
    """Draw lines over the whole numbers from 0.

    `level` is marked across by a dashed rule; `rule` says what it is.
    """
    import altair as alt

    names = [one.name for one in series]
    rows = [
        {"series": one.name, "at": at, "value": value}
        for one in series
        for at, value in enumerate(one.values)
    ]
    last = max(1, *(len(one.values) - 1 for one in series))
    ticks = alt.Axis(format="d", tickCount=min(last, 8), grid=False, labelExpr=WHOLE)
    shapes = [SHAPES[place % len(SHAPES)] for place in range(len(names))]
    drawn = (
        alt.Chart(alt.Data(values=rows))
        .mark_line(point={"size": 40, "filled": True, "opacity": 1}, strokeWidth=1.75)
        .encode(
            x=alt.X("at:Q", title=x, axis=ticks, scale=alt.Scale(domain=[0, last], nice=False)),
            y=alt.Y("value:Q", title=y, axis=alt.Axis(tickCount=5, labelExpr=WHOLE)),
            color=colours(names, "series"),
            shape=alt.Shape("series:N", scale=alt.Scale(domain=names, range=shapes), title=None),
        )
    )
    if level is None:
        return drawn.properties(width=WIDTH, height=LINES_HEIGHT)
    across = alt.Chart(alt.Data(values=[{"value": level}])).encode(y="value:Q")
    return alt.layer(across.mark_rule(color=INK, strokeDash=DASHES), drawn).properties(
        width=WIDTH, height=LINES_HEIGHT, title=alt.TitleParams(rule)
    )


def bars(found: Sequence[Bar], *, x: str, kinds: Sequence[str], most: float | None = None) -> Any:
    """Draw bars with their values in groups with headings; `most` is where the axis ends."""
    import altair as alt

    rows = [
        {"group": bar.group, "name": bar.name, "value": bar.value, "shown": bar.shown}
        for bar in found
    ]
    groups = list(dict.fromkeys(bar.group for bar in found))
    end = alt.Undefined if most is None else [0, most]
    base = alt.Chart().encode(
        x=alt.X(
            "value:Q",
            title=x,
            axis=alt.Axis(tickCount=4, format=",d", labelExpr=WHOLE),
            scale=alt.Scale(domain=end),
        ),
        y=alt.Y("name:N", sort=list(kinds), title=None, axis=alt.Axis(ticks=False, domain=False)),
    )
    colour = alt.Color(
        "name:N",
        legend=None,
        scale=alt.Scale(domain=list(kinds), range=_barcolours(found, kinds)),
    )
    written = base.mark_text(align="left", dx=4).encode(text="shown:N")
    return (
        alt.layer(base.mark_bar().encode(color=colour), written)
        .properties(width=WIDTH - 70, height=alt.Step(BAR_STEP))
        .facet(data=alt.Data(values=rows), row=_heading("group", groups), spacing=4)
        .resolve_scale(y="independent")
    )


def _barcolours(found: Sequence[Bar], kinds: Sequence[str]) -> list[str]:
    faint = {bar.name for bar in found if bar.is_faint}
    return [FAINT if kind in faint else SERIES[0] for kind in kinds]


def intervals(
    found: Sequence[Interval], *, x: str, marks: Sequence[float] = (), rule: str = ""
) -> Any:
    """Draw values as points with their intervals, one below the other.

    0 and the `marks` are dashed rules; `rule` says what the marks are.
    """
    import altair as alt

    rows = [
        {
            "name": one.name,
            "value": one.value,
            "low": one.interval[0] if one.interval else one.value,
            "high": one.interval[1] if one.interval else one.value,
            "shown": one.shown,
        }
        for one in found
    ]
    names = [one.name for one in found]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("name:N", sort=names, title=None, axis=alt.Axis(ticks=False, domain=False))
    )
    across = alt.X("low:Q", title=x, scale=alt.Scale(zero=True, padding=14))
    marked = alt.Chart(alt.Data(values=[{"at": at} for at in (0, *marks)]))
    drawn = alt.layer(
        marked.mark_rule(color=INK, strokeDash=DASHES).encode(x="at:Q"),
        base.mark_rule(color=SERIES[0], strokeWidth=2).encode(x=across, x2="high:Q"),
        base.mark_point(color=SERIES[0], filled=True, size=70, opacity=1).encode(x="value:Q"),
        base.mark_text(dy=-11).encode(x="value:Q", text="shown:N"),
    ).properties(width=WIDTH - 70, height=alt.Step(INTERVAL_HEIGHT + BAR_STEP))
    return drawn.properties(title=alt.TitleParams(rule)) if rule else drawn


def colours(names: Sequence[str], field: str = "kind") -> Any:
    """Give each of some names a colour of the series."""
    import altair as alt

    found = [SERIES[place % len(SERIES)] for place in range(len(names))]
    return alt.Color(f"{field}:N", title=None, scale=alt.Scale(domain=list(names), range=found))


def _heading(field: str, names: Sequence[str]) -> Any:
    import altair as alt

    header = alt.Header(title=None, labelOrient="top", labelAnchor="start", labelBaseline="bottom")
    return alt.Row(f"{field}:N", sort=list(names), header=header)
