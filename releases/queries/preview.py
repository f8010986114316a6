"""The first rows of what a release would hold, read from a few posts: quick for any study."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from annotation.models import StageCode, Study, Task
from releases.columns import (
    EVIDENCE,
    ISSUES,
    LIST_SEPARATOR,
    POSTS,
    VERDICTS,
    VOTES,
    WORKERS,
    Column,
    Table,
    Type,
)
from releases.queries.evidence import evidence_blocks
from releases.queries.posts import Row, legal_sources, post_blocks, released_posts
from releases.queries.sources import Sources
from releases.queries.votes import chosen_votes, vote_blocks
from releases.queries.workers import first_workers, worker_rows

ROWS = 5
SHOWN = 160
"""How many characters of a cell are shown."""


@dataclass(frozen=True)
class Preview:
    """A table with the first rows, as text."""

    table: Table
    rows: list[list[str]]


def preview(sources: Sources, hidden: Collection[int]) -> list[Preview]:
    """Return each table with its first rows, without those of posts that are `hidden`."""
    first = first_posts(sources.study, hidden)
    judged = judged_posts(sources.study, hidden) if sources.has_legal else []
    ids = sorted({*first, *judged})
    legal = legal_sources(sources.study, chances={})
    block = next(post_blocks(sources, legal, ids), None)
    votes = next(vote_blocks(sources, ids), {})
    named = evidence_blocks(chosen_votes(sources).filter(task__post__in=judged))
    found: dict[str, Sequence[Row]] = {
        POSTS.name: block.posts if block else [],
        VOTES.name: rows_of(votes),
        VERDICTS.name: list(block.verdicts.values()) if block else [],
        ISSUES.name: block.issues if block else [],
        EVIDENCE.name: next(named, []) if judged else [],
        WORKERS.name: worker_rows(sources, first_workers(sources, ROWS)),
    }
    return [
        Preview(table, [shown(table, row) for row in islice(found[table.name], ROWS)])
        for table in sources.layout.tables
    ]


def first_posts(study: Study, hidden: Collection[int]) -> list[int]:
    """Return the first posts of a release."""
    posts = released_posts(study).exclude(pk__in=hidden).order_by("pk")
    return list(posts.values_list("pk", flat=True)[:ROWS])


def judged_posts(study: Study, hidden: Collection[int]) -> list[int]:
    """Return the first posts that experts were given."""
    tasks = Task.objects.filter(
        batch__study=study, stage=StageCode.LEGAL, post__dropped_reason=""
    ).exclude(post__in=hidden)
    tasks = tasks.order_by("post")
    return list(tasks.values_list("post", flat=True).distinct()[:ROWS])


def rows_of(values: Any) -> list[Row]:
    """Return the first rows of a block of cells."""
    number = min(ROWS, len(values.get("post_id", ())))
    return [{name: cells[place] for name, cells in values.items()} for place in range(number)]


def shown(table: Table, row: Row) -> list[str]:
    """Return a row as a page shows it."""
    return [text_of(column, row.get(column.name)) for column in table.columns]


def text_of(column: Column, value: Any) -> str:
    """Return a cell as a page shows it, cut short."""
    if value is None:
        return ""
    if column.type == Type.TIME:
        return datetime.fromtimestamp(value, UTC).isoformat()
    if column.type == Type.LIST:
        value = LIST_SEPARATOR.join(value)
    elif column.type == Type.TRUTH:
        value = str(value).lower()
    elif column.type == Type.NUMBER:
        value = f"{value:.4g}"
    text = str(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
