"""`manage.py import_votes`: votes that were made elsewhere become a round of a stage."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import yaml
from django.core.management import CommandError
from django.utils.translation import gettext as _

from annotation.management.base import find_study, open_file
from annotation.management.importing import ImportCommand, chosen_columns
from annotation.models import StageCode
from annotation.registry import Importer, stages
from annotation.tables import TableError, guess_columns, open_table


class Command(ImportCommand):
    """Imports votes (one row a vote) or counts (one row a post)."""

    help = "Import votes that were made elsewhere, as a round of their own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what can be chosen."""
        super().add_arguments(parser)
        parser.add_argument("--stage", required=True, choices=[StageCode.CROWD, StageCode.LEGAL])
        parser.add_argument(
            "--counts",
            nargs="+",
            metavar="COLUMN",
            help="the file holds counts: one column a label, or one column of JSON objects",
        )
        parser.add_argument(
            "--column",
            action="append",
            default=[],
            metavar="THING=NAME",
            help="which column holds what, such as annotator=coder; may be given again",
        )
        parser.add_argument(
            "--issue-map",
            type=Path,
            metavar="FILE",
            help="JSON or YAML: the file's name of a legal issue → our code, or a list of codes",
        )

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        """Import the file; return what came of it."""
        find_study(options["study"])
        known = {thing for kind in importers_of(options["stage"]) for thing in kind.wanted}
        columns = chosen_columns(options["column"], known)
        more = {"counts": options["counts"]} if options["counts"] else {}
        if options["issue_map"]:
            more["issue_map"] = read_issue_map(options["issue_map"])
        kind = fitting_importer(options, columns)
        return self.load(self.store(options, kind, **more), columns)


def importers_of(stage: str) -> tuple[Importer, ...]:
    """Return the kinds of files that a stage takes, the most telling first."""
    return next(known.importers for known in stages() if known.code == stage)


def fitting_importer(options: dict[str, Any], columns: dict[str, str]) -> Importer:
    """Return the first kind whose required columns the file has, else the last one.

    The last one asks for the least, and its reader says what it misses.
    """
    kinds = importers_of(options["stage"])
    if options["counts"]:
        return kinds[-1]
    found = columns_of(options)
    for kind in kinds:
        guessed = guess_columns(found, kind.wanted) | columns
        if all(guessed.get(thing) for thing, is_required in kind.wanted.items() if is_required):
            return kind
    return kinds[-1]


def columns_of(options: dict[str, Any]) -> tuple[str, ...]:
    """Return a file's columns, or the reader's sentence about it."""
    path: Path = options["file"]
    open_file(path).close()
    reading = {key: options[key] for key in ("format", "delimiter", "encoding")}
    try:
        return open_table(path, **reading).columns
    except TableError as error:
        raise CommandError(_(error.fault.template) % error.details) from None


def read_issue_map(path: Path) -> dict[str, list[str]]:
    """Return a mapping of names to lists of codes, or say what is wrong with the file."""
    with open_file(path) as file:
        raw = file.read()
    try:
        text = raw.decode("utf-8-sig")
        found = json.loads(text) if path.suffix.lower() == ".json" else yaml.safe_load(text)
    except (ValueError, yaml.YAMLError) as error:
        sentence = _("The mapping %(path)s cannot be read: %(reason)s")
        reason = str(error).partition("\n")[0]
        raise CommandError(sentence % {"path": path, "reason": reason}) from None
    if not isinstance(found, dict) or not all(map(is_code_or_codes, found.values())):
        raise CommandError(
            _("The mapping %s must be one object: their name → our code, or a list of codes.")
            % path
        )
    return {str(name): codes_of(value) for name, value in found.items()}


def is_code_or_codes(value: object) -> bool:
    """Say whether a value of the mapping is nothing, a code, or a list of codes."""
    parts = value if isinstance(value, list) else [value]
    return value is None or all(isinstance(part, str) for part in parts)


def codes_of(value: str | list[str] | None) -> list[str]:
    """Return a value of the mapping as a list."""
    if not value:
        return []
    return [value] if isinstance(value, str) else value
