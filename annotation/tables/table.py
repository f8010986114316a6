"""What every opened file offers: its columns, and its rows one by one in bounded memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from annotation.tables.faults import BadRow

CELL_LIMIT = 100_000
"""Characters that one cell may hold; a longer one makes its row a bad row."""

ROW_LIMIT = 2_000_000
"""Characters that one row may hold; the reader never keeps more than this of a file."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the line of the file on which it starts (counted from 1) and its cells by column.

    Cells of CSV and TSV are text, exactly as written. Cells of JSON Lines and Parquet keep their
    types. The line of a Parquet file is the number of the row.
    """

    line: int
    values: dict[str, object]


class Table(ABC):
    """An opened file. Iterating reads it from the start, each time anew."""

    format: str
    path: Path
    columns: tuple[str, ...]
    delimiter: str | None = None
    encoding: str | None = None

    @abstractmethod
    def __iter__(self) -> Iterator[Row | BadRow]: ...

    def blocks(self, size: int = 1_000) -> Iterator[list[Row | BadRow]]:
        """The rows in lists of at most `size`."""
        rows = iter(self)
        while block := list(islice(rows, size)):
            yield block
