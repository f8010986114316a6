"""The long work of the legal stage: importing answers that were made elsewhere."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.jobs import import_url
from annotation.models import ImportFile, Job
from annotation.registry import JobKind, register_job
from infra.jobs import Report
from legal.services import importing


def load_legal_votes(job: Job, report: Report) -> dict[str, Any]:
    """Import the expert answers of a file."""
    file = ImportFile.objects.get(pk=job.parameters["import"], study=job.study)
    return importing.import_legal_votes(by=job.created_by, file=file, report=report)


register_job(
    JobKind("import_legal_votes", _("Import expert answers"), load_legal_votes, import_url)
)
