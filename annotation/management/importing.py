"""What the commands that read a file share: their options, and the way from a file to its rows."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.utils.translation import gettext as _

from annotation.management.base import StudyCommand, find_study, open_file
from annotation.models import BadRows, ImportFile
from annotation.queries.words import FIGURES
from annotation.registry import Importer
from annotation.services.uploads import queue_load, store_file
from annotation.tables import FORMATS


class ImportCommand(StudyCommand):
    """A command that brings a file into a study."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what can be chosen."""
        super().add_arguments(parser)
        parser.add_argument("study", help="the study's short name")
        parser.add_argument("file", type=Path, help="CSV, TSV, JSON Lines or Parquet")
        parser.add_argument(
            "--bad-rows",
            choices=BadRows.values,
            default=BadRows.REFUSE,
            help="what becomes of the good rows when some are bad (%(default)s)",
        )
        parser.add_argument("--format", choices=FORMATS, help="the file's format (guessed)")
        parser.add_argument("--delimiter", help="what parts the cells (guessed)")
        parser.add_argument("--encoding", help="the text's encoding (guessed)")

    def store(self, options: dict[str, Any], kind: Importer, **more: Any) -> ImportFile:
        """Keep a copy of the file, with how it is to be read."""
        reading = {key: options[key] for key in ("format", "delimiter", "encoding") if options[key]}
        path: Path = options["file"]
        with open_file(path) as content:
            return store_file(
                by=None,
                study=find_study(options["study"]),
                kind=kind.code,
                name=path.name,
                content=content,
                bad_rows=options["bad_rows"],
                options={**reading, **more},
            )

    def load(self, file: ImportFile, columns: dict[str, str]) -> dict[str, Any]:
        """Import a stored file; return what came of it."""
        job = queue_load(by=None, file=file, bad_rows=file.bad_rows, columns=columns)
        result = self.run_job(job)
        return {"study": file.study.slug, "import": file.pk, "job": job.pk, **result}

    def words(self, facts: dict[str, Any]) -> str:
        """Return what came of an import: its numbers, bad rows and warnings."""
        numbers = [
            f"{label}: {facts[name]}"
            for name, label in FIGURES.items()
            if isinstance(facts.get(name), int)
        ]
        rows = [*facts.get("bad_rows", []), *facts.get("warnings", [])]
        return "\n".join([*numbers, *(_("Line %(line)s: %(reason)s") % row for row in rows)])


def chosen_columns(pairs: list[str], known: set[str]) -> dict[str, str]:
    """Return the columns of `--column thing=NAME`, or say what is wrong with one."""
    columns = {}
    for pair in pairs:
        thing, sign, name = pair.partition("=")
        if not sign or not name or thing not in known:
            sentence = _("“%(pair)s” should look like %(example)s=NAME; known are: %(known)s.")
            facts = {"pair": pair, "example": min(known), "known": ", ".join(sorted(known))}
            raise CommandError(sentence % facts)
        columns[thing] = name
    return columns
