"""Putting a post aside with what was typed, and going on with it, on this device or another."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, study_view
from annotation.models import AssignmentState
from annotation.services.assignments import NotHeld
from legal.forms import ExpertForm, revision_in
from legal.queries.answer_drafts import put_aside
from legal.queries.settings import settings_of
from legal.services.answer_drafts import DraftRefused, keep_draft, park_answer
from legal.views.expert_form import own_assignment_or_404, work_page
from legal.views.work import CONFLICT, UNPROCESSABLE

PER_PAGE = 25


@require_POST
@study_view(Permission.WORK_LEGAL)
def draft(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Keep what was typed so far; a window that is behind hears so and changes nothing."""
    assignment = own_assignment_or_404(access, assignment_id)
    form = ExpertForm(request.POST, text=assignment.task.post.text)
    try:
        kept = keep_draft(
            by=access.member,
            assignment_id=assignment.pk,
            typed=form.draft(),
            seen=revision_in(request.POST),
        )
    except DraftRefused as refusal:
        return JsonResponse({"reason": str(refusal)}, status=CONFLICT)
    return JsonResponse({"revision": kept.revision, "saved_at": kept.saved_at.isoformat()})


@require_POST
@study_view(Permission.WORK_LEGAL)
def park(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Put a post aside with what was typed, and go on to another."""
    assignment = own_assignment_or_404(access, assignment_id)
    form = ExpertForm(request.POST, text=assignment.task.post.text)
    try:
        until = park_answer(by=access.member, assignment_id=assignment.pk, typed=form.draft())
    except (NotHeld, DraftRefused) as refusal:
        form.add_error(None, str(refusal))
        return work_page(request, access, assignment, form, until=None, status=UNPROCESSABLE)
    if until:
        day = date_format(localtime(until), "DATE_FORMAT")
        messages.success(
            request, _("Parked with what you typed. Its place is yours until %s.") % day
        )
    return redirect("legal_work", access.study.slug)


@require_safe
@study_view(Permission.WORK_LEGAL)
def parked(request: HttpRequest, access: Access) -> HttpResponse:
    """List what the person put aside, and what went back with something typed."""
    context = {
        "access": access,
        "study": access.study,
        "page": Paginator(put_aside(access.member), PER_PAGE).get_page(request.GET.get("page")),
        "settings": settings_of(access.study),
        "crumb": _("Parked posts"),
    }
    return render(request, "legal/parked.html", context)


@require_safe
@study_view(Permission.WORK_LEGAL)
def take_up(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Show a post that was put aside, with what was typed; it stays aside until it is submitted."""
    assignment = own_assignment_or_404(access, assignment_id)
    if assignment.state == AssignmentState.SUBMITTED:
        return redirect("legal_correct", access.study.slug, assignment.pk)
    if assignment.state not in (AssignmentState.PARKED, AssignmentState.LAPSED):
        return redirect("legal_work", access.study.slug)
    return work_page(request, access, assignment, until=None)
