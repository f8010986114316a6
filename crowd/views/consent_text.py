"""Consent as researchers see and change it: the text's versions, and the background questions."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.markdown import render_markdown
from annotation.offers import may_change
from crowd.forms.consent import ConsentTextForm, QuestionForm
from crowd.models import BackgroundQuestion
from crowd.queries.consent import consent_versions, newest_consent_text, questions_of
from crowd.services.consent import (
    ConsentRefused,
    EndingRefused,
    add_question,
    retire_question,
    write_consent_text,
)


@require_safe
@study_view(Permission.SEE_RESULTS)
def consent(request: HttpRequest, access: Access) -> HttpResponse:
    """Show what people agree to, its versions, and what they are asked."""
    versions = list(consent_versions(access.study))
    wanted = request.GET.get("version", "")
    shown = next((one for one in versions if str(one.version) == wanted), None)
    if wanted and shown is None:
        raise Http404(_("There is no such version of the text."))
    shown = shown or next(iter(versions), None)
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Consent"),
        "may_manage": may_change(access, Permission.MANAGE_DATA),
        "versions": versions,
        "shown": shown,
        "words": render_markdown(shown.markdown, 3) if shown else "",
        "questions": list(questions_of(access.study)),
    }
    return render(request, "crowd/consent_text.html", context)


@study_view(Permission.MANAGE_DATA)
def consent_edit(request: HttpRequest, access: Access) -> HttpResponse:
    """Write a new version of what people agree to."""
    newest = newest_consent_text(access.study)
    initial = {
        "markdown": newest.markdown if newest else "",
        "seen_version": newest.version if newest else 0,
    }
    form = ConsentTextForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            write_consent_text(by=access.user, study=access.study, **form.cleaned_data)
            messages.success(request, _("Saved. People agree to it before their next sitting."))
            return redirect("consent", access.study.slug)
        except ConsentRefused as refusal:
            form.add_error(None, str(refusal))
    context = {"access": access, "study": access.study, "form": form, "crumb": _("Consent")}
    return render(request, "crowd/edit_consent.html", context)


@study_view(Permission.MANAGE_DATA)
def question_new(request: HttpRequest, access: Access) -> HttpResponse:
    """Ask annotators something about themselves."""
    form = QuestionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            add_question(by=access.user, study=access.study, **form.cleaned_data)
            messages.success(request, _("Saved. It is asked before the next sitting."))
            return redirect("consent", access.study.slug)
        except EndingRefused as refusal:
            form.add_error("turns_away", str(refusal))
        except ConsentRefused as refusal:
            form.add_error("choices", str(refusal))
    context = {"access": access, "study": access.study, "form": form, "crumb": _("New question")}
    return render(request, "crowd/new_question.html", context)


@require_POST
@study_view(Permission.MANAGE_DATA)
def question_retire(request: HttpRequest, access: Access, question_id: int) -> HttpResponse:
    """Ask a question no more."""
    question = of_study(BackgroundQuestion.objects.all(), access, pk=question_id)
    retire_question(by=access.user, question=question)
    messages.success(request, _("The question is asked no more; its answers are kept."))
    return redirect("consent", access.study.slug)
