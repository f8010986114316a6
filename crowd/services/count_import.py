"""Imports a crowd round as counts: one row a post, with how many people chose which label.

Counts are kept as tallies; nobody is invented. A row without counts is passed over and counted.
The counts stand in one column a label, or in one column as a JSON object (label → count).

Of a file's options it reads `columns`: {"id" → column, "counts" → the column that holds objects},
and `counts`: the names of the columns that hold one label each, or a single one that holds objects.
What is not named is guessed: columns called like the study's labels, else the column of objects of
whole numbers. `format`, `delimiter` and `encoding` are the reader's.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Batch, ImportFile, ImportState, Tally, User
from annotation.registry import importer
from annotation.services.batches import add_tasks
from annotation.services.reading import (
    Columns,
    Problem,
    choose_columns,
    open_import,
    read_through,
    readings,
    refuse_bad_rows,
)
from annotation.tables import Row, Table
from crowd.queries.labels import own_codes
from crowd.services.rounds import (
    PostIndex,
    find_post,
    finish_file,
    label_problem,
    refuse_known_file,
    start_imported_round,
)
from infra.jobs import JobRefused, Report

BLOCK = 1_000
LOOKED_AT = 1_000
MOST_VOTES = 1_000_000


@dataclass(frozen=True)
class CountColumns:
    """Where the counts stand: one column with an object, or a column a label."""

    whole: str = ""
    by_label: Sequence[str] = ()

    def raw(self, row: Row) -> object:
        """Return a row's counts as the file has them."""
        if self.whole:
            return row.values.get(self.whole)
        return {column: row.values.get(column) for column in self.by_label}


@dataclass(frozen=True)
class CountReading:
    """A row with the counts of a post; None where the row has none."""

    line: int
    post: int
    external_id: str
    counts: Mapping[str, int] | None


@dataclass
class Seen:
    """What the first reading of a file found."""

    labels: set[str] = field(default_factory=set)
    with_counts: int = 0


class BadCountError(ValueError):
    """Counts that are none; the text is a sentence for the person."""


def count_reader(file: ImportFile) -> Callable[[Row, Columns], CountReading | Problem]:
    """Return the reader of one file's counts; refuse a file that is a round already."""
    refuse_known_file(file)
    index = PostIndex(file.study)
    where = count_columns(file)
    met: dict[int, int] = {}

    def read(row: Row, columns: Columns) -> CountReading | Problem:
        cell, raw = columns.cell(row, "id"), where.raw(row)
        post, reason = find_post(index, cell)
        if post in met:
            reason = _("This post stands on line %s already.") % met[post]
        try:
            counts = None if reason else counts_of_cell(raw)
        except BadCountError as error:
            reason = str(error)
        if reason or post is None:
            return Problem(row.line, reason, f"{cell}: {raw}"[:200])
        met[post] = row.line
        return CountReading(row.line, post, str(cell), counts)

    return read


def count_columns(file: ImportFile) -> CountColumns:
    """Take the columns that were chosen, else those named like labels of the study, else guess."""
    table = open_import(file)
    chosen = file.options.get("counts") or (file.options.get("columns") or {}).get("counts")
    if isinstance(chosen, str):
        chosen = [chosen]
    if chosen:
        return chosen_columns(table, chosen)
    codes = own_codes(file.study)
    if set(codes) <= set(table.columns):
        return CountColumns(by_label=codes)
    return CountColumns(whole=guess_object_column(table))


def column_names(text: str) -> list[str]:
    """Return the columns that a person named with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def chosen_columns(table: Table, chosen: Sequence[str]) -> CountColumns:
    """Return the columns chosen; a single one holds objects."""
    missing = [column for column in chosen if column not in table.columns]
    if missing:
        sentence = _("The file has no column “%(column)s”. Its columns are: %(columns)s.")
        raise JobRefused(sentence % {"column": missing[0], "columns": ", ".join(table.columns)})
    return CountColumns(whole=chosen[0]) if len(chosen) == 1 else CountColumns(by_label=chosen)


def guess_object_column(table: Table) -> str:
    """Return the column whose cells are objects of whole numbers, or say that there is none."""
    found: set[str] = set()
    not_it: set[str] = set()
    for row in islice(table, LOOKED_AT):
        for column, cell in row.values.items() if isinstance(row, Row) else ():
            if is_count_object(cell):
                found.add(column)
            elif cell not in (None, ""):
                not_it.add(column)
    candidates = sorted(found - not_it, key=lambda column: "count" not in column.lower())
    if candidates:
        return candidates[0]
    sentence = _(
        "No counts were found: name the columns that hold them, one a label, or one that holds "
        'objects such as {"yes": 2, "no": 1}. The columns are: %s.'
    )
    raise JobRefused(sentence % ", ".join(table.columns))


def is_count_object(cell: object) -> bool:
    """Say whether a cell is an object of whole numbers."""
    try:
        return isinstance(as_object(cell), dict) and bool(counts_of_cell(cell))
    except BadCountError:
        return False


def as_object(cell: object) -> object:
    """Return a cell's object; a text that is JSON is read."""
    if isinstance(cell, str) and cell.strip().startswith("{"):
        try:
            return json.loads(cell)
        except ValueError:
            return cell
    return cell


