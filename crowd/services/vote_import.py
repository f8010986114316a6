"""Imports a crowd round in long form: one row a vote, with the person who gave it.

A repeat by the same person on the same post is a new version, in the order of time (rows without a
time come first) or of the file. The rows are sorted by the database, so memory stays bounded;
everything happens in one transaction.

Of a file's options it reads `columns`: {"id", "annotator", "label", "seconds", "time" → column};
what is not named there is guessed by name. `format`, `delimiter`, `encoding` are the reader's.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _
from psycopg2.extras import execute_values

from annotation.models import Batch, ImportFile, ImportState, Role, Study, User, Vote
from annotation.registry import importer
from annotation.services.batches import add_tasks
from annotation.services.people import imported_members
from annotation.services.reading import (
    Columns,
    Problem,
    choose_columns,
    open_import,
    read_through,
    readings,
    refuse_bad_rows,
)
from annotation.tables import Row, id_text
from crowd.services.rounds import (
    PostIndex,
    find_post,
    finish_file,
    label_problem,
    refuse_known_file,
    start_imported_round,
)
from infra.jobs import Report

BLOCK = 2_000
MOST_NAME_CHARACTERS = 200
MILLISECONDS_FROM = 100_000_000_000

STAGED = """
    DROP TABLE IF EXISTS pg_temp.crowd_staged_vote;
    CREATE TEMPORARY TABLE crowd_staged_vote (
        line bigint, post_id bigint, annotator text, label text,
        seconds double precision, given_at timestamptz
    ) ON COMMIT DROP
"""
ORDERED = """
    SELECT task.id, member.id, staged.label, staged.seconds, staged.given_at, row_number() OVER (
        PARTITION BY staged.post_id, staged.annotator
        ORDER BY staged.given_at NULLS FIRST, staged.line)
    FROM crowd_staged_vote AS staged
    JOIN annotation_task AS task ON task.batch_id = %s AND task.post_id = staged.post_id
    JOIN annotation_member AS member ON member.study_id = %s AND member.user_id IS NULL
        AND member.role = %s AND member.imported_name = staged.annotator
    ORDER BY staged.line
"""


@dataclass(frozen=True)
class VoteReading:
    """A row that can become a vote."""

    line: int
    post: int
    external_id: str
    annotator: str
    label: str
    seconds: float | None
    given_at: datetime | None


def vote_reader(file: ImportFile) -> Callable[[Row, Columns], VoteReading | Problem]:
    """Return the reader of one file's votes; refuse a file that is a round already."""
    refuse_known_file(file)
    index = PostIndex(file.study)

    def read(row: Row, columns: Columns) -> VoteReading | Problem:
        annotator, label = (
            id_text(columns.cell(row, "annotator")),
            id_text(columns.cell(row, "label")),
        )
        post, reason = find_post(index, columns.cell(row, "id"))
        seconds, bad_seconds = seconds_of(columns.cell(row, "seconds"))
        given_at, bad_time = time_of(columns.cell(row, "time"))
        reason = (
            reason or name_problem(annotator) or label_problem(label) or bad_seconds or bad_time
        )
        external_id = id_text(columns.cell(row, "id"))
        if reason or post is None:
            return Problem(row.line, reason, f"{external_id}, {annotator}, {label}"[:200])
        return VoteReading(row.line, post, external_id, annotator, label, seconds, given_at)

    return read


def name_problem(annotator: str) -> str:
    """Say what is wrong with the name of an annotator, or nothing."""
    if not annotator:
        return _("The annotator is missing.")
    if len(annotator) > MOST_NAME_CHARACTERS:
        return _("The annotator's name has more than %s characters.") % MOST_NAME_CHARACTERS
    return ""


