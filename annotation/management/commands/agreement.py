"""`manage.py agreement`: how far a stage's annotators agree, or why that has no number."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management import CommandError
from django.utils.translation import gettext as _

from annotation.management.base import StudyCommand, find_study
from annotation.models import Batch, StageCode, Study
from annotation.queries.agreement import stage_agreement
from annotation.queries.breakdowns import breakdown, ways
from annotation.queries.counts import RoundsDiffer
from annotation.queries.parts import Part


class Command(StudyCommand):
    """Prints Krippendorff's alpha of a stage with its interval."""

    help = "Print the agreement of a stage's annotators (Krippendorff's alpha, nominal)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what can be chosen."""
        super().add_arguments(parser)
        parser.add_argument("study", help="the study's short name")
        parser.add_argument("--stage", required=True, choices=[StageCode.CROWD, StageCode.LEGAL])
        parser.add_argument("--round", type=int, help="count one round only, by its number")
        parser.add_argument("--by", choices=ways(), help="tell it in parts as well")

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return alpha, interval, posts, votes, people and reason; the parts if asked for."""
        study, stage, number = find_study(options["study"]), options["stage"], options["round"]
        rounds = Batch.objects.filter(study=study, stage=stage)
        if number is not None and not rounds.filter(number=number).exists():
            raise CommandError(_("This stage has no round %s.") % number)
        found = stage_agreement(study, stage, number).figures()
        if options["by"] is None:
            return found
        return found | {"parts": [part.figures() for part in parts(study, stage, options)]}

    def words(self, facts: dict[str, Any]) -> str:
        """Return the figures, or the sentence that stands for them."""
        lines = [facts["reason"]] if facts["reason"] else [alpha_words(facts)]
        if facts["votes"] is not None:
            lines.append(_("%(votes)s votes on %(posts)s posts") % facts)
        if facts["people"]:
            lines.append(_("%(people)s people") % facts)
        lines += [f"{part['name']}: {part_words(part)}" for part in facts.get("parts", ())]
        return "\n".join(lines)


def parts(study: Study, stage: str, options: dict[str, Any]) -> Sequence[Part]:
    """Return the parts that were asked for, or say why there are none."""
    try:
        return breakdown(study, stage, options["by"], options["round"])
    except RoundsDiffer as difference:
        raise CommandError(str(difference)) from difference
    except KeyError:
        raise CommandError(
            _("The agreement of this stage is not told by %s.") % options["by"]
        ) from None


def part_words(facts: dict[str, Any]) -> str:
    """Return the figures of a part, or the sentence that stands for them."""
    return facts["reason"] or f"{alpha_words(facts)}, " + _("%(posts)s posts") % facts


def alpha_words(facts: dict[str, Any]) -> str:
    """Return alpha with its interval."""
    text = f"alpha = {facts['alpha']:.4f}"
    if facts["interval"]:
        low, high = facts["interval"]
        text += " " + _("(95% interval {low:.4f} to {high:.4f})").format(low=low, high=high)
    return text
