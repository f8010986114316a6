"""Turns the stages' reports into the steps of the funnel on a study's page."""

from typing import TypedDict

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _

from annotation.registry import Count, Stage, StageReport, Text

COLOURS = {"posts": "import"}


class Step(TypedDict):
    """What components/funnel_step.html shows."""

    name: Text
    count: int
    total: int | None
    stage: str
    state: str
    note: str
    url: str
    blocked: Text


def funnel_steps(stage: Stage, report: StageReport) -> list[Step]:
    """Return a stage's bars; what blocks the stage stands at its first bar."""
    return [
        {
            "name": count.title,
            "count": count.value,
            "total": count.total,
            "stage": COLOURS.get(stage.code, stage.code),
            "state": state_of(count, is_blocked=bool(report.blocked) and place == 0),
            "note": note_on(count),
            "url": count.url or report.url,
            "blocked": report.blocked if place == 0 else "",
        }
        for place, count in enumerate(report.counts)
    ]


def state_of(count: Count, *, is_blocked: bool) -> str:
    """Return done, current, waiting or blocked."""
    if is_blocked:
        return "blocked"
    if not count.value:
        return "waiting"
    is_done = count.total is None or count.value >= count.total
    return "done" if is_done else "current"


def note_on(count: Count) -> str:
    """Say of how many, and which share; nothing where the whole is unknown or nothing."""
    if not count.total:
        return ""
    share = 100 * count.value // count.total
    return _("of %(total)s (%(share)s%%)") % {"total": intcomma(count.total), "share": share}
