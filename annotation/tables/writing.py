"""Writes CSV row by row, with the number of rows and the checksum at the end.

CSV follows RFC 4180 with `\\n` as the end of a record, in UTF-8 without a byte order mark; what is
read back is the same to the last character. The spreadsheet-safe variant puts an apostrophe before
each cell of text that a spreadsheet might run as a formula, and is therefore not exact. Refused are
NUL characters and lone surrogates (UnicodeEncodeError), which no reader could give back.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

_BLOCK_BYTES = 64 * 1024
_NEEDS_QUOTES = re.compile(r'[",\r\n]|^\s|\s$')
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@dataclass(frozen=True, slots=True)
class Written:
    """What a writer has written."""

    rows: int
    size: int
    sha256: str


class CsvWriter:
    """Writes to a new file, or to a binary stream that stays the caller's to close.

    A header and one record for each row; a row must name all columns and no other. None becomes an
    empty cell, true and false those words, lists and objects JSON. After `close`, or at the end of
    a `with` block, `written` holds the numbers.
    """

    written: Written | None = None

    def __init__(
        self,
        target: Path | BinaryIO,
        columns: Sequence[str],
        *,
        spreadsheet_safe: bool = False,
    ) -> None:
        self._own = isinstance(target, Path)
        self._stream: BinaryIO = target.open("wb") if isinstance(target, Path) else target
        self._digest = hashlib.sha256()
        self._rows = 0
        self._size = 0
        self._columns = tuple(columns)
        self._safe = spreadsheet_safe
        self._put(self._record(self._columns))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def write(self, row: Mapping[str, object]) -> None:
        if row.keys() != set(self._columns):
            names = ", ".join(sorted(row.keys() ^ set(self._columns)))
            raise ValueError(f"The row and the header differ in these columns: {names}.")
        self._put(self._record([row[column] for column in self._columns]))
        self._rows += 1

    def close(self) -> Written:
        if self.written is None:
            self.written = Written(self._rows, self._size, self._digest.hexdigest())
            if self._own:
                self._stream.close()
        return self.written

    def _put(self, line: str) -> None:
        if "\0" in line:
            raise ValueError("A NUL character cannot be written into a table.")
        content = line.encode("utf-8")
        self._stream.write(content)
        self._digest.update(content)
        self._size += len(content)

    def _record(self, cells: Sequence[object]) -> str:
        texts = [self._cell(cell) for cell in cells]
        # A lone empty cell would be a blank line, which readers pass over.
        return ('""' if texts == [""] else ",".join(texts)) + "\n"

    def _cell(self, cell: object) -> str:
        text = cell_text(cell)
        if self._safe and isinstance(cell, str):
            text = spreadsheet_safe_text(text)
        return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text


def csv_blocks(
    columns: Sequence[str],
    rows: Iterable[Mapping[str, object]],
    *,
    spreadsheet_safe: bool = False,
) -> Iterator[bytes]:
    """Yield a CSV file in blocks, so that its length costs no memory."""
    content = io.BytesIO()
    with CsvWriter(content, columns, spreadsheet_safe=spreadsheet_safe) as writer:
        for row in rows:
            writer.write(row)
            if content.tell() > _BLOCK_BYTES:
                yield content.getvalue()
                content.seek(0)
                content.truncate()
    yield content.getvalue()


def cell_text(cell: object) -> str:
    """How a value stands in a cell of CSV."""
    match cell:
        case None:
            return ""
        case str():
            return cell
        case bool():
            return "true" if cell else "false"
        case list() | tuple() | dict():
            return json.dumps(cell, ensure_ascii=False, allow_nan=False)
        case _:
            return str(cell)


def spreadsheet_safe_text(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet might run it as a formula."""
    return "'" + text if text.startswith(FORMULA_STARTS) else text
