"""Runs the filter from a terminal, and gives what it kept to the experts if asked to."""

import json
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.management.base import StudyCommand, find_study
from annotation.models import Pooling
from filtering.algorithms import Method
from filtering.queries.previews import warnings
from filtering.queries.runs import outcome
from filtering.services.promotion import promote_run
from filtering.services.runs import FilterRefused, start_run


class Command(StudyCommand):
    """Filter the posts that have crowd votes."""

    help = "Run the adversarial filter over the posts with crowd votes. Defaults: the protocol's."
    expected = (FilterRefused,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what can be chosen."""
        super().add_arguments(parser)
        parser.add_argument("study", help="the study's short name")
        parser.add_argument("--k", type=int, help="posts below which no trial falls")
        parser.add_argument("--trials", type=int, help="number of trials")
        parser.add_argument("--at-least", type=int, help="trials that must keep a post")
        parser.add_argument("--seed", type=int, help="seed of the trials' seeds")
        parser.add_argument("--encoder", default="", help="name on the hub, or a folder")
        parser.add_argument("--revision", help="the encoder's revision")
        parser.add_argument("--pooling", default="", choices=Pooling.values)
        parser.add_argument("--round", type=int, help="take the votes of this crowd round only")
        parser.add_argument("--method", choices=list(Method), default=Method.KL)
        parser.add_argument(
            "--set",
            nargs="+",
            default=[],
            metavar="NAME=VALUE",
            help="settings of the method, as learning_rate=0.01 (docs/filter.md lists them)",
        )
        end = parser.add_mutually_exclusive_group()
        end.add_argument(
            "--promote", action="store_true", help="open a legal batch of the kept posts"
        )
        end.add_argument(
            "--preview", action="store_true", help="tell what this k and others would keep"
        )

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        """Run, and return what each trial and round did."""
        run = start_run(
            by=None,
            study=find_study(options["study"]),
            k=options["k"],
            trials=options["trials"],
            seed=options["seed"],
            encoder=options["encoder"],
            revision=options["revision"],
            pooling=options["pooling"],
            round_number=options["round"],
            at_least=options["at_least"],
            method=options["method"],
            settings=dict(map(parsed, options["set"])),
            is_preview=options["preview"],
        )
        self.run_job(run.job)
        run.refresh_from_db()
        facts = outcome(run) | {"warnings": warnings(run)}
        if options["promote"]:
            facts["legal_batch"] = promote_run(by=None, run=run).number
        return facts


def parsed(word: str) -> tuple[str, Any]:
    """Return a setting's name and value; what is no number or yes or no stays text."""
    name, is_given, value = word.partition("=")
    if not is_given:
        raise FilterRefused(_("Write settings as NAME=VALUE, not “%s”.") % word)
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
