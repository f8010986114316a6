"""The long work of the crowd stage: importing rounds, estimating, what time settles."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import ImportFile, Job
from annotation.registry import Chore, JobKind, register_chore, register_job
from crowd.queries.errands import JOB
from crowd.queries.estimates import KIND
from crowd.services import count_import, vote_import
from crowd.services.errands import queue_due, see_to_errands
from crowd.services.estimates import make_estimate
from crowd.services.pay_rules import settle_by_time
from infra.jobs import Report


def import_url(job: Job) -> str:
    """Return the page of the file that a job reads."""
    return reverse("import", args=[job.study.slug, job.parameters["import"]])


def load_votes(job: Job, report: Report) -> dict[str, Any]:
    """Import a crowd round in long form."""
    file = ImportFile.objects.get(pk=job.parameters["import"], study=job.study)
    return vote_import.import_votes(by=job.created_by, file=file, report=report)


def load_counts(job: Job, report: Report) -> dict[str, Any]:
    """Import a crowd round as counts."""
    file = ImportFile.objects.get(pk=job.parameters["import"], study=job.study)
    return count_import.import_counts(by=job.created_by, file=file, report=report)


def people_url(job: Job) -> str:
    """Return the page that shows how reliable people are."""
    return reverse("crowd_people", args=[job.study.slug])


def estimate(job: Job, report: Report) -> dict[str, Any]:
    """Estimate how reliable people are, after Dawid and Skene."""
    return make_estimate(job=job, report=report)


def errands_url(job: Job) -> str:
    """Return the page that shows what Prolific is asked for."""
    return reverse("pay_errands", args=[job.study.slug])


def ask_prolific(job: Job, report: Report) -> dict[str, Any]:
    """Ask Prolific for what was decided here."""
    return see_to_errands(study=job.study, report=report)


register_job(JobKind("import_crowd_votes", _("Import crowd votes"), load_votes, import_url))
register_job(JobKind("import_crowd_counts", _("Import crowd counts"), load_counts, import_url))
register_job(JobKind(KIND, _("Estimate reliability"), estimate, people_url))
register_job(JobKind(JOB, _("Ask Prolific"), ask_prolific, errands_url))
register_chore(Chore("queue_due_errands", queue_due, every_seconds=60.0))
register_chore(Chore("settle_pay_by_time", settle_by_time, every_seconds=60.0))
