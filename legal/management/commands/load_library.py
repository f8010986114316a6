"""`manage.py load_library`: takes the documents of a folder into a study's legal library."""

from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.utils.translation import gettext as _

from annotation.management.base import StudyCommand, find_study, open_file
from legal.algorithms.extraction import Unreadable, kind_of
from legal.models import SourceType
from legal.services.library_documents import About, LibraryRefused, upload_documents


class Command(StudyCommand):
    """Uploads what a folder holds, and builds the library."""

    help = "Take the txt, md, html, pdf and docx files of a folder into the legal library."
    expected = (LibraryRefused,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what can be chosen."""
        super().add_arguments(parser)
        parser.add_argument("study", help="the study's short name")
        parser.add_argument("folder", type=Path, help="a folder, or one file")
        parser.add_argument("--source-type", choices=SourceType.values, default=SourceType.STATUTE)
        parser.add_argument("--jurisdiction", default="", help="whose law it is")
        parser.add_argument("--licence", default="", help="on which terms the texts may be used")
        parser.add_argument("--language", default="", help="a code, such as en")

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return what was taken, what was not and why, and the version that was built."""
        about = About(
            **{
                name: options[name]
                for name in ("source_type", "jurisdiction", "licence", "language")
            }
        )
        study = find_study(options["study"])
        with ExitStack() as opened:
            files = [
                (path.name, opened.enter_context(open_file(path)))
                for path in documents_in(options["folder"])
            ]
            outcome = upload_documents(by=None, study=study, files=files, about=about)
        facts: dict[str, Any] = {"study": study.slug, "taken": len(outcome.taken)}
        facts["refused"] = [{"name": name, "reason": why} for name, why in outcome.refused]
        return facts | (self.run_job(outcome.job) if outcome.job else {})


def documents_in(folder: Path) -> list[Path]:
    """Return the files of a folder that may be documents, by name."""
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise CommandError(_("There is no folder %s.") % folder)
    found = [path for path in sorted(folder.iterdir()) if path.is_file() and is_document(path)]
    if not found:
        raise CommandError(_("The folder %s has no txt, md, html, pdf or docx file.") % folder)
    return found


def is_document(path: Path) -> bool:
    """Say whether a file's name ends like one of a document."""
    try:
        kind_of(path.name)
    except Unreadable:
        return False
    return True
