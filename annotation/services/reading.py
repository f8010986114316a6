"""Reads an uploaded file for an importer: which column is what, which rows are bad and why.

An importer gives a reader, which turns rows of the table into its own readings or says what is
wrong with them. Checking and loading both go through it, so a dry run tells what loading would do.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.core.files.storage import default_storage
from django.utils.translation import gettext as _

from annotation.models import BadRows, ImportFile
from annotation.tables import BadRow, CsvWriter, Row, Table, TableError, guess_columns, open_table
from infra.jobs import JobRefused, Report

SHOWN_ROWS = 200
SAMPLES = 5
REPORT_EVERY = 500

Reading = TypeVar("Reading")


@dataclass(frozen=True)
class Problem:
    """A row that cannot be taken: where it stands, why, and how it begins."""

    line: int
    reason: str
    raw: str = ""


@dataclass(frozen=True)
class Columns:
    """Which column of the file holds which wanted thing; `rest` are the columns left over."""

    chosen: Mapping[str, str | None]
    rest: tuple[str, ...]

    def cell(self, row: Row, thing: str) -> Any:
        """Return a row's cell for a wanted thing, None where the file has no such column."""
        column = self.chosen.get(thing)
        return row.values.get(column) if column else None


@dataclass
class Outcome(Generic[Reading]):
    """What came of reading a whole file."""

    good: int = 0
    bad: int = 0
    warned: int = 0
    shown: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[dict[str, Any]] = field(default_factory=list)
    samples: list[dict[str, Any]] = field(default_factory=list)

    def findings(self, most: int = SHOWN_ROWS) -> dict[str, Any]:
        """Return bad rows and warnings as a report states them: how many, and the first ones."""
        return {
            "bad": self.bad,
            "bad_rows": self.shown[:most],
            "warned": self.warned,
            "warnings": self.warnings[:most],
        }

    def note_good(self, reading: Any, sample: Callable[[Any], dict[str, Any]]) -> None:
        """Count a row that can be taken; keep the first ones, and what to be warned of."""
        self.good += 1
        if len(self.samples) < SAMPLES:
            self.samples.append(sample(reading))
        warning = getattr(reading, "warning", "")
        if warning:
            self.warned += 1
            if len(self.warnings) < SHOWN_ROWS:
                self.warnings.append({"line": reading.line, "reason": warning})


RowReader = Callable[[Row, Columns], Reading | Problem]


def file_path(file: ImportFile) -> Path:
    """Return where an uploaded file lies."""
    return Path(default_storage.path(file.stored_as))


def bad_rows_path(file: ImportFile) -> Path:
    """Return where a file's bad rows are kept."""
    return file_path(file).with_suffix(".bad.csv")


def open_import(file: ImportFile) -> Table:
    """Open an uploaded file as a table, or refuse it with the reader's sentence."""
    options = {key: file.options.get(key) or None for key in ("format", "delimiter", "encoding")}
    try:
        return open_table(file_path(file), **options)
    except TableError as error:
        sentence = _(error.fault.template) % (error.details | named(file, error))
        raise JobRefused(sentence) from error


def named(file: ImportFile, error: TableError) -> dict[str, str]:
    """Put the name that the person knows in place of the name under which the file is kept."""
    return {"name": file.name} if "name" in error.details else {}


def choose_columns(file: ImportFile, table: Table, wanted: Mapping[str, bool]) -> Columns:
    """Take the columns that the person chose, guess the others, refuse when one is missing."""
    chosen: dict[str, str | None] = dict(guess_columns(table.columns, wanted))
    for thing, column in (file.options.get("columns") or {}).items():
        if column and column not in table.columns:
            sentence = _("The file has no column “%(column)s”. Its columns are: %(columns)s.")
            raise JobRefused(sentence % {"column": column, "columns": ", ".join(table.columns)})
        chosen[thing] = column or None
    missing = [thing for thing, is_required in wanted.items() if is_required and not chosen[thing]]
    if missing:
        sentence = _(
            "No column for %(missing)s could be found. Choose it; the columns are: %(columns)s."
        )
        raise JobRefused(
            sentence % {"missing": ", ".join(missing), "columns": ", ".join(table.columns)}
        )
    used = {column for column in chosen.values() if column}
    return Columns(chosen, tuple(column for column in table.columns if column not in used))


def readings(
    table: Table, columns: Columns, read_row: RowReader[Reading]
) -> Iterator[Reading | Problem]:
    """Read a table row by row."""
    for row in table:
        if isinstance(row, BadRow):
            yield Problem(row.line, _(row.fault.template) % dict(row.details), row.raw)
        else:
            yield read_row(row, columns)


def read_through(
    *,
    file: ImportFile,
    found: Iterator[Reading | Problem],
    report: Report,
    sample: Callable[[Reading], dict[str, Any]],
) -> Outcome[Reading]:
    """Read a whole file without writing any of it; put its bad rows into a file of their own."""
    outcome: Outcome[Reading] = Outcome()
    with CsvWriter(bad_rows_path(file), columns=["line", "reason", "row"]) as bad_rows:
        for number, reading in enumerate(found, start=1):
            if isinstance(reading, Problem):
                outcome.bad += 1
                bad_rows.write({"line": reading.line, "reason": reading.reason, "row": reading.raw})
                if len(outcome.shown) < SHOWN_ROWS:
                    outcome.shown.append({"line": reading.line, "reason": reading.reason})
            else:
                outcome.note_good(reading, sample)
            if number % REPORT_EVERY == 0:
                report(number, 0, _("%(number)s rows read") % {"number": number})
    return outcome


def refuse_bad_rows(file: ImportFile, outcome: Outcome[Any]) -> None:
    """Refuse to load a file that has bad rows, unless the person wants its good ones."""
    if outcome.good == 0:
        raise JobRefused(_("The file has no row that could be imported.") + first_reason(outcome))
    if outcome.bad and file.bad_rows == BadRows.REFUSE:
        sentence = _(
            "%(bad)s of %(rows)s rows are bad, so nothing was imported. Mend them, or choose to "
            "import the good rows only."
        )
        rows = outcome.good + outcome.bad
        raise JobRefused(sentence % {"bad": outcome.bad, "rows": rows} + first_reason(outcome))


def first_reason(outcome: Outcome[Any]) -> str:
    """Return the first bad row's line and reason, to stand behind a sentence."""
    if not outcome.shown:
        return ""
    first = outcome.shown[0]
    return " " + _("Line %(line)s: %(reason)s") % first


def most_upload_bytes() -> int:
    """Return the size that an uploaded file may have."""
    size: int = settings.UPLOAD_BYTES
    return size
