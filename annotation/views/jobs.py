"""Long work as people see it: state, progress, reason, cancel, retry."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.forms import JobsForm
from annotation.models import Job
from annotation.offers import may_change
from annotation.queries.jobs import any_under_way, jobs_for, jobs_of, kinds_of_jobs, watch
from annotation.registry import job_kind
from annotation.services.jobs import cancel_job, retry_job
from infra.jobs import JobRefused

PER_PAGE = 50


@require_safe
@study_view(Permission.MANAGE_DATA)
def jobs(request: HttpRequest, access: Access) -> HttpResponse:
    """List a study's jobs; the same address gives the rows alone, for polling."""
    kinds = kinds_of_jobs(access.study)
    form = JobsForm(request.GET, kinds=kinds)
    found = jobs_for(access.study, **form.asked)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {
        "access": access,
        "study": access.study,
        "form": form,
        "page": page,
        "rows": watch(page),
        "params": form.params,
        "any_job": bool(kinds),
        "is_under_way": any_under_way(access.study),
        "may_change": may_change(access, Permission.MANAGE_DATA),
    }
    is_part = request.GET.get("part") == "rows"
    return render(request, "jobs/rows.html" if is_part else "jobs/jobs.html", context)


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
        "watched": watch([found])[0],
        "title": kind.title,
        "crumb": kind.title,
        "url": kind.url(found),
    }
    template = "jobs/progress.html" if request.GET.get("part") == "progress" else "jobs/job.html"
    return render(request, template, context)


@require_POST
@study_view(Permission.MANAGE_DATA)
def cancel(request: HttpRequest, access: Access, job_id: int) -> HttpResponse:
    """Ask a job to stop."""
    cancel_job(job=of_study(Job.objects.all(), access, pk=job_id))
    messages.info(request, _("The job stops at its next step."))
    return back(request, access, job_id)


@require_POST
@study_view(Permission.MANAGE_DATA)
def retry(request: HttpRequest, access: Access, job_id: int) -> HttpResponse:
    """Queue a job again that failed or was cancelled."""
    try:
        retry_job(by=access.user, job=of_study(Job.objects.all(), access, pk=job_id))
    except JobRefused as refusal:
        messages.error(request, str(refusal))
    return back(request, access, job_id)


def back(request: HttpRequest, access: Access, job_id: int) -> HttpResponse:
    """Return to the list if the button stood there, else to the job."""
    if request.GET.get("back") == "jobs":
        return redirect("jobs", access.study.slug)
    return redirect("job", access.study.slug, job_id)
