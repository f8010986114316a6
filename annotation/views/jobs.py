"""Long work as people see it: state, progress, reason, cancel, retry."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Job, JobState
from annotation.queries.studies import jobs_of, worker_is_alive
from annotation.registry import job_kind
from annotation.services.jobs import cancel_job, retry_job

PER_PAGE = 50


@require_safe
@study_view(Permission.MANAGE_DATA)
def jobs(request: HttpRequest, access: Access) -> HttpResponse:
    """List a study's jobs."""
    page = Paginator(jobs_of(access.study).filter(parent=None), PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {"access": access, "study": access.study, "page": page}
    return render(request, "jobs/jobs.html", context | {"worker_is_alive": worker_is_alive()})


@require_safe
@study_view(Permission.MANAGE_DATA)
def job(request: HttpRequest, access: Access, job_id: int) -> HttpResponse:
    """Show one job; the same address gives the part that changes, for polling."""
    found = of_study(jobs_of(access.study), access, pk=job_id)
    kind = job_kind(found.kind)
    context = {
        "access": access,
        "study": access.study,
        "job": found,
        "title": kind.title,
        "crumb": kind.title,
        "url": kind.url(found),
        "seconds_left": seconds_left(found),
        "parts": found.parts.select_related("created_by").order_by("pk"),
        "worker_is_alive": found.has_ended or worker_is_alive(),
    }
    template = "jobs/progress.html" if request.GET.get("part") == "progress" else "jobs/job.html"
    return render(request, template, context)


def seconds_left(job: Job) -> int | None:
    """Return how long a running job may still take at its present pace; None where unknown."""
    if job.state != JobState.RUNNING or not job.started_at or not 0 < job.done < job.total:
        return None
    elapsed = (timezone.now() - job.started_at).total_seconds()
    return round(elapsed / job.done * (job.total - job.done))


@require_POST
@study_view(Permission.MANAGE_DATA)
def cancel(request: HttpRequest, access: Access, job_id: int) -> HttpResponse:
    """Ask a job to stop."""
    cancel_job(job=of_study(Job.objects.all(), access, pk=job_id))
    messages.info(request, _("The job stops at its next step."))
    return redirect("job", access.study.slug, job_id)


@require_POST
@study_view(Permission.MANAGE_DATA)
def retry(request: HttpRequest, access: Access, job_id: int) -> HttpResponse:
    """Queue a job again that failed or was cancelled."""
    retry_job(job=of_study(Job.objects.all(), access, pk=job_id))
    return redirect("job", access.study.slug, job_id)
