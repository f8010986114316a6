"""Makes a release from a terminal and copies its files to a folder."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.management.base import StudyCommand, find_study
from releases.models import Texts
from releases.queries.releases import facts, release_in_detail
from releases.services.releases import (
    ReleaseRefused,
    hand_out,
    make_release,
    refuse_to_overwrite,
)


class Command(StudyCommand):
    """Make a release."""

    help = "Make a release of a study and copy its files to a folder. Open tasks do not forbid it."
    expected = (ReleaseRefused,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what can be chosen."""
        super().add_arguments(parser)
        parser.add_argument("study", help="the study's short name")
        parser.add_argument("--out", required=True, type=Path, help="folder for the files")
        parser.add_argument("--texts", default=Texts.CLEANED.value, choices=Texts.values)
        parser.add_argument(
            "--crowd-round", type=int, help="show the votes of this crowd round in the dataset"
        )

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        """Make it, and return its number, counts and files."""
        study, folder = find_study(options["study"]), options["out"].expanduser().absolute()
        refuse_to_overwrite(folder)
        job = make_release(
            by=None, study=study, texts=options["texts"], crowd_round=options["crowd_round"]
        )
        result = self.run_job(job)
        release = release_in_detail(study).get(number=result["release"])
        hand_out(release=release, folder=folder)
        return {**facts(release), "out": str(folder)}
