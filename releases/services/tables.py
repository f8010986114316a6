"""Writes the tables of a release, and counts the rows of posts and verdicts while they pass."""

from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from operator import itemgetter
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Post
from annotation.tables import Written
from infra.jobs import Report
from releases.algorithms import RowCounts
from releases.columns import EVIDENCE, ISSUES, LABEL, POSTS, VERDICTS, VOTES, WORKERS, Table
from releases.layout import label_column
from releases.queries.evidence import evidence_blocks
from releases.queries.known_ids import known_ids
from releases.queries.posts import PostBlock, legal_sources, post_blocks
from releases.queries.sources import Sources
from releases.queries.votes import chosen_votes, vote_blocks
from releases.queries.workers import worker_rows
from releases.scan import Scan
from releases.services.chances import experts_chances
from releases.writing import TableFiles, Values

MOST_WAITING = 2
"""Blocks that are read while an earlier one is written."""


class Steps:
    """Tells the job how far it is: each post passes twice, for its own row and for its votes."""

    def __init__(self, report: Report, posts: int) -> None:
        self.report, self.total, self.done = report, 2 * posts, 0

    def add(self, posts: int, message: str) -> None:
        """Tell that so many more have passed; raises JobCancelled where the job is to end."""
        self.done += posts
        self.report(self.done, self.total, message)


class Tables:
    """All tables of a release while they are written; those that it has not are passed over.

    Each block is looked through for what names people before it is written. One thread writes,
    block after block, while the next ones are read: libraries do both, side by side. What went
    wrong there is raised by a later block, or at the end.
    """

    def __init__(self, sources: Sources, folder: Path) -> None:
        self.folder, self.layout = folder, sources.layout
        self.scan = Scan(known=known_ids(sources.study))
        self.stack = ExitStack()
        self.files: dict[str, TableFiles] = {}
        self.writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="release")
        self.waiting: deque[Future[None]] = deque()

    def __enter__(self) -> "Tables":
        for table in self.layout.tables:
            files = self.stack.enter_context(TableFiles(self.folder, self.layout, table))
            self.files[table.name] = files
        return self

    def __exit__(self, *error: Any) -> None:
        self.writer.shutdown(wait=True, cancel_futures=bool(error[0]))
        self.stack.__exit__(*error)
        if not error[0]:
            self.wait_for(most=0)

    def wait_for(self, most: int) -> None:
        """Wait until no more than so many blocks wait to be written."""
        while len(self.waiting) > most:
            self.waiting.popleft().result()

    def write(self, table: Table, values: Values) -> None:
        """Have a block of cells written."""
        if files := self.files.get(table.name):
            self.wait_for(most=MOST_WAITING - 1)
            self.waiting.append(self.writer.submit(self.write_now, table.name, files, values))

    def write_now(self, name: str, files: TableFiles, values: Values) -> None:
        """Look through a block of cells, and write it."""
        frame = files.frame(values)
        self.scan.look(name, frame)
        files.write(frame)

    def write_rows(self, table: Table, rows: Sequence[dict[str, Any]]) -> None:
        """Write a block of rows."""
        if rows and (files := self.files.get(table.name)):
            names = [column.name for column in files.columns]
            cells = zip(*map(itemgetter(*names), rows), strict=True)
            self.write(table, dict(zip(names, cells, strict=True)))

    @property
    def written(self) -> dict[str, Written]:
        """Return what was written, by the files' names."""
        return {name: one for files in self.files.values() for name, one in files.written.items()}


def write_tables(
    sources: Sources, folder: Path, report: Report
) -> tuple[RowCounts, Scan, dict[str, Written]]:
    """Write all tables into a folder; return counts of rows, what was found, what was written."""
    votes = chosen_votes(sources)
    steps = Steps(report, Post.objects.filter(study=sources.study, dropped_reason="").count())
    steps.add(0, _("Reading what experts said"))
    with Tables(sources, folder) as tables:
        counted = write_posts(sources, tables, steps)
        for block in vote_blocks(sources):
            tables.write(VOTES, block)
            steps.add(len(set(block["post_id"])), _("Writing the votes"))
        if sources.has_legal:
            write_blocks(tables, EVIDENCE, evidence_blocks(votes), steps)
        tables.write_rows(WORKERS, worker_rows(sources))
    return counted, tables.scan, tables.written


def write_posts(sources: Sources, tables: Tables, steps: Steps) -> RowCounts:
    """Write posts, verdicts and issues side by side."""
    counted = counts_for(sources)
    chances = experts_chances(sources.study) if sources.has_legal else {}
    for block in post_blocks(sources, legal_sources(sources.study, chances)):
        count_block(counted, block)
        tables.write_rows(POSTS, block.posts)
        tables.write_rows(VERDICTS, list(block.verdicts.values()))
        tables.write_rows(ISSUES, block.issues)
        steps.add(len(block.posts), _("Writing the posts"))
    return counted


def counts_for(sources: Sources) -> RowCounts:
    """Return counts of the rows of posts and verdicts, before the first one."""
    pattern = f"crowd_{LABEL}"
    return RowCounts({one: label_column(pattern, one) for one in sources.rounds.labels})


def count_block(counted: RowCounts, block: PostBlock) -> None:
    """Count the rows of a block."""
    for row in block.posts:
        counted.add(row, block.verdicts.get(row["post_id"]))


def write_blocks(
    tables: Tables, table: Table, blocks: Iterable[list[dict[str, Any]]], steps: Steps
) -> None:
    """Write blocks of rows that are not counted as progress."""
    for block in blocks:
        tables.write_rows(table, block)
        steps.add(0, _("Writing the evidence"))
