"""Reads JSON Lines: one object on each line; refuses a file that is one JSON array.

Values keep their types, and integers all their digits. A name that stands twice in one object makes
the line a bad row, because any choice between the two values would lose one of them in silence.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NoReturn

from annotation.tables.encodings import (
    SURROGATE,
    OverlongLine,
    check_encoding,
    detect_encoding,
    physical_lines,
)
from annotation.tables.faults import BadRow, RowFault, TableError, TableFault, bad_row
from annotation.tables.table import CELL_LIMIT, ROW_LIMIT, Row, Table

_LINES_FOR_COLUMNS = 200


class _LineError(Exception):
    """One line is not what it should be."""

    def __init__(self, fault: RowFault, **details: object) -> None:
        super().__init__(fault.name)
        self.fault = fault
        self.details = details


class JsonLinesTable(Table):
    """A JSON Lines file. Its columns are the names in the first 200 lines, as they first appear."""

    format = "jsonl"

    def __init__(self, path: Path, *, encoding: str | None = None) -> None:
        self.path = path
        self.encoding: str = check_encoding(encoding) if encoding else detect_encoding(path)
        self.columns = self._columns()

    def __iter__(self) -> Iterator[Row | BadRow]:
        for number, line in enumerate(physical_lines(self.path, self.encoding), start=1):
            if not line.strip():
                continue
            try:
                yield Row(number, _object(line, self.encoding))
            except _LineError as error:
                yield bad_row(number, error.fault, line, **error.details)

    def _columns(self) -> tuple[str, ...]:
        lines = list(islice(self, _LINES_FOR_COLUMNS))
        if not lines:
            raise TableError(TableFault.EMPTY, name=self.path.name)
        rows = [line for line in lines if isinstance(line, Row)]
        if not rows:
            first = lines[0]
            if isinstance(first, BadRow) and first.raw.lstrip().startswith("["):
                raise TableError(TableFault.JSON_ARRAY, name=self.path.name)
            raise TableError(TableFault.NO_OBJECTS, name=self.path.name, lines=len(lines))
        return tuple(dict.fromkeys(name for row in rows for name in row.values))


def _object(line: str, encoding: str) -> dict[str, object]:
    if isinstance(line, OverlongLine):
        raise _LineError(RowFault.ROW_TOO_LONG, limit=ROW_LIMIT)
    if not line.isascii() and SURROGATE.search(line):
        raise _LineError(RowFault.BROKEN_TEXT, encoding=encoding)
    if "\0" in line:
        raise _LineError(RowFault.NUL)
    try:
        found = json.loads(
            line,
            object_pairs_hook=_distinct,
            parse_constant=_not_a_number,
            parse_float=_finite,
        )
    except RecursionError as error:
        raise _LineError(RowFault.BAD_JSON, problem="it is nested too deeply") from error
    except ValueError as error:
        raise _LineError(RowFault.BAD_JSON, problem=_problem(error)) from error
    if not isinstance(found, dict):
        raise _LineError(RowFault.NOT_AN_OBJECT)
    # Only an escape can bring in what the line itself does not hold.
    if "\\u" in line or len(line) > CELL_LIMIT:
        _check_texts(found)
    return found


def _problem(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.pos + 1}"
    return "a number has too many digits"


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _LineError(RowFault.REPEATED_NAME, column=_showable(twice))
    return found


def _not_a_number(constant: str) -> NoReturn:
    raise _LineError(RowFault.NOT_A_NUMBER, number=constant)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _LineError(RowFault.NOT_A_NUMBER, number=text)
    return number


def _check_texts(found: dict[str, object]) -> None:
    for column, value in found.items():
        for text in (column, *_texts(value)):
            if "\0" in text:
                raise _LineError(RowFault.NUL)
            if SURROGATE.search(text):
                raise _LineError(RowFault.LONE_SURROGATE)
            if len(text) > CELL_LIMIT:
                raise _LineError(RowFault.CELL_TOO_LONG, column=_showable(column), limit=CELL_LIMIT)


def _texts(value: object) -> Iterator[str]:
    """All texts in a JSON value, however deep, without recursion."""
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, str):
            yield current
        elif isinstance(current, list):
            waiting.extend(current)
        elif isinstance(current, dict):
            waiting.extend(current)
            waiting.extend(current.values())


def _showable(name: str) -> str:
    return name[:100].encode("utf-8", "replace").decode("utf-8").replace("\0", "?")
