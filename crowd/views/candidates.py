"""Prescreening as researchers see it: its rules, the candidates, and their answers beside gold."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Member, Study
from annotation.offers import may_change
from annotation.services.standings import StandingRefused
from crowd.forms.prescreening import DecisionForm, PrescreeningForm
from crowd.models import PrescreeningOutcome
from crowd.queries.candidates import (
    SORTS,
    candidates,
    shown_tests,
    sorting,
)
from crowd.queries.labels import label_names
from crowd.queries.prescreening import (
    acceptable_qualifications,
    pool_labels,
    posts_for_retakes,
    qualified_of,
    rules_of,
)
from crowd.services.candidates import decide_candidate
from crowd.services.prescreening import (
    PrescreeningRefused,
    change_rules,
    close_prescreening,
    open_prescreening,
)

PER_PAGE = 50


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_prescreening(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the rules and the candidates."""
    wanted = request.GET.get("sort", "")
    golds = pool_labels(access.study)
    rules = rules_of(access.study)
    page = Paginator(candidates(access.study, wanted), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "study": access.study,
        "rules": rules,
        "pass_percent": f"{(rules.pass_share * 100).normalize():f}",
        "may_manage": may_change(access, Permission.MANAGE_DATA),
        "pool": len(golds),
        **retakes(access.study),
        "page": page,
        "rows": [(member, PrescreeningOutcome(member.outcome).label) for member in page],
        "columns": sorting(wanted),
        "params": f"sort={wanted}" if wanted.removeprefix("-") in SORTS else "",
    }
    return render(request, "prescreening/candidates.html", context)


def retakes(study: Study) -> dict[str, int]:
    """Return how many unambiguous posts the pool has, and how many the last test may need."""
    unambiguous = sum(gold is not None for gold in pool_labels(study))
    return {"unambiguous": unambiguous, "needed": posts_for_retakes(rules_of(study))}


@study_view(Permission.MANAGE_DATA)
def crowd_prescreening_rules(request: HttpRequest, access: Access) -> HttpResponse:
    """Change the rules."""
    form = PrescreeningForm(
        request.POST or None,
        rules=rules_of(access.study),
        acceptable=acceptable_qualifications(access.study),
    )
    if request.method == "POST" and form.is_valid():
        try:
            change_rules(by=access.user, study=access.study, **form.rules())
            messages.success(request, _("Saved."))
            return redirect("crowd_prescreening", access.study.slug)
        except PrescreeningRefused as refusal:
            form.add_error(None, str(refusal))
    context = {"access": access, "study": access.study, "form": form, "crumb": _("Rules")}
    context |= retakes(access.study)
    return render(request, "prescreening/rules.html", context)


@require_POST
@study_view(Permission.MANAGE_DATA)
def crowd_prescreening_move(request: HttpRequest, access: Access) -> HttpResponse:
    """Open or close prescreening."""
    try:
        if request.POST.get("to") == "open":
            open_prescreening(by=access.user, study=access.study)
            messages.success(request, _("Prescreening is open now."))
        else:
            close_prescreening(by=access.user, study=access.study)
            messages.success(request, _("Prescreening is closed now."))
    except PrescreeningRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("crowd_prescreening", access.study.slug)


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_candidate(request: HttpRequest, access: Access, pseudonym: str) -> HttpResponse:
    """Show a candidate's tests: each answer beside gold."""
    member = of_study(Member.objects.all(), access, pseudonym=pseudonym)
    return render(request, "prescreening/candidate.html", candidate_words(access, member))


def candidate_words(access: Access, member: Member) -> dict[str, Any]:
    """Return what the page of a candidate shows."""
    return {
        "access": access,
        "study": access.study,
        "crumb": member.pseudonym,
        "member": member,
        "may_manage": may_change(access, Permission.MANAGE_DATA),
        "form": DecisionForm(),
        "qualified": qualified_of(member),
        "tests": shown_tests(member, label_names(access.study)),
    }


@require_POST
@study_view(Permission.MANAGE_DATA)
def crowd_candidate_decide(request: HttpRequest, access: Access, pseudonym: str) -> HttpResponse:
    """Approve or refuse a candidate."""
    member = of_study(Member.objects.all(), access, pseudonym=pseudonym)
    form = DecisionForm(request.POST)
    if form.is_valid():
        try:
            decide_candidate(by=access.user, member=member, **form.words())
            messages.success(request, _("Saved."))
        except (PrescreeningRefused, StandingRefused) as refusal:
            messages.error(request, str(refusal))
    else:
        messages.error(request, _("Choose whether to approve or to refuse."))
    return redirect("crowd_candidate", access.study.slug, pseudonym)
