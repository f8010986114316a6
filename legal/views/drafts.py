"""The draft of the catalogue's next version: its outline, its heading, and how it ends."""

from typing import Any
from urllib.parse import quote

from django import forms
from django.contrib import messages
from django.core.validators import RegexValidator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, study_view
from legal.catalogues.differences import changes_between
from legal.catalogues.editing import heading_of, outline_of, with_heading
from legal.catalogues.reading import LANGUAGE, MOST_NAME, MOST_TEXT, read_tree
from legal.catalogues.writing import fingerprint
from legal.models import CatalogueDraft
from legal.queries.catalogues import current_catalogue, text_of
from legal.queries.drafts import draft_of, faults_of
from legal.services.catalogues import MOST_CHANGE_NOTE, CatalogueRefused, in_words
from legal.services.drafts import begin_draft, change_draft, discard_draft, publish_draft
from legal.services.outlines import OutlineStep, change_outline

CONFLICT, UNPROCESSABLE = 409, 422


class HeadingForm(forms.Form):
    """What is said of the catalogue as a whole. `seen` is the mark of what the person saw."""

    title = forms.CharField(label=gettext_lazy("Title"), max_length=MOST_NAME)
    jurisdiction = forms.CharField(
        label=gettext_lazy("Jurisdiction"),
        max_length=MOST_NAME,
        help_text=gettext_lazy("Whose law it is, such as: Canada."),
    )
    language = forms.CharField(
        label=gettext_lazy("Language"),
        max_length=8,
        validators=[
            RegexValidator(
                f"^{LANGUAGE.pattern}$", gettext_lazy("Type a code such as en or fr-CA.")
            )
        ],
        help_text=gettext_lazy("The code of the language that it is written in: en, fr-CA."),
    )
    note = forms.CharField(
        label=gettext_lazy("Note"),
        max_length=MOST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("Stands at the head of the guide."),
    )
    seen = forms.CharField(widget=forms.HiddenInput)


class PublishForm(forms.Form):
    """What is new in a version, and what the person saw of the draft and of the versions."""

    change_note = forms.CharField(
        label=gettext_lazy("What is new in it"),
        max_length=MOST_CHANGE_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("A sentence for the experts, who see it above what changed."),
    )
    seen = forms.CharField(widget=forms.HiddenInput)
    seen_version = forms.IntegerField(widget=forms.HiddenInput)


def draft_context(access: Access, crumb: str, **more: Any) -> dict[str, Any]:
    """Return what every page of a draft shows."""
    return {"access": access, "study": access.study, "crumb": crumb, **more}


