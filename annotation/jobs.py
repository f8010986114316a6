"""The one Celery task, and the kinds of jobs of the shared ground."""

from typing import Any

from celery import current_app
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import ImportFile, Job
from annotation.registry import Chore, JobKind, register_chore, register_job
from annotation.services import checking, importing
from annotation.services.finishing import note_finished_batches
from annotation.services.jobs import QUEUE, RUN, run_job
from annotation.services.webhook_sending import send_due
from annotation.sessions import SessionStore
from infra.jobs import JobTask, Report


@current_app.task(base=JobTask, name=RUN, queue=QUEUE, shared=True)
def run(*, job_id: int) -> None:
    """Run one job by its id."""
    run_job(job_id=job_id)


def import_url(job: Job) -> str:
    """Return the page of the file that a job reads."""
    return reverse("import", args=[job.study.slug, job.parameters["import"]])


def check(job: Job, report: Report) -> dict[str, Any]:
    """Look through an uploaded file without importing anything."""
    file = ImportFile.objects.get(pk=job.parameters["import"], study=job.study)
    return checking.check_file(file=file, report=report)


def load_posts(job: Job, report: Report) -> dict[str, Any]:
    """Import the posts of a file."""
    file = ImportFile.objects.get(pk=job.parameters["import"], study=job.study)
    return importing.import_posts(by=job.created_by, file=file, report=report)


register_job(JobKind("check_file", _("Check a file"), check, import_url))
register_job(JobKind("import_posts", _("Import posts"), load_posts, import_url))
register_chore(
    Chore("forget_sessions_that_ended", SessionStore.clear_expired, every_seconds=3600.0)
)
register_chore(Chore("note_finished_batches", note_finished_batches, every_seconds=5.0))
register_chore(Chore("send_webhooks", send_due, every_seconds=3.0))
