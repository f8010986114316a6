"""`manage.py import_posts`: posts from a file, all of them or none unless told otherwise."""

from argparse import ArgumentParser
from typing import Any

from annotation.management.base import find_study
from annotation.management.importing import ImportCommand
from annotation.registry import importer


class Command(ImportCommand):
    """Imports posts; columns other than id and text are kept beside each post."""

    help = "Import posts from a CSV, TSV, JSON Lines or Parquet file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what can be chosen."""
        super().add_arguments(parser)
        parser.add_argument("--id-column", help="the column of the ids (guessed)")
        parser.add_argument("--text-column", help="the column of the texts (guessed)")

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        """Import the file; return how many posts were added, kept, dropped and known before."""
        find_study(options["study"])
        wanted = {"id": options["id_column"], "text": options["text_column"]}
        file = self.store(options, importer("posts"))
        return self.load(file, {thing: column for thing, column in wanted.items() if column})
