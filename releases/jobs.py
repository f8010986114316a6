"""The making of a release, as a job."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import Job
from annotation.registry import JobKind, register_job
from infra.jobs import Report
from releases.services.making import make


def release_url(job: Job) -> str:
    """Return the page of the release that a job made, or of all while there is none."""
    if "release" in job.result:
        return reverse("release", args=[job.study.slug, job.result["release"]])
    return reverse("releases", args=[job.study.slug])


def run(job: Job, report: Report) -> dict[str, Any]:
    """Make a release."""
    return make(job=job, report=report)


register_job(JobKind("make_release", _("Make a release"), run, release_url))
