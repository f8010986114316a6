"""Sittings that wait for approval, and disputes of those that were rejected."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, study_view
from annotation.models import Sitting
from crowd.forms.pay import AnswerForm, ApproveForm, ReinstateForm, RejectForm
from crowd.models import PayState
from crowd.queries.earnings import entries_of
from crowd.queries.pay import (
    disputes_of,
    in_pay_state,
    open_disputes,
    rules_of,
    sitting_rows,
    sitting_votes,
    sittings_of,
    waiting_sittings,
)
from crowd.services.pay import ReviewRefused, answer_dispute, approve, reinstate, reject

PER_PAGE = 50
REFUSED = 422


@require_safe
@study_view(Permission.REVIEW_PAY)
def pay_sittings(request: HttpRequest, access: Access) -> HttpResponse:
    """List the sittings that wait for approval, the oldest first; or those of another state."""
    show = request.GET.get("show", PayState.WAITING)
    if show not in set(PayState):
        raise Http404(_("There is no such state of a sitting."))
    sittings = in_pay_state(sittings_of(access.study), show).filter(votes__gt=0)
    ordered = sittings.order_by("ended_at" if show == PayState.WAITING else "-pk")
    page = Paginator(ordered, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Sittings"),
        "show": show,
        "states": [state for state in PayState if state != PayState.NOTHING],
        "page": page,
        "rows": sitting_rows(access.study, list(page)),
        "rules": rules_of(access.study),
        "seen_at": timezone.now().isoformat(),
    }
    return render(request, "pay/sittings.html", context)


@require_POST
@study_view(Permission.REVIEW_PAY)
def pay_approve(request: HttpRequest, access: Access) -> HttpResponse:
    """Approve some sittings, or all that waited when the person looked."""
    form = ApproveForm(request.POST)
    chosen = form.sittings()
    if form.is_valid() and form.cleaned_data["all"] and form.cleaned_data["seen_at"]:
        waiting = waiting_sittings(access.study)
        seen = waiting.filter(ended_at__lte=form.cleaned_data["seen_at"])
        chosen = list(seen.values_list("pk", flat=True))
    number = approve(by=access.user, study=access.study, sittings=chosen)
    if number:
        words = ngettext("%s sitting is approved.", "%s sittings are approved.", number)
        messages.success(request, words % number)
    else:
        messages.info(request, _("Nothing was approved: tick sittings that wait for it."))
    return redirect("pay_sittings", access.study.slug)


def sitting_row(access: Access, sitting_id: int) -> Any:
    """Return a sitting of the study with its figures, or raise Http404."""
    sitting = get_object_or_404(sittings_of(access.study), pk=sitting_id)
    return sitting_rows(access.study, [sitting])[0]


@require_safe
@study_view(Permission.REVIEW_PAY)
def pay_sitting(request: HttpRequest, access: Access, sitting_id: int) -> HttpResponse:
    """Show one sitting: its votes' times, what was decided, and what it was paid."""
    return show_sitting(request, access, sitting_id)


def show_sitting(
    request: HttpRequest, access: Access, sitting_id: int, **forms: Any
) -> HttpResponse:
    """Show one sitting with its forms. What the votes say is no matter of pay."""
    row = sitting_row(access, sitting_id)
    votes = sitting_votes([row.sitting.pk]).select_related("task__post").order_by("created_at")
    page = Paginator(votes, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Sitting %s") % row.sitting.pk,
        "row": row,
        "sitting": row.sitting,
        "page": page,
        "entries": entries_of(row.sitting.member).filter(sitting=row.sitting),
        "reject_form": RejectForm(),
        "reinstate_form": ReinstateForm(),
    }
    status = REFUSED if forms else 200
    return render(request, "pay/sitting.html", context | forms, status=status)


@require_POST
@study_view(Permission.REVIEW_PAY)
def pay_reject(request: HttpRequest, access: Access, sitting_id: int) -> HttpResponse:
    """Reject a sitting."""
    row = sitting_row(access, sitting_id)
    form = RejectForm(request.POST)
    if not form.is_valid():
        return show_sitting(request, access, sitting_id, reject_form=form)
    return decide(request, access, row.sitting, reject, **form.cleaned_data)


@require_POST
@study_view(Permission.REVIEW_PAY)
def pay_reinstate(request: HttpRequest, access: Access, sitting_id: int) -> HttpResponse:
    """Pay a rejected sitting after all."""
    row = sitting_row(access, sitting_id)
    form = ReinstateForm(request.POST)
    if not form.is_valid():
        return show_sitting(request, access, sitting_id, reinstate_form=form)
    return decide(request, access, row.sitting, reinstate, **form.cleaned_data)


def decide(
    request: HttpRequest, access: Access, sitting: Sitting, decision: Any, **words: str
) -> HttpResponse:
    """Decide on a sitting, or say why not; show it."""
    try:
        review = decision(by=access.user, sitting=sitting, **words)
        messages.success(request, _("Decided: %s.") % review.get_decision_display().lower())
    except ReviewRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("pay_sitting", access.study.slug, sitting.pk)


@require_safe
@study_view(Permission.REVIEW_PAY)
def pay_disputes(request: HttpRequest, access: Access) -> HttpResponse:
    """List what people say against rejections: what waits for an answer first."""
    open_ones = list(open_disputes(access.study))
    answered = disputes_of(access.study).exclude(answered_at=None).order_by("-answered_at")
    page = Paginator(answered, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Disputes"),
        "open": open_ones,
        "page": page,
    }
    return render(request, "pay/disputes.html", context)


@study_view(Permission.REVIEW_PAY)
def pay_dispute(request: HttpRequest, access: Access, dispute_id: int) -> HttpResponse:
    """Show a dispute; answer it."""
    found = get_object_or_404(disputes_of(access.study), pk=dispute_id)
    form = AnswerForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            is_paid = form.cleaned_data["outcome"] == "paid"
            answer = form.cleaned_data["answer"]
            answer_dispute(by=access.user, dispute=found, answer=answer, is_paid=is_paid)
            messages.success(request, _("Answered. The person reads it with their earnings."))
            return redirect("pay_disputes", access.study.slug)
        except ReviewRefused as refusal:
            form.add_error(None, str(refusal))
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Dispute"),
        "dispute": found,
        "row": sitting_row(access, found.review.sitting_id),
        "form": form,
    }
    return render(request, "pay/dispute.html", context)
