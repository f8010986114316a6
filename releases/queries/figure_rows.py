"""All figures of a study as one table: each number with the way that leads to it."""

import io
from collections.abc import Iterator, Mapping
from typing import Any

from annotation.tables import CsvWriter

COLUMNS = ("figure", "row", "measure", "value")
NAMES = ("key", "kind", "of", "side", "stage", "week", "currency", "label", "code", "votes")
"""What may name a row of a figure, in the order in which it does."""


def figures_csv(content: Mapping[str, Any]) -> bytes:
    """Return all figures as CSV, safe to open in a spreadsheet."""
    target = io.BytesIO()
    with CsvWriter(target, COLUMNS, spreadsheet_safe=True) as writer:
        for figure, found in content.items():
            for row, measure, value in numbers_of(found, ""):
                writer.write({"figure": figure, "row": row, "measure": measure, "value": value})
    return target.getvalue()


def numbers_of(found: Any, row: str) -> Iterator[tuple[str, str, Any]]:
    """Yield each number with its row and what it measures, however deep it lies."""
    if isinstance(found, list):
        for place, one in enumerate(found, start=1):
            yield from numbers_of(one, joined(row, name_of(one, place)))
        return
    for measure, value in found.items():
        if isinstance(value, dict) or (isinstance(value, list) and has_rows(value)):
            yield from numbers_of(value, joined(row, measure))
        else:
            yield from ((row, name, one) for name, one in cells_of(value, measure))


def has_rows(found: list[Any]) -> bool:
    """Say whether a list has rows with measures of their own."""
    return bool(found) and isinstance(found[0], dict)


def cells_of(found: Any, measure: str) -> Iterator[tuple[str, Any]]:
    """Yield the numbers of a list or table, each with its place in it."""
    if not isinstance(found, list):
        yield measure, found
        return
    for place, one in enumerate(found, start=1):
        yield from cells_of(one, f"{measure} {place}")


def name_of(found: Mapping[str, Any], place: int) -> str:
    """Return what names a row."""
    names = [str(found[name]) for name in NAMES if isinstance(found.get(name), str)]
    return " ".join(names) or str(found.get("votes", place))


def joined(row: str, more: str) -> str:
    """Return the way to a row."""
    return f"{row} / {more}" if row else more
