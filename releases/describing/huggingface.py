"""The YAML header of a data card, as the Hugging Face hub and `datasets` read it.

`datasets` cannot load a split without rows, so the header names none, and no table without rows.
"""

from collections.abc import Mapping
from typing import Any

import yaml

from annotation.tables import Written
from legal.catalogues.writing import PlainDumper
from releases.algorithms.licences import HUGGING_FACE, spdx_of
from releases.columns import Column, Table, Type
from releases.describing.description import Description
from releases.layout import Layout

Filled = list[tuple[Table, dict[str, str]]]

SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
)
LARGEST = "1M<n<10M"
CREATORS = {"crowd": "crowdsourced", "legal": "expert-generated"}
TYPES = {
    Type.TEXT: "string",
    Type.WHOLE: "int64",
    Type.NUMBER: "float64",
    Type.TRUTH: "bool",
    Type.TIME: "timestamp[ms, tz=UTC]",
}


def header(told: Description, layout: Layout, files: Mapping[str, Written]) -> str:
    """Return the header of a release with these files, with its fences."""
    filled = filled_tables(layout, files)
    content = {
        **licence(told.licence),
        "language": list(told.languages),
        "pretty_name": told.full_title,
        "task_categories": ["text-classification"],
        "size_categories": [size(told.posts)],
        "annotations_creators": [CREATORS[stage] for stage in layout.stages],
        "tags": ["misinformation", "checkworthiness", "legal", "disagreement", "croissant"],
        "configs": configs(filled),
        "dataset_info": features(filled),
    }
    text = yaml.dump(content, Dumper=PlainDumper, allow_unicode=True, sort_keys=False, width=2**20)
    return f"---\n{text}---\n"


def licence(words: str) -> dict[str, str]:
    """Return the licence by the hub's name, or as another one in words."""
    spdx = spdx_of(words)
    if spdx:
        return {"license": HUGGING_FACE[spdx]}
    named = " ".join(words.split())
    return {"license": "other", "license_name": named} if named else {"license": "unknown"}


def size(posts: int) -> str:
    """Return the hub's word for a number of posts."""
    return next((word for most, word in SIZES if posts < most), LARGEST)


def filled_tables(layout: Layout, files: Mapping[str, Written]) -> Filled:
    """Return the tables that have rows, each with its files by split, of those that have rows."""
    found = []
    for table in layout.tables:
        paths = layout.parquet_files(table).items()
        with_rows = {split: path for split, path in paths if files[path].rows}
        if with_rows:
            found.append((table, with_rows))
    return found


def configs(filled: Filled) -> list[dict[str, Any]]:
    """Return each table with its files; the first is what is loaded without a name."""
    return [
        {
            "config_name": table.name,
            **({"default": True} if place == 0 else {}),
            "data_files": [{"split": split, "path": path} for split, path in paths.items()],
        }
        for place, (table, paths) in enumerate(filled)
    ]


def features(filled: Filled) -> list[dict[str, Any]]:
    """Return the types of each table's columns."""
    return [
        {"config_name": table.name, "features": [feature(column) for column in table.columns]}
        for table, _paths in filled
    ]


def feature(column: Column) -> dict[str, Any]:
    """Return a column's type."""
    if column.type == Type.LIST:
        return {"name": column.name, "list": "string"}
    return {"name": column.name, "dtype": TYPES[column.type]}