@require_safe
@study_view(Permission.MANAGE_DATA)
def legal_draft(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the draft's outline and what is still missing, or offer to begin one."""
    draft = draft_of(access.study)
    newest = current_catalogue(access.study)
    context = draft_context(access, _("Draft"), draft=draft, newest=newest)
    if draft:
        context |= {
            "content": draft.content,
            "faults": [(code, in_words(fault)) for code, fault in faults_of(draft.content)],
            "seen": fingerprint(outline_of(draft.content)),
            "whole": fingerprint(draft.content),
            "most_name": MOST_NAME,
        }
    return render(request, "legal/draft.html", context)


@require_POST
@study_view(Permission.MANAGE_DATA)
def legal_draft_begin(request: HttpRequest, access: Access) -> HttpResponse:
    """Begin the next version."""
    try:
        begin_draft(by=access.user, study=access.study)
    except CatalogueRefused:
        messages.info(request, _("Somebody has begun the draft already; here it is."))
    return redirect("legal_draft", access.study.slug)


@require_POST
@study_view(Permission.MANAGE_DATA)
def legal_draft_change(request: HttpRequest, access: Access) -> HttpResponse:
    """Add, rename, move or remove a topic, or add, move or remove an issue."""
    sent = request.POST
    action, _sign, code = sent.get("do", "").partition(":")
    step = OutlineStep(action=action, code=code, name=sent.get("name", "").strip())
    try:
        change_outline(by=access.user, study=access.study, seen=sent.get("seen", ""), step=step)
    except CatalogueRefused as refusal:
        messages.error(request, str(refusal))
    kind = "issue" if action.startswith("issue") else "topic"
    return redirect(f"{reverse('legal_draft', args=[access.study.slug])}#{kind}-{quote(code)}")


@study_view(Permission.MANAGE_DATA)
def legal_draft_heading(request: HttpRequest, access: Access) -> HttpResponse:
    """Change title, jurisdiction, language and note."""
    if request.method == "POST":
        return save_heading(request, access)
    heading = heading_now(access)
    if not heading:
        return redirect("legal_draft", access.study.slug)
    form = HeadingForm(initial={**heading, "seen": fingerprint(heading)})
    return heading_page(request, access, form)


def save_heading(request: HttpRequest, access: Access) -> HttpResponse:
    """Let the draft have another heading; what somebody else changed meanwhile stands beside."""
    form = HeadingForm(request.POST)
    if not form.is_valid():
        return heading_page(request, access, form, status=UNPROCESSABLE)
    sent = form.cleaned_data
    try:
        change_draft(
            by=access.user,
            study=access.study,
            seen=sent["seen"],
            part=heading_of,
            change=lambda tree: with_heading(tree, sent),
        )
    except CatalogueRefused as refusal:
        now = heading_now(access)
        again = HeadingForm(with_mark(request.POST, now))
        again.add_error(None, str(refusal))
        return heading_page(request, access, again, now=now, status=CONFLICT)
    messages.success(request, _("Saved in the draft."))
    return redirect("legal_draft", access.study.slug)


def heading_now(access: Access) -> dict[str, Any]:
    """Return the draft's heading; empty where there is no draft."""
    draft = draft_of(access.study)
    return heading_of(draft.content) if draft else {}


def heading_page(
    request: HttpRequest, access: Access, form: HeadingForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show the form of the heading."""
    context = draft_context(access, _("Heading"), form=form, **more)
    return render(request, "legal/draft_heading.html", context, status=status)


def with_mark(posted: QueryDict, part: object) -> QueryDict:
    """Return what was sent with the mark of a part as it is now, which the person sees next."""
    sent = posted.copy()
    sent["seen"] = fingerprint(part)
    return sent


@study_view(Permission.MANAGE_DATA)
def legal_draft_publish(request: HttpRequest, access: Access) -> HttpResponse:
    """Show what publishing the draft would change, and publish it."""
    draft = draft_of(access.study)
    if draft is None:
        messages.info(request, _("There is no draft to publish."))
        return redirect("legal_draft", access.study.slug)
    form = PublishForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = UNPROCESSABLE
        if form.is_valid():
            try:
                made = publish_draft(by=access.user, study=access.study, **form.cleaned_data)
                messages.success(request, _("Version %s is published.") % made.version)
                return redirect("legal_catalogue", access.study.slug)
            except CatalogueRefused as refusal:
                form.add_error(None, str(refusal))
                status = CONFLICT
    context = draft_context(access, _("Publish"), draft=draft, form=form, **compared(access, draft))
    return render(request, "legal/draft_publish.html", context, status=status)


def compared(access: Access, draft: CatalogueDraft) -> dict[str, Any]:
    """Return how a draft differs from the newest version, or what keeps it from being one."""
    newest = current_catalogue(access.study)
    found: dict[str, Any] = {
        "newest": newest,
        "seen": fingerprint(draft.content),
        "seen_version": newest.version if newest else 0,
        "faults": [(code, in_words(fault)) for code, fault in faults_of(draft.content)],
    }
    if newest and not found["faults"]:
        found["changes"] = changes_between(text_of(newest), read_tree(draft.content))
    return found


@require_POST
@study_view(Permission.MANAGE_DATA)
def legal_draft_discard(request: HttpRequest, access: Access) -> HttpResponse:
    """Throw the draft away."""
    try:
        discard_draft(by=access.user, study=access.study, seen=request.POST.get("seen", ""))
        messages.success(request, _("The draft is discarded. Published versions stay."))
    except CatalogueRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("legal_catalogue", access.study.slug)
