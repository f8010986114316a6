"""Makes a release from a terminal and copies its files to a folder."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.utils.translation import gettext as _

from annotation.management.base import StudyCommand, find_study
from releases.choices import ReleaseChoices, Splits, Stage, Texts, Versions
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
        default = ReleaseChoices()
        parser.add_argument("study", help="the study's short name")
        parser.add_argument("--out", required=True, type=Path, help="folder for the files")
        parser.add_argument(
            "--stages", nargs="+", default=list(Stage), choices=list(Stage), help="whose work"
        )
        parser.add_argument("--texts", default=default.texts, choices=list(Texts))
        parser.add_argument("--versions", default=default.versions, choices=list(Versions))
        parser.add_argument("--crowd-round", type=int, help="release this crowd round alone")
        parser.add_argument("--train", type=int, default=0, help="posts of a hundred to train on")
        parser.add_argument("--validation", type=int, default=0, help="posts of a hundred to tune")
        parser.add_argument("--seed", type=int, default=0, help="mixes the posts of the splits")
        parser.add_argument("--licence", default="", help="an SPDX identifier, or words")
        parser.add_argument("--citation", default="", help="how to cite the data")
        parser.add_argument(
            "--insists", default="", help="why it is released in spite of what the scan finds"
        )

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        """Make it, and return its number, counts and files."""
        study, folder = find_study(options["study"]), options["out"].expanduser().absolute()
        refuse_to_overwrite(folder)
        job = make_release(by=None, study=study, choices=choices_of(options))
        result = self.run_job(job)
        release = release_in_detail(study).get(number=result["release"])
        hand_out(release=release, folder=folder)
        return {**facts(release), "out": str(folder)}


def choices_of(options: dict[str, Any]) -> ReleaseChoices:
    """Return what was chosen; stages in their order, each once."""
    train, validation = options["train"], options["validation"]
    test = 100 - train - validation
    try:
        splits = Splits(train=train, validation=validation, test=test, seed=options["seed"])
    except ValueError:
        sentence = _("--train and --validation are shares of a hundred posts; test has the rest.")
        raise CommandError(sentence) from None
    same = ("texts", "versions", "crowd_round", "licence", "citation", "insists")
    return ReleaseChoices(
        stages=tuple(stage.value for stage in Stage if stage in options["stages"]),
        splits=splits,
        **{name: options[name] for name in same},
    )
