"""Pictures of how things are distributed: wholes in their parts, and tables whose cells are shaded.

Narrow like the other pictures; what cannot be read in it as a number stands in the chart's file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.charts.drawing import HeatTable, Stack
from annotation.charts.palette import HEAT, PAPER, SERIES
from annotation.charts.pictures import WIDTH, colours

STACK_STEP = 46
STACK_SIZE = 16
LEAST_TOLD = 0.1
"""What is less than a tenth of a whole has no room for its share."""

CELL_WIDTH = 66
CELL_HEIGHT = 26
LEAST_CELL = 34
TABLE_WIDTH = 230


def stacks(found: Sequence[Stack], *, kinds: Sequence[str], x: str) -> Any:
    """Draw wholes as bars of the same length, each parted by kind; at most five kinds."""
    import altair as alt

    assert len(kinds) <= len(SERIES), kinds
    base = alt.Chart(alt.Data(values=_parts(found, kinds)))
    y = alt.Y(
        "name:N",
        sort=[one.name for one in found],
        title=None,
        axis=alt.Axis(ticks=False, domain=False, orient="left"),
    )
    across = alt.X(
        "from:Q",
        title=x,
        axis=alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1]),
        scale=alt.Scale(domain=[0, 1]),
    )
    bar = base.mark_bar(size=STACK_SIZE, stroke=PAPER).encode(
        x=across, x2="to:Q", y=y, color=_in_two_columns(kinds)
    )
    told = (
        base.transform_filter(f"datum.share >= {LEAST_TOLD}")
        .mark_text(dy=-STACK_SIZE)
        .encode(x="middle:Q", y=y, text=alt.Text("share:Q", format=".0%"))
    )
    return alt.layer(bar, told).properties(width=WIDTH - 70, height=alt.Step(STACK_STEP))


def _in_two_columns(kinds: Sequence[str]) -> Any:
    import altair as alt

    colour = colours(kinds)
    colour.legend = alt.Legend(columns=2)
    return colour


def _parts(found: Sequence[Stack], kinds: Sequence[str]) -> list[dict[str, object]]:
    """Return where each part begins and ends; a whole of nothing has none."""
    rows: list[dict[str, object]] = []
    for one in found:
        whole, reached = sum(one.values), 0
        for kind, value in zip(kinds, one.values, strict=True):
            if value:
                start, reached = reached, reached + value
                rows.append(
                    {
                        "name": one.name,
                        "kind": kind,
                        "from": start / whole,
                        "to": reached / whole,
                        "middle": (start + reached) / 2 / whole,
                        "share": value / whole,
                    }
                )
    return rows


def heat_table(table: HeatTable, *, lines: str, columns: str, rule: str) -> Any:
    """Draw a table of numbers, its cells in steps of their share of the line.

    `lines` and `columns` are what these are, `rule` says what the shade means. Margins have none.
    """
    import altair as alt

    width = max(LEAST_CELL, min(CELL_WIDTH, TABLE_WIDTH // len(table.columns)))
    across = alt.X(
        "column:N",
        sort=list(table.columns),
        title=columns,
        axis=alt.Axis(
            labelAngle=0,
            labelExpr="split(replace(datum.label, '-', '- '), ' ')",
            labelLimit=width - 2,
            labelFontSize=9.5,
            ticks=False,
            domain=False,
        ),
    )
    down = alt.Y(
        "line:N",
        sort=list(table.lines),
        title=lines,
        axis=alt.Axis(ticks=False, domain=False, labelLimit=110),
    )
    base = alt.Chart(alt.Data(values=_cells(table))).encode(x=across, y=down)
    steps = list(map(str, range(len(HEAT) + 1)))
    shade = alt.Color("step:N", legend=None, scale=alt.Scale(domain=steps, range=[PAPER, *HEAT]))
    return alt.layer(
        base.mark_rect(stroke=PAPER, strokeWidth=2).encode(color=shade),
        base.mark_text().encode(text="shown:N"),
    ).properties(width=alt.Step(width), height=alt.Step(CELL_HEIGHT), title=alt.TitleParams(rule))


def _cells(table: HeatTable) -> list[dict[str, object]]:
    """Return the cells, each with its step: 0 for nothing and for margins."""
    rows: list[dict[str, object]] = []
    for line, cells in zip(table.lines, table.cells, strict=True):
        inner = [
            0 if column in table.margins else cell
            for column, cell in zip(table.columns, cells, strict=True)
        ]
        whole = 0 if line in table.margins else sum(inner)
        for column, cell, share in zip(table.columns, cells, inner, strict=True):
            step = -(-share * len(HEAT) // whole) if whole else 0
            rows.append({"line": line, "column": column, "shown": f"{cell:,}", "step": str(step)})
    return rows
