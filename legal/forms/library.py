"""Parses what researchers send about the legal library: files, where they are from, sizes."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from legal.algorithms.bm25 import Formula
from legal.algorithms.extraction import KINDS
from legal.algorithms.passages import Cutting
from legal.models import LibraryDocument, SourceType
from legal.services.library_documents import About


class ManyFiles(forms.ClearableFileInput):
    """A field of a page that takes several files at once."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files; each may be empty, as what is wrong with one is said of that one."""

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """Return the files."""
        files = data if isinstance(data, list | tuple) else [data]
        return [super(FilesField, self).clean(file, initial) for file in files or [None]]


class AboutForm(forms.Form):
    """Where documents are from."""

    source_type = forms.ChoiceField(
        label=_("Kind of source"), choices=SourceType.choices, initial=SourceType.STATUTE
    )
    jurisdiction = forms.CharField(label=_("Jurisdiction"), max_length=200, required=False)
    licence = forms.CharField(
        label=_("Licence"),
        max_length=300,
        required=False,
        help_text=_("On which terms the text may be used and shown."),
    )
    language = forms.CharField(
        label=_("Language"), max_length=8, required=False, help_text=_("A code, such as en.")
    )

    def about(self) -> About:
        """Return what is said about the documents."""
        return About(**{name: self.cleaned_data[name] for name in ABOUT if name in self.fields})


ABOUT = ("title", "source_type", "jurisdiction", "citation", "licence", "language")


class DocumentsForm(AboutForm):
    """New documents, and what is said about all of them."""

    documents = FilesField(
        label=_("Files"),
        widget=ManyFiles(attrs={"accept": ",".join(f".{kind}" for kind in KINDS)}),
        help_text=_("One or many: plain text, Markdown, HTML, PDF or Word (.docx)."),
        allow_empty_file=True,
        max_length=500,
        error_messages={"required": _("Choose one file or several.")},
    )
    field_order = ["documents", "source_type", "jurisdiction", "licence", "language"]


class DocumentForm(AboutForm):
    """What is said about one document."""

    title = forms.CharField(label=_("Title"), max_length=300)
    citation = forms.CharField(
        label=_("Citation"),
        max_length=300,
        required=False,
        help_text=_("As lawyers cite it, such as RSC 1985, c P-21."),
    )
    field_order = ABOUT


def said_about(document: LibraryDocument) -> dict[str, str]:
    """Return what is said about a document, as the form shows it."""
    return {name: getattr(document, name) for name in ABOUT}


class BuildForm(forms.Form):
    """How the next version of the library is made."""

    size = forms.IntegerField(
        label=_("Tokens of a passage, at most"), min_value=16, max_value=100_000
    )
    overlap = forms.FloatField(
        label=_("Share that neighbours have in common"), min_value=0, max_value=0.9
    )
    k1 = forms.FloatField(
        label=_("k1"),
        min_value=0,
        max_value=10,
        help_text=_("How much a word's repetition adds: 0, nothing."),
    )
    b = forms.FloatField(
        label=_("b"),
        min_value=0,
        max_value=1,
        help_text=_("How much a long passage loses by its length: 0, nothing."),
    )

    def cutting(self) -> Cutting:
        """Return how passages are cut."""
        return Cutting(self.cleaned_data["size"], self.cleaned_data["overlap"])

    def formula(self) -> Formula:
        """Return how passages are scored."""
        return Formula(k1=self.cleaned_data["k1"], b=self.cleaned_data["b"])
