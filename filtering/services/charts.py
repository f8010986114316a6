"""Has the charts of finished runs drawn, by a job of their own: no chart can lose a run."""

from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Job
from annotation.services.charts import store_charts
from annotation.services.jobs import queue_job
from filtering.models import FilterRun
from filtering.queries.charts import DRAWING, subject_of
from filtering.services.drawings import drawings_of
from infra.jobs import JobRefused, Report


def queue_charts(*, run: FilterRun) -> Job:
    """Queue the drawing of a run's charts."""
    return queue_job(
        by=run.created_by, study=run.study, kind=DRAWING, parameters={"run": run.number}
    )


def draw_charts(*, run: FilterRun, report: Report) -> dict[str, Any]:
    """Draw the charts of a finished run; drawn again, they take the place of the old ones."""
    if not run.is_finished:
        raise JobRefused(_("The run is not finished, so there is nothing to draw."))
    drawings = drawings_of(run)
    stored = store_charts(
        study=run.study, subject=subject_of(run), drawings=drawings, report=report
    )
    return {"run": run.number, "charts": [chart.name for chart in stored]}
