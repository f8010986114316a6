"""The filter's long work, as a job."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import Job
from annotation.registry import JobKind, register_job
from filtering.queries.runs import runs_of
from infra.jobs import Report


def run_url(job: Job) -> str:
    """Return the page of the run that a job does."""
    return reverse("filter_run", args=[job.study.slug, job.parameters["run"]])


def run(job: Job, report: Report) -> dict[str, Any]:
    """Do a filter run."""
    from filtering.services.filtering import run_filter

    return run_filter(run=runs_of(job.study).get(job=job), report=report)


register_job(JobKind("run_filter", _("Run the filter"), run, run_url))
