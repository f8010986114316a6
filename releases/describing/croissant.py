"""A release as Croissant 1.0: its files, its tables with their keys, and what the card says.

The names of properties are those of the specifications at mlcommons.org/croissant/1.0 and
mlcommons.org/croissant/RAI/1.0.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from annotation.tables import Written
from releases.algorithms.card import SECTIONS
from releases.algorithms.licences import address_of
from releases.columns import Column, Table, Type
from releases.describing.description import Description
from releases.layout import Layout

Node = dict[str, Any]

SPECIFICATIONS = (
    "http://mlcommons.org/croissant/1.0",
    "http://mlcommons.org/croissant/RAI/1.0",
)
CONTEXT: Node = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    **{
        name: f"cr:{name}"
        for name in (
            *("citeAs", "column", "equivalentProperty", "extract", "field", "fileObject"),
            *("fileProperty", "fileSet", "format", "includes", "isLiveDataset", "jsonPath"),
            *("key", "md5", "parentField", "path", "recordSet", "references", "regex"),
            *("repeated", "replace", "samplingRate", "separator", "source", "subField"),
            "transform",
        )
    },
}
ENCODINGS = {
    "parquet": "application/x-parquet",
    "csv": "text/csv",
    "jsonl": "application/jsonlines",
    "json": "application/json",
    "md": "text/markdown",
    "yaml": "application/yaml",
    "txt": "text/plain",
}
TYPES = {
    Type.TEXT: "sc:Text",
    Type.WHOLE: "sc:Integer",
    Type.NUMBER: "sc:Float",
    Type.TRUTH: "sc:Boolean",
    Type.TIME: "sc:DateTime",
    Type.LIST: "sc:Text",
}
KEYS = {
    "posts": ("post_id",),
    "votes": ("post_id", "stage", "round", "annotator", "version"),
    "verdicts": ("post_id",),
    "evidence": ("evidence",),
    "issues": ("post_id", "issue"),
    "workers": ("annotator",),
}
REFERENCES = {
    ("votes", "post_id"): "posts",
    ("votes", "annotator"): "workers",
    ("verdicts", "post_id"): "posts",
    ("issues", "post_id"): "posts",
}
"""Columns that name a row of another table, by that table's only key."""


def croissant(told: Description, layout: Layout, files: Mapping[str, Written]) -> Node:
    """Return the description of a release with these files, as JSON-LD."""
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": list(SPECIFICATIONS),
        "name": told.name,
        "alternateName": told.full_title,
        "description": told.sections["summary"],
        "license": address_of(told.licence),
        "citeAs": told.cite_as,
        "version": f"{told.number}.0.0",
        "datePublished": told.made_at.date().isoformat(),
        "inLanguage": list(told.languages),
        "keywords": ["misinformation", "checkworthiness", "law", "disagreement"],
        **responsible(told),
        "distribution": [*file_objects(files), *file_sets(layout)],
        "recordSet": [record_set(table, layout) for table in layout.tables],
    }


def responsible(told: Description) -> Node:
    """Return what the card says under the names of the responsible-AI vocabulary."""
    return {
        **{f"rai:{one.croissant}": told.sections[one.code] for one in SECTIONS if one.croissant},
        "rai:annotationsPerItem": told.votes_per_post or "No post has a vote.",
        "rai:dataAnnotationPlatform": told.software,
    }


def file_objects(files: Mapping[str, Written]) -> Iterator[Node]:
    """Yield each file with its size and checksum."""
    for name, found in sorted(files.items()):
        yield {
            "@type": "cr:FileObject",
            "@id": name,
            "name": name,
            "contentUrl": name,
            "contentSize": f"{found.size} B",
            "encodingFormat": ENCODINGS[name.rpartition(".")[2]],
            "sha256": found.sha256,
        }


def file_sets(layout: Layout) -> Iterator[Node]:
    """Yield the files of each table that is parted into several."""
    for table in layout.tables:
        paths = list(layout.parquet_files(table).values())
        if len(paths) > 1:
            yield {
                "@type": "cr:FileSet",
                "@id": set_of(table),
                "name": set_of(table),
                "description": f"The splits of {table.name}.",
                "encodingFormat": ENCODINGS["parquet"],
                "includes": paths,
            }


def set_of(table: Table) -> str:
    """Return the name of a table's set of files."""
    return f"data/{table.name}"


def record_set(table: Table, layout: Layout) -> Node:
    """Return a table with its columns."""
    paths = list(layout.parquet_files(table).values())
    source = {"fileSet": {"@id": set_of(table)}} if paths[1:] else {"fileObject": {"@id": paths[0]}}
    tables = {one.name for one in layout.tables}
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.help,
        "key": [{"@id": field_id(table.name, column)} for column in KEYS[table.name]],
        "field": [field(table, column, source, tables) for column in table.columns],
    }


def field(table: Table, column: Column, source: Node, tables: set[str]) -> Node:
    """Return a column: where it is read from, and which other table it names a row of."""
    described: Node = {
        "@type": "cr:Field",
        "@id": field_id(table.name, column.name),
        "name": column.name,
        "description": column.help,
        "dataType": TYPES[column.type],
        "source": {**source, "extract": {"column": column.name}},
    }
    if column.type == Type.LIST:
        described["repeated"] = True
    other = REFERENCES.get((table.name, column.name))
    if other in tables:
        described["references"] = {"field": {"@id": field_id(other, KEYS[other][0])}}
    return described


def field_id(table: str, column: str) -> str:
    """Return a column's identifier, which is an address: a column's name may hold any letter."""
    return f"{table}/{quote(column, safe='')}"
