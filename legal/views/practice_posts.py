"""Researchers choose and write posts to practise on, and give the model answers."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.access import Access, Permission, of_study, study_view
from annotation.offers import may_change
from annotation.services.votes import VoteRefused
from legal.forms import ChooseForm, ModelAnswerForm, WriteForm
from legal.models import PracticePost
from legal.queries.catalogues import current_catalogue
from legal.queries.practice import practice_posts
from legal.services.practice import (
    PracticeRefused,
    choose_practice,
    write_model_answer,
    write_practice,
)
from legal.views.expert_form import questions, shown_post
from legal.views.work import UNPROCESSABLE


@study_view(Permission.MANAGE_DATA)
def practice(request: HttpRequest, access: Access) -> HttpResponse:
    """List the practice posts; add one of the study's posts, or a text."""
    writes = "text" in request.POST
    choose = ChooseForm(request.POST if request.method == "POST" and not writes else None)
    write = WriteForm(request.POST if writes else None)
    form = write if writes else choose
    if form.is_bound and form.is_valid():
        add = write_practice if writes else choose_practice
        try:
            made = add(by=access.member, study=access.study, **form.cleaned_data)
            return redirect("legal_model_answer", access.study.slug, made.pk)
        except PracticeRefused as refusal:
            form.add_error("text" if writes else "external_id", str(refusal))
    context = {
        "access": access,
        "study": access.study,
        "practice_posts": practice_posts(access.study),
        "catalogue": current_catalogue(access.study),
        "choose": choose,
        "write": write,
        "may_manage": may_change(access, Permission.MANAGE_DATA),
        "crumb": _("Practice"),
    }
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "legal/practice.html", context, status=status)


@study_view(Permission.MANAGE_DATA)
def model_answer(request: HttpRequest, access: Access, practice_id: int) -> HttpResponse:
    """Show and change a practice post's model answer, on the expert's own form."""
    found = of_study(
        PracticePost.objects.select_related("catalogue", "post"), access, pk=practice_id
    )
    form = ModelAnswerForm(
        request.POST if request.method == "POST" else None, text=found.text, known=found.model
    )
    form.initial.update(explanation=found.explanation, in_use=found.in_use)
    if form.is_bound and not form.is_citing and form.is_valid():
        try:
            write_model_answer(
                by=access.member,
                practice=found,
                answer=form.answer(),
                explanation=form.cleaned_data["explanation"],
                in_use=form.cleaned_data["in_use"],
            )
            messages.success(request, _("Saved."))
            return redirect("legal_practice", access.study.slug)
        except VoteRefused as refusal:
            form.refuse(refusal)
        except PracticeRefused as refusal:
            form.add_error("explanation", str(refusal))
    return model_answer_page(request, access, found, form)


def model_answer_page(
    request: HttpRequest, access: Access, found: PracticePost, form: ModelAnswerForm
) -> HttpResponse:
    """Show the form for a model answer."""
    context = questions(access, found.catalogue, form) | {
        "practice": found,
        "heading": _("Model answer"),
        "crumb": _("Model answer"),
    }
    if found.post:
        context |= shown_post(found.post, context["settings"])
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "legal/model_answer.html", context, status=status)
