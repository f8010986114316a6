"""The expert's work: read the guide, get a post, answer or skip it, get the next one."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import Access, Permission, study_view
from annotation.models import (
    Assignment,
    AssignmentState,
    SkipReason,
    StageCode,
    StandingState,
    StudyState,
)
from annotation.queries.own_work import standing_of
from annotation.queries.parking import kept_for
from annotation.queries.progress import has_open_batch, own_progress
from annotation.services.assignments import (
    NotHeld,
    Nothing,
    Offer,
    extend_lease,
    next_task,
    skip_task,
)
from annotation.services.votes import VoteRefused
from legal.forms import ExpertForm, SkipForm
from legal.models import Catalogue, PracticePost
from legal.queries.catalogues import catalogue_in_force, guide, has_read
from legal.queries.hours import own_week
from legal.queries.practice import next_practice, still_to_do
from legal.services.answers import Outcome, submit_answer
from legal.services.catalogues import note_guide_read
from legal.views.expert_form import (
    correction_page,
    just_saved,
    own_assignment_or_404,
    seconds_until,
    work_page,
)
from legal.views.guide import news_of_guide

UNPROCESSABLE = 422
CONFLICT = 409


@require_safe
@study_view(Permission.WORK_LEGAL)
def work(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the next post with the form; before the first one the guide, after the last one why."""
    catalogue = catalogue_in_force(access.study)
    if unread(access, catalogue):
        return begin_page(request, access, catalogue)
    if (practice := practice_ahead(access, catalogue)) is not None:
        return redirect("legal_practise", access.study.slug, practice.pk)
    offer = next_task(by=access.member, stage=StageCode.LEGAL)
    if offer.assignment is None:
        return nothing_page(request, access, offer)
    return work_page(request, access, offer.assignment, until=offer.until)


def unread(access: Access, catalogue: Catalogue | None) -> bool:
    """Say whether there is work, and a guide that this person has not read yet."""
    if catalogue is None or has_read(access.member, catalogue):
        return False
    return has_open_batch(access.study, StageCode.LEGAL)


def practice_ahead(access: Access, catalogue: Catalogue | None) -> PracticePost | None:
    """Return what comes before the first real post, once the guide is read."""
    if access.study.state != StudyState.ACTIVE or not catalogue:
        return None
    is_active = standing_of(access.member, StageCode.LEGAL) == StandingState.ACTIVE
    return (
        next_practice(access.member) if is_active and has_read(access.member, catalogue) else None
    )


def begin_page(request: HttpRequest, access: Access, catalogue: Catalogue | None) -> HttpResponse:
    """Show the guide before the first post, and what is asked."""
    context = {
        "access": access,
        "study": access.study,
        "catalogue": catalogue,
        "topics": guide(catalogue) if catalogue else [],
        "practice": still_to_do(access.member).count(),
        "progress": own_progress(access.member, StageCode.LEGAL),
        **news_of_guide(access, catalogue),
    }
    return render(request, "legal/begin.html", context)


@require_POST
@study_view(Permission.WORK_LEGAL)
def begin(request: HttpRequest, access: Access) -> HttpResponse:
    """Note that the person has read the guide, and start."""
    catalogue = catalogue_in_force(access.study)
    if catalogue:
        note_guide_read(by=access.member, catalogue=catalogue)
    return redirect("legal_work", access.study.slug)


def nothing_page(request: HttpRequest, access: Access, offer: Offer) -> HttpResponse:
    """Say why there is no post now."""
    context = {
        "access": access,
        "study": access.study,
        "progress": own_progress(access.member, StageCode.LEGAL),
        "is_done": offer.nothing == Nothing.DONE,
        "is_held": offer.nothing == Nothing.HELD_BY_OTHERS,
        "is_paused": offer.nothing == Nothing.PAUSED,
        "is_archived": offer.nothing == Nothing.ARCHIVED,
        "until": offer.until,
        "week": own_week(access.member),
        "parked": kept_for(access.member, StageCode.LEGAL).count(),
        **just_saved(request, access),
    }
    return render(request, "legal/nothing.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(Permission.WORK_LEGAL)
def submit(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Store an answer and go on; what cannot be stored comes back with a sentence.

    After a refusal this address stands in the browser, so reloading it leads back to the post.
    """
    assignment = own_assignment_or_404(access, assignment_id)
    if request.method != "POST":
        return redirect("legal_work", access.study.slug)
    form = ExpertForm(request.POST, text=assignment.task.post.text)
    if not form.is_citing and form.is_valid():
        try:
            outcome = submit_answer(
                by=access.member, assignment_id=assignment.pk, answer=form.answer()
            )
            return after(request, access, assignment, form, outcome)
        except VoteRefused as refusal:
            form.refuse(refusal)
    until = extend_lease(by=access.member, assignment_id=assignment.pk)
    status = 200 if form.is_citing else UNPROCESSABLE
    return work_page(request, access, assignment, form, until=until, status=status)


def after(
    request: HttpRequest,
    access: Access,
    assignment: Assignment,
    form: ExpertForm,
    outcome: Outcome,
) -> HttpResponse:
    """Go on to the next post; where another answer stands, show both instead of losing one."""
    if not outcome.agrees:
        form.add_error(
            None,
            _(
                "You have answered this post already, with another answer. Below is what you typed "
                "here; submit it if it should replace the other."
            ),
        )
        version = outcome.answer.vote.version
        return correction_page(request, access, assignment, form, version=version, status=CONFLICT)
    if outcome.is_new and not outcome.answer.vote.counted:
        messages.info(
            request,
            _("Saved. Others had given all votes that this post wanted, so yours is kept beside."),
        )
    return to_work(access, assignment)


def to_work(access: Access, assignment: Assignment) -> HttpResponse:
    """Go to the next post, naming the assignment whose draft may go."""
    url = reverse("legal_work", args=[access.study.slug])
    return redirect(f"{url}?{urlencode({'last': assignment.pk})}")


@study_view(Permission.WORK_LEGAL)
def skip(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Ask why a post is passed on; pass it on."""
    assignment = own_assignment_or_404(access, assignment_id)
    form = SkipForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        reason = form.cleaned_data["reason"]
        try:
            skip_task(by=access.member, assignment_id=assignment.pk, reason=reason)
            if reason == SkipReason.HARMFUL:
                messages.info(request, _("Thank you for saying so. It does not count against you."))
            return to_work(access, assignment)
        except NotHeld as refusal:
            form.add_error(None, str(refusal))
    reasons = [one for one in SkipReason.choices if one[0] != SkipReason.HARMFUL]
    context = {
        "access": access,
        "study": access.study,
        "assignment": assignment,
        "crumb": _("Skip"),
        "form": form,
        "reasons": reasons,
        "harmful": SkipReason.HARMFUL,
    }
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "legal/skip.html", context, status=status)


@require_POST
@study_view(Permission.WORK_LEGAL)
def extend(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Prolong the lease of the post that is being worked on."""
    assignment = get_object_or_404(
        Assignment, pk=assignment_id, member=access.member, task__stage=StageCode.LEGAL
    )
    until = extend_lease(by=access.member, assignment_id=assignment.pk)
    if until is None:
        is_done = assignment.state in (AssignmentState.SUBMITTED, AssignmentState.SKIPPED)
        reason = _("This post is done.") if is_done else _("This post is no longer held for you.")
        return JsonResponse({"reason": reason}, status=CONFLICT)
    return JsonResponse({"until": until.isoformat(), "seconds": seconds_until(until)})
