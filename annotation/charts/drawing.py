"""What a chart is made of: its words, its numbers as a table, and its picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST_SERIES = 20
Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart that is to be drawn.

    `name` is its own among the charts of the same subject. `alternative` says in words, with its
    numbers, what the picture shows, for whoever does not see it. `rows` are the table behind it,
    with these `columns`. `picture` is a chart of Altair.
    """

    name: str
    title: str
    alternative: str
    columns: Sequence[str]
    rows: Sequence[Row]
    picture: Any


@dataclass(frozen=True, slots=True)
class Panel:
    """One histogram among several: for each bin the values of two kinds, one upon the other."""

    title: str
    lower: Sequence[int]
    upper: Sequence[int]
    threshold: float


@dataclass(frozen=True, slots=True)
class Series:
    """One line, with a value at each whole number from 0."""

    name: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, below the heading of its group; `shown` is its value as people read it."""

    group: str
    name: str
    value: float
    shown: str
    is_faint: bool = False


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its interval, where it has one."""

    name: str
    value: float
    interval: tuple[float, float] | None
    shown: str


@dataclass(frozen=True, slots=True)
class Stack:
    """One whole in its parts: the number of each kind, in the order of the kinds."""

    name: str
    values: Sequence[int]


@dataclass(frozen=True, slots=True)
class HeatTable:
    """Numbers by line and column; `margins` are the lines and columns that hold sums of others.

    A cell is the darker the greater its share of its line's sum is.
    """

    lines: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[int]]
    margins: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Course:
    """Values week by week, each with its interval where it has one; None where it is undefined."""

    name: str
    values: Sequence[float | None]
    intervals: Sequence[tuple[float, float] | None] = ()
