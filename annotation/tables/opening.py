"""Opens a file as a table, whatever its format; refuses what is no table with a sentence."""

from __future__ import annotations

from pathlib import Path

from annotation.tables.delimited import DelimitedTable
from annotation.tables.faults import TableError, TableFault
from annotation.tables.jsonl import JsonLinesTable
from annotation.tables.parquet import ParquetTable
from annotation.tables.table import Table

FORMATS = ("csv", "tsv", "jsonl", "parquet")
_BY_SUFFIX = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
}


def open_table(
    path: Path | str,
    *,
    format: str | None = None,  # noqa: A002
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Table:
    """The file as a table; what is not given is found out from its name and its content.

    Raises TableError for an empty file, a header without rows, a packed file, an unknown format or
    encoding, a header that cannot be read, and two columns of one name.
    """
    path = Path(path)
    head = _head(path)
    chosen = format or _guess_format(path, head)
    match chosen:
        case "csv" | "tsv":
            return DelimitedTable(path, format=chosen, delimiter=delimiter, encoding=encoding)
        case "jsonl":
            return JsonLinesTable(path, encoding=encoding)
        case "parquet":
            return ParquetTable(path)
        case _:
            raise TableError(TableFault.UNKNOWN_FORMAT, format=chosen)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        head = file.read(1_024)
    if not head:
        raise TableError(TableFault.EMPTY, name=path.name)
    if head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise TableError(TableFault.ZIP, name=path.name)
    if head.startswith(b"\x1f\x8b"):
        raise TableError(TableFault.GZIP, name=path.name)
    return head


def _guess_format(path: Path, head: bytes) -> str:
    if head.startswith(b"PAR1"):
        return "parquet"
    if known := _BY_SUFFIX.get(path.suffix.lower()):
        return known
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return "jsonl" if start.startswith((b"{", b"[")) else "csv"
