"""Has the figures of the legal stage drawn by a job, when asked and when votes have changed."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Chart, Job, JobState, Study, StudyState, User
from annotation.queries.jobs import job_under_way, jobs_about
from annotation.services.archive import lock_study
from annotation.services.charts import store_charts
from annotation.services.jobs import queue_job
from infra.jobs import JobRefused, Report
from legal.queries.figures import DRAWING, SUBJECT, legal_figures, votes_state
from legal.services.drawings import drawings_of

DRAWN_ANEW_AFTER = timedelta(hours=1)


@transaction.atomic
def queue_figures(*, by: User | None, study: Study) -> Job:
    """Queue the drawing of a study's figures; where it waits or runs already, return that job."""
    lock_study(study.pk)
    return job_under_way(study, DRAWING) or queue_job(
        by=by, study=study, kind=DRAWING, parameters={}
    )


def draw_figures(*, study: Study, report: Report) -> dict[str, Any]:
    """Draw the figures; they take the place of those from before."""
    state = votes_state(study)
    drawings = drawings_of(study) if state["votes"] else []
    if not drawings:
        raise JobRefused(_("No expert has voted yet, so there is nothing to draw."))
    stored = store_charts(study=study, subject=SUBJECT, drawings=drawings, report=report)
    return {"charts": [chart.name for chart in stored], "state": state}


def redraw_stale_figures() -> None:
    """Queue the drawing of figures whose votes have changed, an hour after the last time."""
    drawn = Chart.objects.filter(subject=SUBJECT).order_by().values("study").distinct()
    for study in Study.objects.filter(pk__in=drawn, state=StudyState.ACTIVE):
        if is_due(study):
            queue_figures(by=None, study=study)


def is_due(study: Study) -> bool:
    """Say whether a study's figures should be drawn anew; a job that failed is left to people."""
    newest = jobs_about(study, DRAWING).first()
    if newest is None or newest.state != JobState.SUCCEEDED or newest.ended_at is None:
        return False
    return newest.ended_at < timezone.now() - DRAWN_ANEW_AFTER and legal_figures(study).is_stale
