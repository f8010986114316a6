"""Has the charts of a release drawn, by a job of their own: no chart can lose a release."""

from typing import Any

from annotation.models import Job
from annotation.services.charts import store_charts
from annotation.services.jobs import queue_job
from crowd.queries.labels import label_names
from infra.jobs import Report
from releases.models import Release
from releases.queries.statistics import DRAWING_RELEASE, release_subject
from releases.services.row_drawings import row_drawings


def queue_release_charts(*, release: Release) -> Job:
    """Queue the drawing of a release's charts."""
    return queue_job(
        by=release.created_by,
        study=release.study,
        kind=DRAWING_RELEASE,
        parameters={"release": release.number},
    )


def draw_release_charts(*, release: Release, report: Report) -> dict[str, Any]:
    """Draw the charts of a release from its own statistics."""
    drawings = row_drawings(release.manifest["statistics"], label_names(release.study))
    stored = store_charts(
        study=release.study, subject=release_subject(release), drawings=drawings, report=report
    )
    return {"release": release.number, "charts": [chart.name for chart in stored]}
