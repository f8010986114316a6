"""What comes before the work: consent and questions about oneself; and the way out, withdrawal."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, study_view
from annotation.markdown import render_markdown
from crowd.forms.consent import BackgroundForm, ConsentForm
from crowd.models import ConsentText
from crowd.queries.admission import next_gate
from crowd.queries.consent import (
    expected_of,
    newest_consent_text,
    open_questions,
    screening_gate,
)
from crowd.queries.prescreening import coming_test
from crowd.queries.recruitment import screen_out_of
from crowd.services.consent import ConsentRefused, answer_questions, give_consent, withdraw

CONFLICT, REFUSED = 409, 422


@study_view(Permission.WORK_CROWD)
def work_consent(request: HttpRequest, access: Access) -> HttpResponse:
    """Show what taking part means; record that somebody agrees."""
    text = newest_consent_text(access.study)
    if text is None:
        return redirect("work", access.study.slug)
    if request.method != "POST":
        return show_consent(request, access, text)
    form = ConsentForm(request.POST)
    version = form.cleaned_data["version"] if form.is_valid() else 0
    try:
        give_consent(by=access.member, version=version)
    except ConsentRefused as refusal:
        return show_consent(request, access, text, str(refusal))
    return redirect("work", access.study.slug)


def show_consent(
    request: HttpRequest, access: Access, text: ConsentText, refusal: str = ""
) -> HttpResponse:
    """Show the text, and above it what a sitting asks and gives."""
    expected = expected_of(access.member)
    context = about(access) | {
        "text": text,
        "words": render_markdown(text.markdown),
        "expected": expected,
        "test": coming_test(access.member),
        "pay": access.study.protocol.reward * expected.posts,
        "refusal": refusal,
    }
    return render(request, "crowd/consent.html", context, status=CONFLICT if refusal else 200)


def about(access: Access) -> dict[str, Any]:
    """Return what every page of a study needs."""
    return {"access": access, "study": access.study}


@study_view(Permission.WORK_CROWD)
def work_background(request: HttpRequest, access: Access) -> HttpResponse:
    """Ask what the study wants to know about its annotators."""
    if next_gate(access.member) != "work_background":
        return redirect("work", access.study.slug)
    questions = list(open_questions(access.member))
    form = BackgroundForm(request.POST or None, questions=questions)
    if request.method == "POST" and form.is_valid():
        try:
            answer_questions(by=access.member, answers=form.answers())
        except ConsentRefused as refusal:
            messages.info(request, str(refusal))
        return redirect("work", access.study.slug)
    status = REFUSED if request.method == "POST" else 200
    return render(request, "crowd/background.html", about(access) | {"form": form}, status=status)


@require_safe
@study_view(Permission.WORK_CROWD)
def work_screened_out(request: HttpRequest, access: Access) -> HttpResponse:
    """Thank whom the study does not look for, with what they take back to where they came from."""
    if not screening_gate(access.member):
        return redirect("work", access.study.slug)
    context = about(access) | {"completion": screen_out_of(access.member)}
    return render(request, "crowd/screened_out.html", context)


@study_view(Permission.WORK_CROWD)
def work_withdraw(request: HttpRequest, access: Access) -> HttpResponse:
    """Explain what withdrawing does; take somebody's votes out."""
    if request.method == "POST":
        try:
            withdraw(by=access.member)
            messages.success(request, _("You have withdrawn. Your votes count no more."))
        except ConsentRefused as refusal:
            messages.info(request, str(refusal))
        return redirect("work", access.study.slug)
    return render(request, "crowd/withdraw.html", about(access) | {"crumb": _("Withdraw")})
