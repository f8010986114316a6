"""Says choices, settings and figures in words: those of the forms that ask for them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.forms import ProtocolForm
from filtering.forms import RunForm
from filtering.queries.words import percent
from releases.choices import Stage
from releases.forms import ReleaseForm

NONE = "–"
SIDES = ("before", "after")
ASKED: dict[str, Mapping[str, Any]] = {
    "choices": ReleaseForm.base_fields,
    "choices.splits": ReleaseForm.base_fields,
    "filter_run": RunForm.base_fields,
    "filter_run.settings": RunForm.base_fields,
    "protocol": ProtocolForm.base_fields,
}
"""The fields that ask for a setting, by its group and name."""

UNASKED = {
    "choices.splits.test": gettext_lazy("Share for testing, in percent"),
    "crowd_labels": gettext_lazy("Labels of the crowd"),
    "metadata": gettext_lazy("Imported columns that are shown"),
    "instructions": gettext_lazy("Versions of the instructions"),
    "catalogue": gettext_lazy("Versions of the catalogue"),
    "software.name": gettext_lazy("Software"),
    "software.version": gettext_lazy("Version of the software"),
    "filter_run.number": gettext_lazy("Number"),
    "filter_run.encoder_revision": gettext_lazy("Revision of the encoder"),
    "filter_run.posts": gettext_lazy("Posts that it saw"),
    "filter_run.kept": gettext_lazy("Posts that it kept"),
}
"""What no form asks for by this name."""

MOVED = {
    "crowd_label": gettext_lazy("Crowd's label"),
    "verdict": gettext_lazy("Verdict"),
}
STAGE_NAMES = {Stage.CROWD: gettext_lazy("Crowd"), Stage.LEGAL: gettext_lazy("Experts")}


@dataclass(frozen=True)
class Change:
    """What two releases say of one thing, in words."""

    name: str
    before: str
    after: str


def changed_settings(found: Iterable[Mapping[str, Any]]) -> list[Change]:
    """Return the settings that differ, in words."""
    return [
        Change(
            name_of(one["name"]),
            value_of(one["name"], one["before"]),
            value_of(one["name"], one["after"]),
        )
        for one in found
    ]


def asked_by(name: str) -> Any:
    """Return the field that asks for a setting, if one does."""
    group, _dot, last = name.rpartition(".")
    return ASKED.get(group, {}).get(last)


def name_of(name: str) -> str:
    """Return what a setting is called; those of a filter run and of the study say so."""
    field = asked_by(name)
    if name in UNASKED:
        words = str(UNASKED[name])
    elif field is None:
        words = name.rpartition(".")[2].replace("_", " ")
    else:
        words = str(field.label)
    group = name.partition(".")[0]
    if group == "filter_run":
        return _("Filter run: %s") % words
    return _("Study: %s") % words if group == "protocol" else capfirst(words)


def value_of(name: str, value: Any) -> str:
    """Return what a setting is set to, as the form that asks for it offers it."""
    if value is None or value in ("", []):
        return NONE
    if isinstance(value, list):
        return ", ".join(value_of(name, one) for one in value)
    field = asked_by(name)
    offered = {str(key): str(words) for key, words in getattr(field, "choices", [])}
    if isinstance(value, bool):
        return offered.get("yes" if value else "no") or (_("Yes") if value else _("No"))
    return offered.get(str(value), str(value))


def moved_labels(result: Mapping[str, Any]) -> list[tuple[str, Change, int]]:
    """Return what was labelled, which label went to which, and on how many posts."""
    return [
        (str(words), Change("", one["before"] or NONE, one["after"] or NONE), one["posts"])
        for column, words in MOVED.items()
        for one in result["labels"][column]
    ]


def changed_figures(result: Mapping[str, Any]) -> list[Change]:
    """Return the figures of both releases: rows by table, Table 1, alpha by stage."""
    rows, alphas = _("Rows of %s"), _("Krippendorff's alpha: %s")
    return [
        *(changed(rows % one["name"], one, number) for one in result["tables"]),
        *(changed(label_of(one), one, count_with_share) for one in result["table_1"]),
        *(
            changed(alphas % STAGE_NAMES[Stage(one["name"])], one, "{:.3f}".format)
            for one in result["agreement"]
        ),
    ]


def changed(name: str, one: Mapping[str, Any], told: Callable[[Any], str]) -> Change:
    """Return what both releases say of one thing; a dash where one says nothing."""
    before, after = (NONE if one[side] is None else told(one[side]) for side in SIDES)
    return Change(name, before, after)


def label_of(one: Mapping[str, Any]) -> str:
    """Return what a line of Table 1 is called."""
    label = next(str(one[side]["label"]) for side in SIDES if one[side])
    return _("Table 1: %s") % label


def number(value: int) -> str:
    """Return a whole number as people read it."""
    return f"{value:,}"


def count_with_share(line: Mapping[str, Any]) -> str:
    """Return a line of Table 1."""
    return NONE if line["count"] is None else f"{line['count']:,} ({percent(line['share'])})"
