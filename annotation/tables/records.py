"""Cuts delimited text into records and keeps count of lines; never lets a lone quote eat the rest.

The csv module reads. Around it stands what it lacks: the line on which each record starts, and what
to do when a record is broken. A broken record costs the one line on which it starts; reading goes
on at the next line of the file, so that the rows behind a lone quotation mark are still found.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from annotation.tables.encodings import OverlongLine
from annotation.tables.faults import RowFault
from annotation.tables.table import ROW_LIMIT

QUOTE = '"'


@dataclass(frozen=True, slots=True)
class Record:
    """Cells that were read, the line on which they start, and the text that they came from."""

    line: int
    cells: list[str]
    raw: str


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A line from which no record could be read."""

    line: int
    fault: RowFault
    raw: str


class _TooLongError(Exception):
    """The record holds more characters than a row may."""


class Records:
    """The records of some physical lines."""

    def __init__(self, lines: Iterator[str], delimiter: str) -> None:
        csv.field_size_limit(max(csv.field_size_limit(), ROW_LIMIT))
        self._lines = lines
        self._again: deque[str] = deque()
        self._taken: list[str] = []
        self._delimiter = delimiter
        self._after_fault = False
        self._next_line = 1

    def __iter__(self) -> Iterator[Record | BrokenRecord]:
        reader = self._reader()
        while True:
            start, self._taken = self._next_line, []
            try:
                cells = next(reader)
            except StopIteration:
                return
            except (csv.Error, _TooLongError) as error:
                yield self._give_up(start, error)
                reader = self._reader()
                continue
            if self._is_remnant():
                yield BrokenRecord(start, RowFault.STRAY_QUOTE, self._taken[0])
                continue
            if cells:
                self._after_fault = False
                yield Record(start, cells, "".join(self._taken))

    def _reader(self) -> Iterator[list[str]]:
        return csv.reader(self._take(), delimiter=self._delimiter, strict=True)

    def _take(self) -> Iterator[str]:
        length = 0
        while (
            line := self._again.popleft() if self._again else next(self._lines, None)
        ) is not None:
            length = length + len(line) if self._taken else len(line)
            self._taken.append(line)
            self._next_line += 1
            if length > ROW_LIMIT or isinstance(line, OverlongLine):
                raise _TooLongError
            yield line

    def _give_up(self, start: int, error: Exception) -> BrokenRecord:
        first, *rest = self._taken
        self._again.extendleft(reversed(rest))
        self._next_line = start + 1
        self._after_fault = True
        return BrokenRecord(start, _fault(error, first), first)

    def _is_remnant(self) -> bool:
        """Whether this line may be the tail of a broken cell that went over several lines."""
        return self._after_fault and len(self._taken) == 1 and self._taken[0].count(QUOTE) % 2 == 1


def _fault(error: Exception, first: str) -> RowFault:
    if isinstance(first, OverlongLine):
        return RowFault.ROW_TOO_LONG
    if isinstance(error, _TooLongError) or "unexpected end of data" in str(error):
        return RowFault.UNCLOSED_QUOTE
    return RowFault.STRAY_QUOTE
