"""Looks through an uploaded file and keeps a report; imports nothing."""

from typing import Any

from annotation.models import ImportFile, ImportState
from annotation.registry import importer
from annotation.services.reading import choose_columns, open_import, read_through, readings
from infra.jobs import JobRefused, Report


def check_file(*, file: ImportFile, report: Report) -> dict[str, Any]:
    """Read a file with its importer's eyes; the report tells columns and bad rows."""
    try:
        found = examine(file, report)
    except JobRefused as refusal:
        table_columns = file.report.get("columns", [])
        file.report = {"columns": table_columns, "refused": str(refusal)}
        file.state = ImportState.REFUSED
        file.save(update_fields=["report", "state"])
        raise
    file.report, file.state = found, ImportState.CHECKED
    file.save(update_fields=["report", "state"])
    return {"good": found["good"], "bad": found["bad"]}


def examine(file: ImportFile, report: Report) -> dict[str, Any]:
    """Return the report on a file."""
    kind = importer(file.importer)
    table = open_import(file)
    file.report = {"columns": list(table.columns)}
    columns = choose_columns(file, table, kind.wanted)
    read_row = kind.reader(file)
    found = kind.against(file.study, readings(table, columns, read_row))
    outcome = read_through(file=file, found=found, report=report, sample=kind.sample)
    return {
        "format": table.format,
        "delimiter": table.delimiter,
        "encoding": table.encoding,
        "columns": list(table.columns),
        "chosen": dict(columns.chosen),
        "good": outcome.good,
        **outcome.findings(),
        "samples": outcome.samples,
    }
