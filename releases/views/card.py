"""The data card of a study: as it reads, and where researchers write its sections."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, study_view
from annotation.markdown import render_markdown
from annotation.offers import may_change
from releases.forms import SectionForm, TermsForm
from releases.queries.cards import CardPart, card_of, card_record, mark_of, part_of
from releases.services.cards import CardRefused, give_back, write_section, write_terms


@require_safe
@study_view(Permission.SEE_RESULTS)
def data_card(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the card as a release made now would have it, and which sections are written."""
    card = card_of(access.study)
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Data card"),
        "card": card,
        "parts": [(part, render_markdown(part.text, 4)) for part in card.parts],
        "may_manage": may_change(access, Permission.MANAGE_DATA),
    }
    return render(request, "releases/card.html", context)


@study_view(Permission.MANAGE_DATA)
def card_section(request: HttpRequest, access: Access, code: str) -> HttpResponse:
    """Write a section; a preview stores nothing."""
    part = named_part(access, code)
    initial = {"text": part.text, "seen": mark_of("" if part.follows else part.text)}
    form = SectionForm(request.POST or None, initial=initial)
    context = {"access": access, "study": access.study, "part": part, "form": form}
    context["crumb"] = part.section.title
    if request.method == "POST" and form.is_valid() and "preview" in request.POST:
        context["preview"] = render_markdown(form.cleaned_data["text"], 3)
    elif request.method == "POST" and form.is_valid():
        try:
            write_section(by=access.user, study=access.study, code=code, **form.cleaned_data)
            messages.success(request, _("Saved. The section is yours; it follows nothing."))
            return redirect("data_card", access.study.slug)
        except CardRefused as refusal:
            form.add_error(None, str(refusal))
    return render(request, "releases/card_section.html", context)


def named_part(access: Access, code: str) -> CardPart:
    """Return a section by the name in its address."""
    try:
        return part_of(access.study, code)
    except KeyError:
        raise Http404(_("The card has no such section.")) from None


@require_POST
@study_view(Permission.MANAGE_DATA)
def card_section_back(request: HttpRequest, access: Access, code: str) -> HttpResponse:
    """Let a section follow the study again."""
    named_part(access, code)
    give_back(by=access.user, study=access.study, code=code)
    messages.success(request, _("It follows the study again; your text stays in the history."))
    return redirect("data_card", access.study.slug)


@study_view(Permission.MANAGE_DATA)
def card_terms(request: HttpRequest, access: Access) -> HttpResponse:
    """Write licence and citation."""
    record = card_record(access.study)
    initial = {"licence": record.licence, "citation": record.citation}
    form = TermsForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        write_terms(by=access.user, study=access.study, **form.cleaned_data)
        messages.success(request, _("Saved. New releases begin with it."))
        return redirect("data_card", access.study.slug)
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Licence and citation"),
        "form": form,
    }
    return render(request, "releases/card_terms.html", context)
