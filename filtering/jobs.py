"""The filter's long work, as jobs."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import Job
from annotation.registry import JobKind, register_job
from filtering.models import FilterRun
from filtering.queries.charts import DRAWING
from filtering.queries.runs import runs_of
from infra.jobs import Parts, Report


def run_of(job: Job) -> FilterRun:
    """Return the run that a job, or a part of one, does."""
    return runs_of(job.study).get(number=job.parameters["run"])


def run_url(job: Job) -> str:
    """Return the page of the run that a job does."""
    return reverse("filter_run", args=[job.study.slug, job.parameters["run"]])


def run(job: Job, report: Report) -> dict[str, Any] | Parts:
    """Do a filter run."""
    from filtering.services.filtering import run_filter

    return run_filter(run=run_of(job), report=report)


def encode(job: Job, report: Report) -> dict[str, Any]:
    """Compute the vectors of some posts of a run."""
    from filtering.services.encoding import encode_posts

    return encode_posts(run=run_of(job), post_ids=job.parameters["posts"], report=report)


def do_trial(job: Job, report: Report) -> dict[str, Any]:
    """Do one trial of a run."""
    from filtering.services.trials import do_trial

    return do_trial(run=run_of(job), number=job.parameters["trial"], report=report)


def draw(job: Job, report: Report) -> dict[str, Any]:
    """Draw the charts of a finished run."""
    from filtering.services.charts import draw_charts

    return draw_charts(run=run_of(job), report=report)


register_job(JobKind("run_filter", _("Run the filter"), run, run_url))
register_job(JobKind("encode_posts", _("Encode posts"), encode, run_url))
register_job(JobKind("filter_trial", _("Do a trial of the filter"), do_trial, run_url))
register_job(JobKind(DRAWING, _("Draw the charts of a filter run"), draw, run_url))
