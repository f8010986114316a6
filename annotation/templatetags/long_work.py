"""Long work in words, for templates: its kind, how long it may take, and what keeps it waiting."""

from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.access import Permission
from annotation.models import Job, JobState
from annotation.queries.jobs import troubles, watch
from annotation.registry import Text, job_kind

register = template.Library()

MINUTE, HOUR, DAY = 60, 3_600, 86_400


@register.filter
def kind_title(job: Job) -> Text:
    """Return what a job is called."""
    return job_kind(job.kind).title


@register.inclusion_tag("components/troubles.html")
def queue_troubles() -> dict[str, Any]:
    """Name a worker or a queue that is missing; to stand wherever somebody waits for a job."""
    return {"troubles": troubles()}


@register.inclusion_tag("components/waiting.html", takes_context=True)
def waiting(
    context: dict[str, Any], job: Job | None, doing: Text, failed: Text, text: Text = ""
) -> dict[str, Any]:
    """Show a job that a page waits for, or that failed, in words for either; else nothing."""
    access = context["access"]
    if job is None or (job.has_ended and job.state != JobState.FAILED):
        return {}
    return {
        "watched": watch([job], with_parts=False)[0],
        "title": failed if job.has_ended else doing,
        "text": "" if job.has_ended else text,
        "study": access.study,
        "may_watch": access.may(Permission.MANAGE_DATA),
        "request": context["request"],
    }


@register.filter
def time_left(seconds: int) -> str:
    """Return how long something may still take, no more exactly than anybody can know."""
    if seconds < MINUTE:
        return _("Less than a minute left")
    if seconds < HOUR:
        minutes = round(seconds / MINUTE)
        return ngettext("About %d minute left", "About %d minutes left", minutes) % minutes
    if seconds < 2 * DAY:
        hours = round(seconds / HOUR)
        return ngettext("About %d hour left", "About %d hours left", hours) % hours
    days = round(seconds / DAY)
    return ngettext("About %d day left", "About %d days left", days) % days
