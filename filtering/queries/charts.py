"""The charts of a run as its page shows them, and how far their drawing is."""

from dataclasses import dataclass

from annotation.models import Chart, Job
from annotation.queries.charts import charts_about
from annotation.queries.jobs import awaited_job
from filtering.models import FilterRun

DRAWING = "draw_filter_charts"
OF_VOTES = ("shift", "alpha")


@dataclass(frozen=True)
class RunCharts:
    """The charts of a run: of its trials, and of the votes before and after.

    Where there are none, `job` is the one that draws them, or could not.
    """

    of_trials: list[Chart]
    of_votes: list[Chart]
    job: Job | None


def subject_of(run: FilterRun) -> str:
    """Return what the charts of a run are about, as they are kept."""
    return f"filter/{run.number}"


def run_charts(run: FilterRun) -> RunCharts:
    """Return the charts of a run."""
    found = charts_about(run.study, subject_of(run))
    return RunCharts(
        of_trials=[chart for chart in found if chart.name not in OF_VOTES],
        of_votes=[chart for chart in found if chart.name in OF_VOTES],
        job=None if found else awaited_job(run.study, DRAWING, run=run.number),
    )
