"""Makes a release: reads all in one snapshot, writes its files aside, then shows them at once.

What is half-made lies in a folder that nobody is shown, and goes when the job ends in any way. The
number is given when everything is there, so a job that is cancelled or fails uses none up.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pghistory
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.models import Job, Study
from annotation.queries.counts import RoundsDiffer
from annotation.services.archive import lock_study
from annotation.tables import CsvWriter, JsonLinesWriter, TableWriter, Written
from infra.jobs import JobRefused, Report
from releases.algorithms import RowCounts, statistics
from releases.columns import (
    DATASET_CSV,
    DATASET_JSONL,
    EVIDENCE_CSV,
    LIST_SEPARATOR,
    README,
    SAFE_DATASET_CSV,
    SAFE_EVIDENCE_CSV,
    SAFE_VOTES_CSV,
    STATISTICS,
    VOTES_CSV,
    crowd_column,
    dataset_columns,
    evidence_columns,
    vote_columns,
)
from releases.models import Release, ReleaseFile
from releases.queries.dataset import Sources, dataset_blocks, released_posts, sources_of
from releases.queries.evidence import evidence_blocks, released_attachments, released_pages
from releases.queries.figures import figures_of, provenance_of
from releases.queries.votes import released_votes, vote_blocks
from releases.services.readme import readme

Row = dict[str, Any]


def make(*, job: Job, report: Report) -> dict[str, Any]:
    """Make the release that a job is for; a job that has made one makes no other."""
    release = Release.objects.filter(job=job).first()
    if release is None:
        with aside(job) as folder:
            with one_snapshot():
                manifest, written = write_tables(job, folder, report)
            release = publish(job=job, folder=folder, manifest=manifest, written=written)
    return {"release": release.number, "open_tasks": release.open_tasks}


def study_folder(study: Study) -> Path:
    """Return where a study's releases lie."""
    return Path(default_storage.path(f"releases/{study.pk}"))


def release_folder(release: Release) -> Path:
    """Return where a release's files lie."""
    return study_folder(release.study) / str(release.number)


@contextmanager
def aside(job: Job) -> Iterator[Path]:
    """Give a job an empty folder of its own, and remove what is left of it at the end."""
    folder = study_folder(job.study) / f".making-{job.pk}"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "spreadsheet").mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def one_snapshot() -> Iterator[None]:
    """See everything as it is at this moment, whatever others write meanwhile."""
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        if is_outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


def write_tables(
    job: Job, folder: Path, report: Report
) -> tuple[dict[str, Any], dict[str, Written]]:
    """Write dataset and votes; return the manifest and what was written."""
    texts, crowd_round = job.parameters["texts"], job.parameters.get("crowd_round")
    try:
        sources = sources_of(job.study, texts=texts, crowd_round=crowd_round)
    except RoundsDiffer as difference:
        raise JobRefused(str(difference)) from None
    counted = RowCounts({label: crowd_column(label) for label in sources.rounds.labels})
    steps = Steps(report, rows_of_release(job.study))
    written = write_dataset(sources, folder, counted, steps)
    written |= write_votes(job.study, folder, steps)
    written |= write_evidence(job.study, folder, steps)
    figures = figures_of(sources, crowd_round=crowd_round)
    manifest = provenance_of(sources, crowd_round=crowd_round)
    return manifest | {"statistics": statistics(counted, figures)}, written


class Steps:
    """Counts rows and tells the job how many are done."""

    def __init__(self, report: Report, total: int) -> None:
        self.report, self.total, self.done = report, total, 0

    def add(self, rows: int, message: str) -> None:
        """Tell that so many rows more are written."""
        self.done += rows
        self.report(self.done, self.total, message)


def write_dataset(
    sources: Sources, folder: Path, counted: RowCounts, steps: Steps
) -> dict[str, Written]:
    """Write the dataset's three forms side by side, counting its rows."""
    columns = dataset_columns(sources.rounds.labels, with_text=sources.text_field is not None)
    with ExitStack() as stack:
        writers: dict[str, TableWriter] = {
            DATASET_CSV: CsvWriter(folder / DATASET_CSV, columns),
            SAFE_DATASET_CSV: CsvWriter(folder / SAFE_DATASET_CSV, columns, spreadsheet_safe=True),
        }
        lines = JsonLinesWriter(folder / DATASET_JSONL)
        for writer in (*writers.values(), lines):
            stack.enter_context(writer)
        for block in dataset_blocks(sources):
            for row in block:
                counted.add(row, verdict_row(row))
                shown = {column: row[column] for column in columns}
                lines.write(shown)
                write_flat(shown, writers.values())
            steps.add(len(block), _("Writing the dataset"))
    return {name: writer.close() for name, writer in (writers | {DATASET_JSONL: lines}).items()}


