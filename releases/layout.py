"""The files of one release: which tables it has, with which columns, under which names.

Pure. What was chosen and what the study names (labels, shown columns) decide it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from releases.choices import ReleaseChoices, Texts
from releases.columns import LABEL, NAME, POSTS, TABLES, Column, Table

ALL = "full"
"""The name under which a table without splits is listed; `datasets` keeps “all” for itself."""


@dataclass(frozen=True)
class Described:
    """A file or a folder, and what it holds."""

    name: str
    help: str


README, MANIFEST, STATISTICS = "README.md", "manifest.json", "statistics.json"
CROISSANT, INSTRUCTIONS, CATALOGUE = "croissant.json", "instructions.md", "catalogue.yaml"
IDS = "ids.txt"
DOCUMENTS = (
    Described(README, "The data card: what this is, how it was made, and what the columns mean."),
    Described(MANIFEST, "Choices, versions and checksums, for programs."),
    Described(STATISTICS, "Counts, Table 1, agreement, issues, how labels lie, open tasks."),
    Described(CROISSANT, "The data card and the tables as Croissant 1.0, for programs."),
    Described(INSTRUCTIONS, "What the crowd read: each version that released votes name."),
    Described(CATALOGUE, "The law that experts were asked about: each version that votes name."),
    Described(IDS, "The posts' ids, one a line, by which to fetch the texts (rehydration)."),
)

FORMS = (
    Described("data/", "Parquet, with types; what datasets, pandas and polars read."),
    Described("csv/", "CSV, exact to the last character."),
    Described("jsonl/", "JSON Lines, with real lists, numbers and nulls."),
    Described(
        "spreadsheet/",
        "CSV for spreadsheets: cells that might run as a formula start with an apostrophe.",
    ),
)


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The tables and files of one release: what was chosen, and what names come from the study.

    `labels` are those of the crowd, in their order; `metadata` the imported columns that are shown.
    """

    stages: tuple[str, ...]
    splits: tuple[str, ...]
    has_text: bool
    labels: tuple[str, ...]
    metadata: tuple[str, ...]

    @classmethod
    def of(
        cls, choices: ReleaseChoices, *, labels: Iterable[str], metadata: Iterable[str]
    ) -> Layout:
        """Return the layout that follows from choices."""
        return cls(
            stages=choices.stages,
            splits=choices.splits.names,
            has_text=choices.texts != Texts.IDS,
            labels=tuple(labels),
            metadata=tuple(metadata),
        )

    @property
    def tables(self) -> tuple[Table, ...]:
        """Return the tables that the release has, with the columns that they have there."""
        return tuple(
            replace(table, columns=self.columns(table))
            for table in TABLES.values()
            if self.has_stage(table.stage)
        )

    def columns(self, table: Table) -> tuple[Column, ...]:
        """Return a table's columns by the names that they have in this release."""
        return tuple(
            found
            for column in table.columns
            if self.has_stage(column.stage) and (self.has_text or column.name != "text")
            for found in self.spelled_out(column)
        )

    def has_stage(self, stage: str) -> bool:
        """Say whether a stage's work is released."""
        return not stage or stage in self.stages

    def spelled_out(self, column: Column) -> list[Column]:
        """Return the columns that one with a pattern for its name stands for."""
        if LABEL in column.name:
            return [replace(column, name=label_column(column.name, one)) for one in self.labels]
        if NAME in column.name:
            return [replace(column, name=column.name.replace(NAME, one)) for one in self.metadata]
        return [column]

    def parquet_files(self, table: Table) -> dict[str, str]:
        """Return the table's Parquet files by split; `full` where there are no splits."""
        if not table.has_splits:
            return {ALL: f"data/{table.name}.parquet"}
        return {split: f"data/{table.name}-{split}.parquet" for split in self.splits}

    def files_of(self, table: Table) -> tuple[str, ...]:
        """Return the names of all files that hold a table."""
        return (
            *self.parquet_files(table).values(),
            f"csv/{table.name}.csv",
            f"jsonl/{table.name}.jsonl",
            f"spreadsheet/{table.name}.csv",
        )


def label_column(pattern: str, label: str) -> str:
    """Return the name of a label's column; one that would name another column twice is longer."""
    name = pattern.replace(LABEL, label)
    taken = {column.name for column in POSTS.columns}
    is_taken = name in taken or name.startswith(("crowd_share_", "crowd_chance_"))
    return f"{name}_votes" if pattern == f"crowd_{LABEL}" and is_taken else name