def seconds_of(cell: object) -> tuple[float | None, str]:
    """Return the seconds that a vote took, or what is wrong with them."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return None, ""
    try:
        seconds = float(cell) if isinstance(cell, str | int | float) else math.nan
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds) or seconds < 0:
        return None, _("The seconds “%s” are no number from 0 up.") % str(cell)[:50]
    return seconds, ""


def time_of(cell: object) -> tuple[datetime | None, str]:
    """Return when a vote was given, or what is wrong with the time; no zone means UTC."""
    text = str(cell if cell is not None else "").strip()
    if not text:
        return None, ""
    try:
        found = parse_datetime(text) or day(text) or since_1970(text)
    except (ValueError, OverflowError, OSError):
        found = None
    if found is None:
        sentence = _("The time “%s” cannot be read. Write it as 2024-03-01 14:05:00.")
        return None, sentence % text[:50]
    return found if timezone.is_aware(found) else found.replace(tzinfo=UTC), ""


def day(text: str) -> datetime | None:
    """Return the start of a day written as 2024-03-01."""
    found = parse_date(text)
    return datetime(found.year, found.month, found.day, tzinfo=UTC) if found else None


def since_1970(text: str) -> datetime:
    """Return a time counted in seconds or milliseconds; raise ValueError for anything else."""
    number = float(text)
    if number < 0:
        raise ValueError
    seconds = number / 1000 if number >= MILLISECONDS_FROM else number
    return datetime.fromtimestamp(seconds, tz=UTC)


def vote_sample(reading: VoteReading) -> dict[str, Any]:
    """Return what the report shows of a good row."""
    return {
        "line": reading.line,
        "id": reading.external_id,
        "annotator": reading.annotator,
        "label": reading.label,
    }


def import_votes(*, by: User | None, file: ImportFile, report: Report) -> dict[str, Any]:
    """Import a file's votes as a round of its own."""
    if file.state == ImportState.LOADED:  # its worker died before it could say so
        return dict(file.report)
    refuse_known_file(file)
    table = open_import(file)
    columns = choose_columns(file, table, importer(file.importer).wanted)

    def read_again() -> Iterator[VoteReading | Problem]:
        return readings(table, columns, vote_reader(file))

    outcome = read_through(file=file, found=read_again(), report=report, sample=vote_sample)
    refuse_bad_rows(file, outcome)
    with transaction.atomic():
        good = (reading for reading in read_again() if isinstance(reading, VoteReading))
        stage_rows(good, total=outcome.good, report=report)
        batch = start_imported_round(file, set(staged_texts("label")))
        posts = add_tasks(batch=batch, post_ids=staged_posts())
        people = make_people(file.study)
        votes, corrections = write_votes(batch, total=outcome.good, report=report)
        counts = {
            "round": batch.number,
            "posts": len(posts),
            "votes": votes,
            "corrections": corrections,
            "people": people,
            "labels": batch.labels,
        }
        bad = {"bad": outcome.bad, "bad_rows": outcome.shown}
        finish_file(file, {**counts, **bad, "chosen": dict(columns.chosen)})
    return {**counts, "bad": outcome.bad, "bad_rows": outcome.shown[:20]}


def stage_rows(good: Iterator[VoteReading], *, total: int, report: Report) -> None:
    """Put rows where the database can sort them, in blocks."""
    done = 0
    with connection.cursor() as cursor:
        cursor.execute(STAGED)
        while block := list(islice(good, BLOCK)):
            rows = [
                (row.line, row.post, row.annotator, row.label, row.seconds, row.given_at)
                for row in block
            ]
            execute_values(
                cursor.cursor, "INSERT INTO crowd_staged_vote VALUES %s", rows, page_size=BLOCK
            )
            done += len(block)
            report(done, 2 * total, _("Reading votes"))
        cursor.execute("ANALYZE crowd_staged_vote")


def staged_texts(column: str) -> Iterator[str]:
    """Yield the different values of a column of the staged rows."""
    assert column in {"label", "annotator"}
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT DISTINCT {column} FROM crowd_staged_vote")  # noqa: S608 -- two names
        yield from (value for (value,) in cursor.fetchall())


def staged_posts() -> list[int]:
    """Return the posts of the staged rows in the order of the file."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT post_id FROM crowd_staged_vote GROUP BY post_id ORDER BY min(line)")
        return [post for (post,) in cursor.fetchall()]


def make_people(study: Study) -> int:
    """Make a member for each new name in the staged rows; return how many people there are."""
    names = set(staged_texts("annotator"))
    return len(imported_members(study=study, role=Role.CROWD_WORKER, names=names))


def write_votes(batch: Batch, *, total: int, report: Report) -> tuple[int, int]:
    """Write the staged rows as votes, in blocks; return how many, and how many corrections."""
    done = corrections = 0
    imported_at = timezone.now()
    with connection.chunked_cursor() as cursor:
        cursor.execute(ORDERED, [batch.pk, batch.study_id, Role.CROWD_WORKER])
        while block := cursor.fetchmany(BLOCK):
            Vote.objects.bulk_create(
                Vote(
                    task_id=task,
                    member_id=member,
                    version=version,
                    label=label,
                    seconds=seconds,
                    created_at=given_at or imported_at,
                )
                for task, member, label, seconds, given_at, version in block
            )
            done += len(block)
            corrections += sum(version > 1 for *_rest, version in block)
            report(total + done, 2 * total, _("Writing votes"))
    return done, corrections