def counts_of_cell(cell: object) -> dict[str, int] | None:
    """Return the counts above 0, None where there are none; refuse what is no counts."""
    found = as_object(cell)
    if found is None or found == "":
        return None
    if not isinstance(found, dict):
        sentence = _('“%s” is no object of counts such as {"yes": 2, "no": 1}.')
        raise BadCountError(sentence % str(cell)[:80])
    counts = {code_of(name): whole_number(name, count) for name, count in found.items()}
    return {code: count for code, count in counts.items() if count} or None


def code_of(name: str) -> str:
    """Return a label's code, or raise BadCountError."""
    code = name.strip()
    reason = label_problem(code)
    if reason:
        raise BadCountError(reason)
    return code


def whole_number(label: str, count: object) -> int:
    """Return a count; an empty cell beside others is 0. Raise BadCountError for anything else."""
    if count is None or (isinstance(count, str) and not count.strip()):
        return 0
    try:
        number = float(count) if isinstance(count, str | int | float) else -1.0
    except (ValueError, OverflowError):
        number = -1.0
    if isinstance(count, bool) or not number.is_integer() or not 0 <= number <= MOST_VOTES:
        sentence = _(
            "The count of “%(label)s” is “%(count)s”; it must be a whole number from 0 up."
        )
        raise BadCountError(sentence % {"label": label[:60], "count": str(count)[:30]})
    return int(number)


def count_sample(reading: CountReading) -> dict[str, Any]:
    """Return what the report shows of a good row."""
    counts = reading.counts or {}
    shown = ", ".join(f"{label}: {count}" for label, count in counts.items())
    return {
        "line": reading.line,
        "id": reading.external_id,
        "counts": shown or _("no counts; passed over"),
    }


def import_counts(*, by: User | None, file: ImportFile, report: Report) -> dict[str, Any]:
    """Import a file's counts as a round of its own."""
    if file.state == ImportState.LOADED:  # its worker died before it could say so
        return dict(file.report)
    refuse_known_file(file)
    table = open_import(file)
    columns = choose_columns(file, table, importer(file.importer).wanted)

    def read_again() -> Iterator[CountReading | Problem]:
        return readings(table, columns, count_reader(file))

    seen = Seen()
    found = noted(read_again(), seen)
    outcome = read_through(file=file, found=found, report=report, sample=count_sample)
    refuse_bad_rows(file, outcome)
    if not seen.with_counts:
        raise JobRefused(_("No row of the file has counts, so there is nothing to import."))
    with transaction.atomic():
        batch = start_imported_round(file, seen.labels)
        good = (reading for reading in read_again() if isinstance(reading, CountReading))
        votes = write_tallies(batch, good, total=outcome.good, report=report)
        counts = {
            "round": batch.number,
            "posts": seen.with_counts,
            "votes": votes,
            "without_counts": outcome.good - seen.with_counts,
            "labels": batch.labels,
        }
        bad = {"bad": outcome.bad, "bad_rows": outcome.shown}
        finish_file(file, {**counts, **bad, "chosen": dict(columns.chosen)})
    return {**counts, "bad": outcome.bad, "bad_rows": outcome.shown[:20]}


def noted(found: Iterator[CountReading | Problem], seen: Seen) -> Iterator[CountReading | Problem]:
    """Pass readings on, and note their labels."""
    for reading in found:
        if isinstance(reading, CountReading) and reading.counts:
            seen.labels |= set(reading.counts)
            seen.with_counts += 1
        yield reading


def write_tallies(batch: Batch, good: Iterator[CountReading], *, total: int, report: Report) -> int:
    """Write tallies in blocks, and a task a post; return how many votes they stand for."""
    posts: list[int] = []
    votes = done = 0
    while block := list(islice(good, BLOCK)):
        tallies = [
            Tally(batch=batch, post_id=reading.post, label=label, count=count)
            for reading in block
            for label, count in (reading.counts or {}).items()
        ]
        Tally.objects.bulk_create(tallies)
        posts += [reading.post for reading in block if reading.counts]
        votes += sum(tally.count for tally in tallies)
        done += len(block)
        report(done, total, _("Writing counts"))
    add_tasks(batch=batch, post_ids=posts)
    return votes
