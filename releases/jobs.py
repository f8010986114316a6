"""The making of a release, as a job."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import Job
from annotation.registry import Chore, JobKind, register_chore, register_job
from infra.jobs import Report
from releases.queries.releases import MAKING, releases_of
from releases.queries.statistics import DRAWING, DRAWING_RELEASE
from releases.services.comparing import KIND, make_comparison
from releases.services.flags import flag_withdrawals
from releases.services.making import make
from releases.services.releases import refuse_retry


def release_url(job: Job) -> str:
    """Return the page of the release that a job made, or of all while there is none."""
    if "release" in job.result:
        return reverse("release", args=[job.study.slug, job.result["release"]])
    return reverse("releases", args=[job.study.slug])


def run(job: Job, report: Report) -> dict[str, Any]:
    """Make a release."""
    return make(job=job, report=report)


def statistics_url(job: Job) -> str:
    """Return the page of the figures that a job counts."""
    return reverse("statistics", args=[job.study.slug])


def draw(job: Job, report: Report) -> dict[str, Any]:
    """Count and draw a study's figures."""
    from releases.services.study_statistics import draw_statistics

    crowd_round = job.parameters["crowd_round"]
    return draw_statistics(study=job.study, crowd_round=crowd_round, report=report)


def drawn_release_url(job: Job) -> str:
    """Return the page of the release whose charts a job draws."""
    return reverse("release", args=[job.study.slug, job.parameters["release"]])


def draw_release(job: Job, report: Report) -> dict[str, Any]:
    """Draw the charts of a release."""
    from releases.services.release_charts import draw_release_charts

    release = releases_of(job.study).get(number=job.parameters["release"])
    return draw_release_charts(release=release, report=report)


def comparison_url(job: Job) -> str:
    """Return the page of the comparison that a job made, or of all releases while there is none."""
    if "comparison" in job.result:
        return reverse("comparison", args=[job.study.slug, job.result["comparison"]])
    return reverse("releases", args=[job.study.slug])


def run_comparison(job: Job, report: Report) -> dict[str, Any]:
    """Compare two releases."""
    return make_comparison(job=job, report=report)


register_job(JobKind(MAKING, _("Make a release"), run, release_url, refuse_retry))
register_job(JobKind(DRAWING, _("Count and draw the statistics"), draw, statistics_url))
register_job(
    JobKind(DRAWING_RELEASE, _("Draw the charts of a release"), draw_release, drawn_release_url)
)
register_job(JobKind(KIND, _("Compare two releases"), run_comparison, comparison_url))
register_chore(Chore("flag_withdrawals", flag_withdrawals, every_seconds=60.0))
