"""Reads CSV and TSV; refuses a file without header or rows, or with two columns of one name.

All cells stay text, exactly as written: an id of 19 digits, a line break (also CRLF) inside a cell,
blanks at its ends. Blank lines, also
those of empty cells only, are passed over. A column without a name is called `column_N`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from annotation.tables.encodings import (
    SURROGATE,
    check_encoding,
    detect_encoding,
    physical_lines,
)
from annotation.tables.faults import BadRow, RowFault, TableError, TableFault, bad_row
from annotation.tables.records import BrokenRecord, Record, Records
from annotation.tables.table import CELL_LIMIT, ROW_LIMIT, Row, Table

DELIMITERS = (",", ";", "\t", "|")
_LINES_SNIFFED = 500
_CHARACTERS_SNIFFED = 1_000_000


class DelimitedTable(Table):
    """A CSV or TSV file."""

    def __init__(
        self,
        path: Path,
        *,
        format: str,  # noqa: A002
        delimiter: str | None = None,
        encoding: str | None = None,
    ) -> None:
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
            raise TableError(TableFault.BAD_DELIMITER)
        self.path = path
        self.format = format
        self.encoding: str = check_encoding(encoding) if encoding else detect_encoding(path)
        self.delimiter: str = delimiter or self._sniff()
        self.columns = self._header()

    def __iter__(self) -> Iterator[Row | BadRow]:
        records = self._records()
        next(records)
        for record in records:
            fault = self._fault(record, self.columns)
            if isinstance(record, Record) and fault is None:
                yield Row(record.line, dict(zip(self.columns, record.cells, strict=True)))
            elif fault is not None:
                yield bad_row(record.line, fault[0], record.raw, **fault[1])

    def _records(self) -> Iterator[Record | BrokenRecord]:
        lines = physical_lines(self.path, self.encoding)
        return (record for record in Records(lines, self.delimiter) if _has_content(record))

    def _fault(
        self, record: Record | BrokenRecord, columns: tuple[str, ...]
    ) -> tuple[RowFault, dict[str, object]] | None:
        if isinstance(record, BrokenRecord):
            return record.fault, {"limit": ROW_LIMIT}
        if "\0" in record.raw:
            return RowFault.NUL, {}
        if not record.raw.isascii() and SURROGATE.search(record.raw):
            return RowFault.BROKEN_TEXT, {"encoding": self.encoding}
        if len(record.cells) != len(columns):
            return RowFault.CELL_COUNT, {"found": len(record.cells), "wanted": len(columns)}
        for column, cell in zip(columns, record.cells, strict=True):
            if len(cell) > CELL_LIMIT:
                return RowFault.CELL_TOO_LONG, {"column": column, "limit": CELL_LIMIT}
        return None

    def _sniff(self) -> str:
        lines = _head(physical_lines(self.path, self.encoding))
        if self.format == "tsv" and lines and "\t" in lines[0]:
            return "\t"
        return sniff_delimiter(lines)

    def _header(self) -> tuple[str, ...]:
        records = self._records()
        header = next(records, None)
        if header is None:
            raise TableError(TableFault.EMPTY, name=self.path.name)
        cells = header.cells if isinstance(header, Record) else []
        if fault := self._fault(header, tuple(cells)):
            raise TableError(
                TableFault.BAD_HEADER,
                name=self.path.name,
                line=header.line,
                problem=fault[0].template % fault[1],
            )
        columns = name_columns(cells, self.path.name)
        if next(records, None) is None:
            raise TableError(TableFault.HEADER_ONLY, name=self.path.name)
        return columns


def _has_content(record: Record | BrokenRecord) -> bool:
    return isinstance(record, BrokenRecord) or any(cell.strip() for cell in record.cells)


def _head(lines: Iterator[str]) -> list[str]:
    """The first lines of the file, not more than a sniffer needs; the last may be cut off."""
    head: list[str] = []
    length = 0
    for line in islice(lines, _LINES_SNIFFED):
        head.append(line)
        length += len(line)
        if length > _CHARACTERS_SNIFFED:
            break
    return head


def sniff_delimiter(lines: list[str]) -> str:
    """The delimiter under which most of the first records have as many cells as the header.

    Quotes are respected, so commas inside quoted text do not count. Among equals the delimiter with
    more columns wins, then the order of `DELIMITERS`. A comma where there is one column only.
    """
    best = max(DELIMITERS, key=lambda delimiter: _consistency(lines, delimiter))
    return best if _consistency(lines, best)[1] > 1 else DELIMITERS[0]


def _consistency(lines: list[str], delimiter: str) -> tuple[float, int]:
    widths = [
        len(record.cells) if isinstance(record, Record) else 0
        for record in Records(iter(lines), delimiter)
    ]
    if not widths or widths[0] < 2:
        return 0.0, 0
    # The last record may have been cut off with the sample, so it counts only when it fits.
    rows = widths[1:-1] if len(widths) > 2 and widths[-1] != widths[0] else widths[1:]
    fitting = sum(width == widths[0] for width in rows)
    return (fitting / len(rows) if rows else 1.0), widths[0]


def name_columns(names: list[str], file_name: str) -> tuple[str, ...]:
    """The names without blanks at their ends; an empty one by its place; none of them twice."""
    seen: dict[str, int] = {}
    for number, given in enumerate(names, start=1):
        name = given.strip() or f"column_{number}"
        if name in seen:
            raise TableError(
                TableFault.REPEATED_COLUMN,
                name=file_name,
                column=name,
                first=seen[name],
                second=number,
            )
        seen[name] = number
    return tuple(seen)
