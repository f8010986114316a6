"""An expert practises: the form of their work, then their answer beside the model one."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, study_view
from annotation.services.votes import VoteRefused
from legal.algorithms import compare as compared
from legal.forms import ExpertForm
from legal.models import PracticePost, PracticeResult
from legal.queries.practice import next_practice, open_to, own_results, still_to_do
from legal.services.practice import PracticeRefused, submit_practice
from legal.views.comparing import in_words
from legal.views.expert_form import questions, shown_post
from legal.views.work import UNPROCESSABLE


@study_view(Permission.WORK_LEGAL)
def practise(request: HttpRequest, access: Access, practice_id: int) -> HttpResponse:
    """Show a practice post with the form; keep the answer and show the model one."""
    found = get_object_or_404(open_to(access.study), pk=practice_id)
    if own_results(access.member).filter(practice=found).exists():
        if request.method == "POST":
            messages.info(request, _("You have answered this already; your first answer stands."))
        return redirect("legal_practice_model", access.study.slug, found.pk)
    form = ExpertForm(request.POST if request.method == "POST" else None, text=found.text)
    if form.is_bound and not form.is_citing and form.is_valid():
        try:
            submit_practice(by=access.member, practice=found, answer=form.answer())
            return redirect("legal_practice_model", access.study.slug, found.pk)
        except VoteRefused as refusal:
            form.refuse(refusal)
        except PracticeRefused as refusal:
            form.add_error(None, str(refusal))
    status = UNPROCESSABLE if form.errors else 200
    context = practice_context(access, found, form)
    return render(request, "legal/practise.html", context, status=status)


def practice_context(access: Access, found: PracticePost, form: ExpertForm) -> dict[str, Any]:
    """Return what the screen of a practice post shows."""
    total = open_to(access.study).count()
    done = total - still_to_do(access.member).count()
    heading = _("Practice post %(number)s of %(total)s")
    context = questions(access, found.catalogue, form) | {
        "practice": found,
        "heading": heading % {"number": done + 1, "total": total},
        "done": done,
        "total": total,
    }
    return context | (shown_post(found.post, context["settings"]) if found.post else {})


@require_safe
@study_view(Permission.WORK_LEGAL)
def compare(request: HttpRequest, access: Access, practice_id: int) -> HttpResponse:
    """Show one's answer beside the model one, once it is given."""
    result = get_object_or_404(own_results(access.member), practice=practice_id)
    context = result_context(result) | {
        "access": access,
        "study": access.study,
        "following": next_practice(access.member),
        "crumb": _("Practice"),
    }
    return render(request, "legal/practice_model.html", context)


def result_context(result: PracticeResult) -> dict[str, Any]:
    """Return both answers, field by field."""
    comparison = compared(result.said, result.model, result.practice.text)
    fields = comparison.fields
    return {
        "result": result,
        "comparison": comparison,
        "rows": in_words(comparison, result.practice.catalogue),
        "right": sum(fields),
        "of": len(fields),
    }


@require_safe
@study_view(Permission.WORK_LEGAL)
def results(request: HttpRequest, access: Access) -> HttpResponse:
    """List what the person practised on, to read the model answers again."""
    context = {
        "access": access,
        "study": access.study,
        "results": own_results(access.member),
        "following": next_practice(access.member),
        "crumb": _("Practice"),
    }
    return render(request, "legal/practised.html", context)
