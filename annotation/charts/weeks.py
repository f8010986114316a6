"""Pictures of how something went, week by week."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.charts.drawing import Course
from annotation.charts.palette import INK, SHAPES
from annotation.charts.pictures import DASHES, LINES_HEIGHT, WHOLE, WIDTH, colours

BAND = 0.18


def over_weeks(
    weeks: Sequence[str],
    found: Sequence[Course],
    *,
    y: str,
    marks: Sequence[float] = (),
    rule: str = "",
    is_count: bool = False,
) -> Any:
    """Draw values over the weeks as lines, with their intervals as bands.

    `weeks` follow on each other without a gap. Where a value is undefined the line is broken.
    `marks` are dashed rules across, and `rule` says what they are. A count begins at 0.
    """
    import altair as alt

    names = [one.name for one in found]
    across = alt.X(
        "week:O",
        sort=list(weeks),
        title=None,
        axis=alt.Axis(labelAngle=0, labelOverlap="greedy", labelSeparation=6, grid=False),
        scale=alt.Scale(domain=list(weeks)),
    )
    ticks = alt.Axis(tickCount=5, labelExpr=WHOLE) if is_count else alt.Axis(tickCount=5)
    upwards = alt.Y("value:Q", title=y, axis=ticks, scale=alt.Scale(zero=is_count))
    base = alt.Chart(alt.Data(values=_points(weeks, found)))
    shapes = [SHAPES[place % len(SHAPES)] for place in range(len(names))]
    drawn = base.mark_line(
        point={"size": 36, "filled": True, "opacity": 1}, strokeWidth=1.75
    ).encode(
        x=across,
        y=upwards,
        color=colours(names, "course"),
        shape=alt.Shape("course:N", scale=alt.Scale(domain=names, range=shapes), title=None),
    )
    if len(names) == 1:
        drawn = drawn.encode(color=_without_legend(names), shape=alt.Undefined)
    layers = [drawn]
    if any(one.intervals for one in found):
        band = base.mark_area(opacity=BAND).encode(
            x=across, y=alt.Y("low:Q", title=y), y2="high:Q", color=_without_legend(names)
        )
        whisker = base.mark_rule(strokeWidth=1).encode(
            x=across, y="low:Q", y2="high:Q", color=_without_legend(names)
        )
        layers = [band, whisker, drawn]
    if marks:
        marked = alt.Chart(alt.Data(values=[{"value": at} for at in marks])).encode(y="value:Q")
        layers.append(marked.mark_rule(color=INK, strokeDash=DASHES))
    picture = alt.layer(*layers).properties(width=WIDTH, height=LINES_HEIGHT)
    return picture.properties(title=alt.TitleParams(rule)) if rule else picture


def _without_legend(names: Sequence[str]) -> Any:
    colour = colours(names, "course")
    colour.legend = None
    return colour


def _points(weeks: Sequence[str], found: Sequence[Course]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for one in found:
        ends = one.intervals or [None] * len(weeks)
        for week, value, interval in zip(weeks, one.values, ends, strict=True):
            low, high = interval or (None, None)
            rows.append(
                {"course": one.name, "week": week, "value": value, "low": low, "high": high}
            )
    return rows
