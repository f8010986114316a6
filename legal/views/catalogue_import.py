"""Brings a catalogue from a file, another study or the shipped one into the draft.

First it is only compared with the newest version, and nothing changes; the catalogue travels in the
page until the person takes it into the draft.
"""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.access import Access, Permission, study_view
from annotation.models import Study
from legal.catalogues.differences import changes_between
from legal.catalogues.parsing import MOST_BYTES
from legal.catalogues.texts import CatalogueText
from legal.catalogues.writing import as_json, fingerprint
from legal.queries.catalogues import current_catalogue, memberships_with_catalogue, text_of
from legal.queries.drafts import draft_of
from legal.services.catalogues import CatalogueRefused, read_or_refuse, shipped_catalogue
from legal.services.drafts import fill_draft
from legal.services.readers import may_read
from legal.views.drafts import CONFLICT, UNPROCESSABLE, draft_context

FILE, SHIPPED = "file", "shipped"


class ImportForm(forms.Form):
    """Where a catalogue comes from."""

    source = forms.ChoiceField(
        label=gettext_lazy("Where it comes from"), widget=forms.RadioSelect, initial=FILE
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("YAML or JSON, such as Juryroom exports."),
        required=False,
        allow_empty_file=True,
    )

    def __init__(self, *args: Any, studies: list[Study], **more: Any) -> None:
        super().__init__(*args, **more)
        self.studies = {f"study:{study.slug}": study for study in studies}
        field = self.fields["source"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            (FILE, _("A file")),
            (SHIPPED, _("The catalogue that Juryroom ships (Canada)")),
            *((code, _("The study “%s”") % study.title) for code, study in self.studies.items()),
        ]

    def clean(self) -> dict[str, Any]:
        """Refuse a file that is not there."""
        found = self.cleaned_data
        if found.get("source") == FILE and not found.get("file") and "file" not in self.errors:
            self.add_error("file", _("Choose a file."))
        return found

    def text(self) -> CatalogueText:
        """Return the catalogue that was chosen, or refuse it."""
        source = self.cleaned_data["source"]
        if source == SHIPPED:
            return shipped_catalogue()
        if source == FILE:
            return read_or_refuse(self.cleaned_data["file"].read(MOST_BYTES + 1))
        newest = current_catalogue(self.studies[source])
        assert newest
        return text_of(newest)


@study_view(Permission.MANAGE_DATA)
def legal_catalogue_import(request: HttpRequest, access: Access) -> HttpResponse:
    """Choose a catalogue, see how it differs, and take it into the draft."""
    if request.method == "POST" and "content" in request.POST:
        return take(request, access)
    form = ImportForm(request.POST or None, request.FILES or None, studies=others(access))
    if request.method == "POST" and form.is_valid():
        try:
            return look(request, access, form.text())
        except CatalogueRefused as refusal:
            name = "file" if form.cleaned_data["source"] == FILE else None
            form.add_error(name, str(refusal))
    status = UNPROCESSABLE if form.errors else 200
    context = draft_context(access, _("Import"), form=form)
    return render(request, "legal/catalogue_import.html", context, status=status)


def others(access: Access) -> list[Study]:
    """Return the person's other studies of which they may read the guide."""
    members = memberships_with_catalogue(access.user).exclude(study=access.study)
    return [member.study for member in members if may_read(member)]


def look(
    request: HttpRequest, access: Access, text: CatalogueText, *, refusal: str = ""
) -> HttpResponse:
    """Show how a catalogue differs from the newest version; nothing changes."""
    newest, draft = current_catalogue(access.study), draft_of(access.study)
    context = draft_context(
        access,
        _("Import"),
        text=text,
        issues=sum(len(topic.issues) for topic in text.topics),
        content=as_json(text),
        newest=newest,
        changes=changes_between(text_of(newest), text) if newest else None,
        draft=draft,
        seen=fingerprint(draft.content) if draft else "",
        refusal=refusal,
    )
    status = CONFLICT if refusal else 200
    return render(request, "legal/catalogue_compared.html", context, status=status)


def take(request: HttpRequest, access: Access) -> HttpResponse:
    """Let the draft be the catalogue that was looked at."""
    try:
        text = read_or_refuse(request.POST["content"].encode())
    except CatalogueRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("legal_catalogue_import", access.study.slug)
    try:
        seen = request.POST.get("seen", "")
        fill_draft(by=access.user, study=access.study, text=text, seen=seen)
    except CatalogueRefused as refusal:
        return look(request, access, text, refusal=str(refusal))
    messages.success(request, _("The catalogue is in the draft. Publish it to put it in force."))
    return redirect("legal_draft", access.study.slug)
