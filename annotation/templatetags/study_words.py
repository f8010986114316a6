"""Codes and records of the shared ground in words, for templates."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import ATTENTION, ImportFile
from annotation.queries.words import DELIMITERS, FIGURES, STEPS, THINGS
from annotation.registry import Text, importer
from annotation.scoring import Spread
from annotation.services.importing import EMPTY_AFTER_CLEANING

register = template.Library()

DROPPED = {
    EMPTY_AFTER_CLEANING: gettext_lazy("Nothing was left of its text after cleaning."),
    ATTENTION: gettext_lazy(
        "Written by a researcher to see who reads with care. It is no part of the dataset."
    ),
}


@register.filter
def importer_title(file: ImportFile) -> Text:
    """Return what a file holds."""
    return importer(file.importer).title


@register.filter
def step_words(step: str) -> Text:
    """Return what a step of cleaning does."""
    return STEPS.get(step, step)


@register.filter
def dropped_words(reason: str) -> Text:
    """Return why a post was dropped."""
    return DROPPED.get(reason, reason)


@register.filter
def thing_title(thing: str) -> Text:
    """Return the name of what a column holds."""
    return _("Line") if thing == "line" else THINGS.get(thing, thing)


@register.filter
def delimiter_words(delimiter: str) -> Text:
    """Return the name of what parts the cells of a file."""
    return DELIMITERS.get(delimiter, delimiter)


@register.filter
def import_figures(file: ImportFile) -> list[dict[str, Any]]:
    """Return the numbers of an import's report that have a name, in the order above."""
    return [
        {"label": label, "value": file.report[name]}
        for name, label in FIGURES.items()
        if isinstance(file.report.get(name), int) and (name != "warned" or file.report[name])
    ]


@register.filter
def sample_names(samples: list[dict[str, Any]]) -> list[str]:
    """Return what the samples show: the line first, then what any of them has."""
    names = dict.fromkeys(name for sample in samples for name in sample)
    return sorted(names, key=lambda name: name != "line")


@register.filter
def sample_rows(samples: list[dict[str, Any]]) -> list[list[tuple[str, str]]]:
    """Return the samples' names and cells, in the order of the names."""
    names = sample_names(samples)
    return [[(name, as_text(sample.get(name))) for name in names] for sample in samples]


def as_text(cell: object) -> str:
    """Return a cell as text; lists with commas, objects as name and value."""
    if isinstance(cell, list):
        return ", ".join(map(str, cell))
    if isinstance(cell, dict):
        return ", ".join(f"{name}: {value}" for name, value in cell.items())
    return "" if cell is None else str(cell)


@register.filter
def percent(share: float) -> str:
    """Return a share as a whole percentage."""
    return f"{100 * share:.0f}%"


@register.filter
def word(names: Mapping[str, Any], code: str) -> Any:
    """Return what a code is called or stands for, the code itself where it has no name."""
    return names.get(code, code)


SCALE_FROM, SCALE_TO = -0.2, 1.0


@register.filter
def on_scale(alpha: float) -> str:
    """Return how far to the right an alpha stands on a scale of 0 to 120; below −0.2 at its end."""
    return f"{100 * (min(max(alpha, SCALE_FROM), SCALE_TO) - SCALE_FROM):.1f}"


@register.filter
def score(value: float | None) -> str:
    """Return a score in hundredths with one decimal, as papers print it."""
    return _("undefined") if value is None else f"{100 * value:.1f}"


@register.filter
def mean_and_deviation(found: Spread) -> str:
    """Return mean ± standard deviation in hundredths; the deviation needs two values."""
    if found.deviation is None:
        return score(found.mean)
    return f"{score(found.mean)} ± {score(found.deviation)}"