def verdict_row(row: Row) -> Row | None:
    """Return what a row says of its verdict, where it has one."""
    if row["verdict"] is None:
        return None
    votes = {f"votes_{answer}": number for answer, number in row["answers"].items()}
    return row | votes | {"tie": row["verdict_tie"], "decided": row["verdict_decided"]}


def rows_of_release(study: Study) -> int:
    """Return how many rows there are to write."""
    found = (released_posts, released_votes, released_pages, released_attachments)
    return sum(rows(study).count() for rows in found)


def write_votes(study: Study, folder: Path, steps: Steps) -> dict[str, Written]:
    """Write the votes, exactly and for spreadsheets."""
    names = (VOTES_CSV, SAFE_VOTES_CSV)
    blocks = told(vote_blocks(study), steps, _("Writing the votes"))
    return write_twice(folder, names, vote_columns(), blocks)


def write_evidence(study: Study, folder: Path, steps: Steps) -> dict[str, Written]:
    """Write what the votes name as evidence, exactly and for spreadsheets."""
    names = (EVIDENCE_CSV, SAFE_EVIDENCE_CSV)
    blocks = told(evidence_blocks(study), steps, _("Writing the evidence"))
    return write_twice(folder, names, evidence_columns(), blocks)


def told(blocks: Iterable[list[Row]], steps: Steps, message: str) -> Iterator[list[Row]]:
    """Pass blocks of rows through, and tell of each that it is written."""
    for block in blocks:
        yield block
        steps.add(len(block), message)


def write_twice(
    folder: Path, names: tuple[str, str], columns: list[str], blocks: Iterable[list[Row]]
) -> dict[str, Written]:
    """Write rows under two names: exactly, and for spreadsheets. What a row lacks stays empty."""
    exact, safe = names
    writers = {
        exact: CsvWriter(folder / exact, columns),
        safe: CsvWriter(folder / safe, columns, spreadsheet_safe=True),
    }
    with ExitStack() as stack:
        for writer in writers.values():
            stack.enter_context(writer)
        for block in blocks:
            for row in block:
                write_flat({column: row.get(column) for column in columns}, writers.values())
    return {name: writer.close() for name, writer in writers.items()}


def write_flat(row: Row, writers: Iterable[TableWriter]) -> None:
    """Write a row as CSV has it: lists joined to one cell."""
    flat = {
        name: LIST_SEPARATOR.join(value) if isinstance(value, list) else value
        for name, value in row.items()
    }
    for writer in writers:
        writer.write(flat)


@transaction.atomic
def publish(
    *, job: Job, folder: Path, manifest: dict[str, Any], written: dict[str, Written]
) -> Release:
    """Give the release its number, write what names it, and move the folder to its place."""
    study = lock_study(job.study_id)
    number = last_number(study) + 1
    open_tasks = sum(manifest["statistics"]["open_tasks"].values())
    with pghistory.context(user=job.created_by_id, action="make release"):
        release = Release.objects.create(
            study=study,
            number=number,
            texts=manifest["texts"],
            complete=not open_tasks,
            open_tasks=open_tasks,
            manifest=manifest,
            job=job,
            created_by=job.created_by,
        )
    written[STATISTICS] = write_text(folder / STATISTICS, statistics_text(release))
    written[README] = write_text(folder / README, readme(release, written))
    ReleaseFile.objects.bulk_create(
        ReleaseFile(
            release=release,
            name=name,
            sha256=file.sha256,
            size=file.size,
            rows=None if name in {STATISTICS, README} else file.rows,
        )
        for name, file in written.items()
    )
    place = release_folder(release)
    shutil.rmtree(place, ignore_errors=True)  # left by a process that died before it committed
    folder.rename(place)
    return release


def last_number(study: Study) -> int:
    """Return the number of a study's newest release, 0 where there is none."""
    newest = Release.objects.filter(study=study).aggregate(last=Max("number"))["last"]
    return newest or 0


def statistics_text(release: Release) -> str:
    """Return statistics.json."""
    manifest = release.manifest
    content = {
        "study": manifest["study"],
        "release": release.number,
        "texts": release.texts,
        "complete": release.complete,
        "filter_run": manifest["filter_run"],
        "crowd_round": manifest["crowd_round"],
        **manifest["statistics"],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def write_text(path: Path, text: str) -> Written:
    """Write a file of text; return its size and checksum."""
    content = text.encode()
    path.write_bytes(content)
    return Written(rows=0, size=len(content), sha256=hashlib.sha256(content).hexdigest())
