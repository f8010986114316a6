"""A folder laid out as a release, with made-up rows of every type, and its descriptions."""

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.tables import Written
from releases.algorithms.card import SECTIONS
from releases.columns import Column, Type
from releases.describing import Description, croissant, header
from releases.layout import ALL, Layout

NASTY = 'a: "b" | `c` \n---\n# d'
ARROW = {
    Type.TEXT: pa.string(),
    Type.WHOLE: pa.int64(),
    Type.NUMBER: pa.float64(),
    Type.TRUTH: pa.bool_(),
    Type.TIME: pa.timestamp("ms", tz="UTC"),
    Type.LIST: pa.list_(pa.string()),
}


def description(**more: Any) -> Description:
    usual: dict[str, Any] = {
        "slug": "rumours",
        "title": "Rumours",
        "number": 3,
        "made_at": datetime(2026, 5, 4, 12, tzinfo=UTC),
        "languages": ("en", "no"),
        "licence": "cc-by-4.0",
        "citation": "",
        "sections": {one.code: f"Words on {one.code}." for one in SECTIONS},
        "votes": {"crowd": (40, 12), "legal": (36, 12)},
        "posts": 12,
        "software": "Juryroom 1",
    }
    return Description(**usual | more)


def layout(**more: Any) -> Layout:
    usual: dict[str, Any] = {
        "stages": ("crowd", "legal"),
        "splits": ("test",),
        "has_text": True,
        "labels": ("no_claim", "checkworthy", "odd: \n| label"),
        "metadata": ("created at", 'a "b" #c: [d]/e?'),
    }
    return Layout(**usual | more)


def files_of(shape: Layout, rows: int = 1) -> dict[str, Written]:
    """Records of files that were never written."""
    paths = [path for table in shape.tables for path in shape.parquet_files(table).values()]
    return {path: Written(rows, 1, "0" * 64) for path in paths}


def cell(column: Column, row: int) -> Any:
    """A value of a column's type; every fourth row has none, keys always have one."""
    if column.name in ("post_id", "annotator"):
        return f"{10**18 + row}" if row else "007"
    if row % 4 == 3:
        return None
    values: dict[Type, Any] = {
        Type.TEXT: NASTY if row % 2 else "",
        Type.WHOLE: 2**40 + row,
        Type.NUMBER: row / 3,
        Type.TRUTH: row % 2 == 0,
        Type.TIME: datetime(2026, 1, 1, 0, 0, row, tzinfo=UTC),
        Type.LIST: ["a", NASTY][: row % 3],
    }
    return values[column.type]


def make(
    folder: Path, told: Description, shape: Layout, *, posts: int = 12, more: int = 12
) -> dict[str, list[Any]]:
    """Write the tables and both descriptions; return the rows by table."""
    found, files = {}, {}
    for table in shape.tables:
        schema = pa.schema([(one.name, ARROW[one.type]) for one in table.columns])
        found[table.name] = [
            {column.name: cell(column, row) for column in table.columns}
            for row in range(posts if table.name == "posts" else more)
        ]
        for split, path in shape.parquet_files(table).items():
            place = list(shape.parquet_files(table)).index(split)
            part = [
                row | ({} if split == ALL else {"split": split})
                for row in found[table.name][place :: len(shape.parquet_files(table))]
            ]
            (folder / path).parent.mkdir(exist_ok=True)
            with pq.ParquetWriter(folder / path, schema) as writer:
                if part:  # a release has no group of rows where there is none
                    writer.write_table(pa.Table.from_pylist(part, schema))
            content = (folder / path).read_bytes()
            files[path] = Written(len(part), len(content), hashlib.sha256(content).hexdigest())
    (folder / "croissant.json").write_text(json.dumps(croissant(told, shape, files)))
    (folder / "README.md").write_text(header(told, shape, files) + "\n# Title\n")
    return found
