"""The long work of the legal stage: imports, fetching evidence, the library, the figures."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.jobs import import_url
from annotation.models import ImportFile, Job
from annotation.registry import Chore, JobKind, register_chore, register_job
from infra.jobs import Parts, Report
from legal.queries.figures import DRAWING
from legal.services import archiving, importing
from legal.services.library_documents import BUILD


def load_legal_votes(job: Job, report: Report) -> dict[str, Any]:
    """Import the expert answers of a file."""
    file = ImportFile.objects.get(pk=job.parameters["import"], study=job.study)
    return importing.import_legal_votes(by=job.created_by, file=file, report=report)


def build(job: Job, report: Report) -> dict[str, Any]:
    """Read waiting documents of the library, and build its next version."""
    from legal.services.library_building import build_library

    return build_library(job=job, report=report)


def draw(job: Job, report: Report) -> dict[str, Any]:
    """Draw the stage's figures."""
    from legal.services.figures import draw_figures

    return draw_figures(study=job.study, report=report)


def figures_url(job: Job) -> str:
    """Return the page of the figures that a job draws."""
    return reverse("legal_figures", args=[job.study.slug])


def redraw() -> None:
    """Have figures drawn anew whose votes have changed."""
    from legal.services.figures import redraw_stale_figures

    redraw_stale_figures()


def library_url(job: Job) -> str:
    """Return the page of the library that a job builds."""
    return reverse("legal_library", args=[job.study.slug])


def evidence_url(job: Job) -> str:
    """Return the page of the evidence that a job fetches."""
    return reverse("legal_evidence", args=[job.study.slug])


def fetch_evidence(job: Job, report: Report) -> dict[str, Any] | Parts:
    """Fetch the pages that experts named."""
    return archiving.fetch_pages(study=job.study, report=report)


def fetch_evidence_part(job: Job, report: Report) -> dict[str, Any]:
    """Fetch some of these pages."""
    return archiving.fetch_part(study=job.study, page_ids=job.parameters["pages"], report=report)


register_job(
    JobKind("import_legal_votes", _("Import expert answers"), load_legal_votes, import_url)
)
register_job(JobKind(BUILD, _("Build the legal library"), build, library_url))
register_job(JobKind(archiving.FETCH, _("Fetch evidence"), fetch_evidence, evidence_url))
register_job(
    JobKind(archiving.FETCH_PART, _("Fetch some pages"), fetch_evidence_part, evidence_url)
)
register_chore(Chore("fetch_evidence_that_waits", archiving.fetch_what_waits, every_seconds=20.0))
register_job(JobKind(DRAWING, _("Draw the figures of the legal stage"), draw, figures_url))
register_chore(Chore("redraw_legal_figures", redraw, every_seconds=600.0))
