"""The stored figures of a study, how they stand, and what has changed since they were counted."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Chart, Job, StageCode, Study
from annotation.models.votes import COUNTING
from annotation.queries.charts import charts_about
from annotation.queries.jobs import awaited_job
from crowd.models import LedgerEntry
from filtering.queries.runs import deciding_run
from legal.models import Decision
from releases.models import Release, StudyStatistics
from releases.queries.releases import STAGES

DRAWING, DRAWING_RELEASE = "draw_statistics", "draw_release_charts"
SUBJECT = "statistics"

VOTES = f"""
    SELECT task.stage, count(*), max(vote.id)
    FROM annotation_vote AS vote JOIN annotation_task AS task ON task.id = vote.task_id
        JOIN annotation_batch AS batch ON batch.id = task.batch_id
    WHERE batch.study_id = %(study)s AND {COUNTING} GROUP BY task.stage
"""  # noqa: S608 -- constants

SECTIONS = {
    "labels": (
        "table-1",
        "labels-crowd",
        "labels-legal",
        "issues",
        "crowd-by-verdict",
        "votes-per-post",
    ),
    "agreement": (
        "agreement",
        "agreement-crowd",
        "agreement-legal",
        "confusion-crowd",
        "confusion-legal",
    ),
    "work": ("votes-by-week", "seconds-crowd", "seconds-legal", "pay-by-week"),
}
"""Under which heading of the page each chart stands, and in which order."""


def state_of(study: Study) -> dict[str, Any]:
    """Return what changes with all that the figures rest on."""
    with connection.cursor() as cursor:
        cursor.execute(VOTES, {"study": study.pk})
        votes = {stage: [number, newest] for stage, number, newest in cursor.fetchall()}
    run = deciding_run(study)
    return {
        "posts": study.posts.filter(dropped_reason="").count(),
        "votes": {str(stage): votes.get(stage, [0, 0]) for stage in STAGES},
        "decisions": Decision.objects.filter(post__study=study).count(),
        "run": run.number if run else None,
        "entries": LedgerEntry.objects.filter(study=study).count(),
    }


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Tell what has changed since the figures were counted, one phrase for each kind."""
    if more := now["posts"] - before["posts"]:
        yield ngettext("%s post", "%s posts", more) % signed(more)
    for stage in STAGES:
        yield from changed_votes(stage, before["votes"][stage], now["votes"][stage])
    if more := now["decisions"] - before["decisions"]:
        yield ngettext("%s decision", "%s decisions", more) % signed(more)
    if before["run"] != now["run"]:
        yield _("another filter run counts: %s") % (now["run"] or _("none"))
    if more := now["entries"] - before["entries"]:
        yield ngettext("%s entry of pay", "%s entries of pay", more) % signed(more)


def changed_votes(stage: str, before: Sequence[int], now: Sequence[int]) -> Iterator[str]:
    """Tell how many votes of a stage came or went, or that some were corrected."""
    is_crowd, more = stage == StageCode.CROWD, now[0] - before[0]
    if more and is_crowd:
        yield ngettext("%s vote of the crowd", "%s votes of the crowd", more) % signed(more)
    elif more:
        yield ngettext("%s answer of an expert", "%s answers of experts", more) % signed(more)
    elif before[1] != now[1]:
        yield _("votes of the crowd were corrected") if is_crowd else _("answers were corrected")


def signed(number: int) -> str:
    """Return a difference with its sign."""
    return f"{number:+,}".replace("-", "−")


@dataclass(frozen=True)
class Figures:
    """The stored figures with their charts by section, and the job that counts them anew."""

    stored: StudyStatistics | None
    charts: dict[str, list[Chart]]
    job: Job | None
    changes: list[str]

    @property
    def is_being_drawn(self) -> bool:
        """Say whether a job is at it."""
        return self.job is not None and not self.job.has_ended


def study_figures(study: Study) -> Figures:
    """Return the figures of a study as they were counted last."""
    stored = StudyStatistics.objects.filter(study=study).first()
    return Figures(
        stored=stored,
        charts=by_section(charts_about(study, SUBJECT)),
        job=awaited_job(study, DRAWING),
        changes=list(changes(stored.state, state_of(study))) if stored else [],
    )


def by_section(found: list[Chart]) -> dict[str, list[Chart]]:
    """Return charts by the section in which they stand."""
    known = {chart.name: chart for chart in found}
    return {
        section: [known[name] for name in names if name in known]
        for section, names in SECTIONS.items()
    }


def release_subject(release: Release) -> str:
    """Return what the charts of a release are about, as they are kept."""
    return f"release/{release.number}"


def release_charts(release: Release) -> list[Chart]:
    """Return the charts of a release."""
    return charts_about(release.study, release_subject(release))


def release_drawing(release: Release) -> Job | None:
    """Return the job that draws a release's charts."""
    return awaited_job(release.study, DRAWING_RELEASE, release=release.number)
