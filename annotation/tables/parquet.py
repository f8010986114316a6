"""Reads Parquet, block by block; refuses a file with two columns of one name.

pyarrow is imported when a file is opened, never with this module, because it is heavy: only jobs
may open Parquet. Cells become what JSON can hold: times as ISO text, decimals as text, bytes as the
UTF-8 text that they are, and floating-point NaN (a missing value in data frames) as None.
"""

from __future__ import annotations

import datetime as dt
import decimal
import math
from collections.abc import Iterator
from pathlib import Path

from annotation.tables.delimited import name_columns
from annotation.tables.encodings import SURROGATE
from annotation.tables.faults import BadRow, RowFault, TableError, TableFault, bad_row
from annotation.tables.table import CELL_LIMIT, Row, Table

_BLOCK = 1_000


class ParquetTable(Table):
    """A Parquet file. The line of a row is its number, counted from 1."""

    format = "parquet"

    def __init__(self, path: Path) -> None:
        import pyarrow
        import pyarrow.parquet

        self.path = path
        try:
            with pyarrow.parquet.ParquetFile(path) as file:
                names, rows = list(file.schema_arrow.names), file.metadata.num_rows
        except (pyarrow.ArrowException, OSError) as error:
            problem = str(error).splitlines()[0].rstrip(".")
            raise TableError(TableFault.BAD_PARQUET, name=path.name, problem=problem) from error
        self.columns = name_columns(names, path.name)
        if not rows:
            raise TableError(TableFault.HEADER_ONLY, name=path.name)

    def __iter__(self) -> Iterator[Row | BadRow]:
        import pyarrow
        import pyarrow.parquet

        number = 0
        try:
            with pyarrow.parquet.ParquetFile(self.path) as file:
                for batch in file.iter_batches(batch_size=_BLOCK):
                    columns = [_cells(column) for column in batch.columns]
                    for cells in zip(*columns, strict=True):
                        number += 1
                        yield self._row(number, cells)
        except (pyarrow.ArrowException, OSError) as error:
            problem = str(error).splitlines()[0].rstrip(".")
            raise TableError(
                TableFault.BAD_PARQUET, name=self.path.name, problem=problem
            ) from error

    def _row(self, number: int, cells: tuple[object, ...]) -> Row | BadRow:
        values: dict[str, object] = {}
        for column, cell in zip(self.columns, cells, strict=True):
            try:
                values[column] = _plain(cell)
            except UnicodeDecodeError:
                return bad_row(number, RowFault.NOT_TEXT, str(cell), column=column)
            for text in _texts(values[column]):
                if fault := _text_fault(text):
                    return bad_row(number, fault, text, column=column, limit=CELL_LIMIT)
        return Row(number, values)


def _cells(column: object) -> list[object]:
    """The cells of one column of a batch; a column of text that is no UTF-8 as bytes."""
    try:
        return list(column.to_pylist())  # type: ignore[attr-defined]
    except UnicodeDecodeError:
        return list(column.cast("binary").to_pylist())  # type: ignore[attr-defined]


def _plain(cell: object) -> object:
    match cell:
        case float():
            return None if math.isnan(cell) else cell
        case dt.datetime() | dt.date() | dt.time():
            return cell.isoformat()
        case dt.timedelta():
            return cell.total_seconds()
        case decimal.Decimal():
            return str(cell)
        case bytes():
            return cell.decode("utf-8")
        case list() | tuple():
            return [_plain(each) for each in cell]
        case dict():
            return {str(name): _plain(each) for name, each in cell.items()}
        case _:
            return cell


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)


def _text_fault(text: str) -> RowFault | None:
    if "\0" in text:
        return RowFault.NUL
    if not text.isascii() and SURROGATE.search(text):
        return RowFault.LONE_SURROGATE
    return RowFault.CELL_TOO_LONG if len(text) > CELL_LIMIT else None
