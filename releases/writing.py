"""Writes the tables of a release in all their forms, block by block: memory stays the same.

CSV is UTF-8 after RFC 4180, records end with a line feed. A null is an empty cell and an empty text
a pair of quotation marks; a list is joined. The copy for spreadsheets puts an apostrophe before
text that a spreadsheet might run as a formula; names of columns begin with a letter and cannot be
one. polars and pyarrow are loaded when the first table is begun, by the job that writes it.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotation.tables import FORMULA_STARTS, Written
from releases.columns import LIST_SEPARATOR, Column, Table, Type
from releases.layout import ALL, Layout

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

Values = Mapping[str, Sequence[Any]]
"""The cells of a block by column; moments are seconds since 1970."""

MOMENT = "%Y-%m-%dT%H:%M:%S+00:00"
_FORMULA = "^[" + "".join(FORMULA_STARTS).replace("-", r"\-") + "]"


class Sink(io.RawIOBase):
    """A new file that adds up its size and checksum while it is written."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = path.open("xb")
        self.digest, self.size, self.rows = hashlib.sha256(), 0, 0

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def write(self, content: Any) -> int:
        """Write bytes."""
        self.file.write(content)
        self.digest.update(content)
        added = len(memoryview(content).cast("B"))
        self.size += added
        return added

    def close(self) -> None:
        """Close the file."""
        self.file.close()
        super().close()

    @property
    def written(self) -> Written:
        """Return what was written."""
        return Written(rows=self.rows, size=self.size, sha256=self.digest.hexdigest())


class TableFiles:
    """One table in all its forms. Leaving the `with` block closes the files."""

    def __init__(self, folder: Path, layout: Layout, table: Table) -> None:
        import pyarrow.parquet as pq

        self.columns = layout.columns(table)
        self.schema = arrow_schema(self.columns)
        names = layout.files_of(table)
        self.sinks = {name: Sink(folder / name) for name in names}
        self.csv, self.jsonl, self.safe = names[-3:]
        self.parquet = {
            split: (name, pq.ParquetWriter(self.sinks[name], self.schema, compression="zstd"))
            for split, name in layout.parquet_files(table).items()
        }
        nothing = self.frame({column.name: [] for column in self.columns})
        for name in (self.csv, self.safe):
            self.sinks[name].write(csv_of(flattened(nothing), is_first=True))

    def __enter__(self) -> TableFiles:
        return self

    def __exit__(self, *_error: object) -> None:
        for _name, writer in self.parquet.values():
            writer.close()
        for sink in self.sinks.values():
            sink.close()

    @property
    def written(self) -> dict[str, Written]:
        """Return what was written, by the files' names."""
        return {name: sink.written for name, sink in self.sinks.items()}

    def frame(self, values: Values) -> pl.DataFrame:
        """Return a block as a frame with the table's types."""
        import polars as pl

        return pl.DataFrame([series(column, values[column.name]) for column in self.columns])

    def write(self, frame: pl.DataFrame) -> None:
        """Write a block in all forms."""
        flat = flattened(frame)
        self.add(self.csv, csv_of(flat), frame.height)
        self.add(self.safe, csv_of(without_formulas(flat)), frame.height)
        self.add(self.jsonl, jsonl_of(frame), frame.height)
        for split, (name, writer) in self.parquet.items():
            part = frame if split == ALL else of_split(frame, split)
            if part.height:
                writer.write_table(as_arrow(part, self.schema))
            self.sinks[name].rows += part.height

    def add(self, name: str, content: bytes, rows: int) -> None:
        """Add rows to a file of text."""
        self.sinks[name].write(content)
        self.sinks[name].rows += rows


def series(column: Column, values: Sequence[Any]) -> pl.Series:
    """Return a column's cells with its type."""
    import polars as pl

    types: dict[Type, Any] = {
        Type.TEXT: pl.String,
        Type.WHOLE: pl.Int64,
        Type.NUMBER: pl.Float64,
        Type.TRUTH: pl.Boolean,
        Type.TIME: pl.Int64,
        Type.LIST: pl.List(pl.String),
    }
    found = pl.Series(column.name, values, dtype=types[column.type])
    if column.type == Type.TIME:
        found = (found * 1000).cast(pl.Datetime("ms", "UTC"))
    return found


def of_split(frame: pl.DataFrame, split: str) -> pl.DataFrame:
    """Return the rows of a split."""
    import polars as pl

    return frame.filter(pl.col("split") == split)


def arrow_schema(columns: Sequence[Column]) -> pa.Schema:
    """Return the schema of a table's Parquet files."""
    import pyarrow as pa

    types: dict[Type, Any] = {
        Type.TEXT: pa.string(),
        Type.WHOLE: pa.int64(),
        Type.NUMBER: pa.float64(),
        Type.TRUTH: pa.bool_(),
        Type.TIME: pa.timestamp("ms", "UTC"),
        Type.LIST: pa.list_(pa.string()),
    }
    return pa.schema([(column.name, types[column.type]) for column in columns])


def as_arrow(frame: pl.DataFrame, schema: pa.Schema) -> pa.Table:
    """Return a frame as an Arrow table of that schema."""
    import polars as pl

    return frame.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(schema)


def flattened(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with each list joined to one text."""
    import polars as pl
    from polars import selectors

    return frame.with_columns(selectors.by_dtype(pl.List(pl.String)).list.join(LIST_SEPARATOR))


def without_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with an apostrophe before text that a spreadsheet might run."""
    import polars as pl

    text = pl.col(pl.String)
    return frame.with_columns(
        pl.when(text.str.contains(_FORMULA)).then("'" + text).otherwise(text).name.keep()
    )


def csv_of(frame: pl.DataFrame, *, is_first: bool = False) -> bytes:
    """Return a frame as records of CSV, with the header where it is the first."""
    content = io.BytesIO()
    frame.write_csv(content, include_header=is_first, datetime_format=MOMENT)
    return content.getvalue()


def jsonl_of(frame: pl.DataFrame) -> bytes:
    """Return a frame as JSON Lines."""
    content = io.BytesIO()
    frame.write_ndjson(content)
    return content.getvalue()
