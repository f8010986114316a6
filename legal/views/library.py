"""The legal library as researchers keep it: documents in, out and described, builds."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.offers import may_change
from annotation.queries.jobs import awaited_job
from legal.algorithms.bm25 import Formula
from legal.algorithms.passages import Cutting
from legal.forms.library import BuildForm, DocumentForm, DocumentsForm, said_about
from legal.models import LibraryDocument, LibraryVersion
from legal.queries.library import current_version
from legal.queries.library_documents import documents_of, versions_of
from legal.services.library_documents import (
    BUILD,
    LibraryRefused,
    Uploaded,
    change_document,
    queue_build,
    remove_document,
    upload_documents,
)

PER_PAGE = 50


@require_safe
@study_view(Permission.READ_LIBRARY)
def library(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the documents, the version that is searched, and how the newest build stands."""
    version = current_version(access.study)
    page = Paginator(documents_of(access.study), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "study": access.study,
        "version": version,
        "versions": versions_of(access.study),
        "page": page,
        "build": awaited_job(access.study, BUILD),
        "build_form": BuildForm(initial=sizes_of(version)),
        "may_manage": may_change(access, Permission.MANAGE_DATA),
        "sees_jobs": access.may(Permission.MANAGE_DATA),
    }
    return render(request, "legal/library.html", context)


def sizes_of(version: LibraryVersion | None) -> dict[str, Any]:
    """Return how the newest version was made, or how the first one will be."""
    cutting, formula = (version.cutting, version.formula) if version else (Cutting(), Formula())
    return {
        "size": cutting.size,
        "overlap": cutting.overlap,
        "k1": formula.k1,
        "b": formula.b,
    }


@study_view(Permission.MANAGE_DATA)
def upload(request: HttpRequest, access: Access) -> HttpResponse:
    """Take documents in."""
    form = DocumentsForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        outcome = upload_documents(
            by=access.user,
            study=access.study,
            files=[(file.name, file) for file in form.cleaned_data["documents"]],
            about=form.about(),
        )
        if outcome.taken:
            tell(request, outcome)
            return redirect("legal_library", access.study.slug)
        for name, reason in outcome.refused:
            form.add_error("documents", f"{name}: {reason}")
    context = {"access": access, "study": access.study, "form": form, "crumb": _("Upload")}
    return render(request, "legal/library_upload.html", context)


def tell(request: HttpRequest, outcome: Uploaded) -> None:
    """Say what became of each file."""
    sentence = ngettext(
        "%(number)s document is taken. It is read and indexed now.",
        "%(number)s documents are taken. They are read and indexed now.",
        len(outcome.taken),
    )
    messages.success(request, sentence % {"number": len(outcome.taken)})
    for name, reason in outcome.refused:
        messages.error(request, f"{name}: {reason}")


@require_POST
@study_view(Permission.MANAGE_DATA)
def build(request: HttpRequest, access: Access) -> HttpResponse:
    """Have the library built with other sizes, or once more."""
    form = BuildForm(request.POST)
    if not form.is_valid():
        for name, errors in form.errors.items():
            messages.error(request, f"{form[name].label}: {' '.join(map(str, errors))}")
        return redirect("legal_library", access.study.slug)
    job = queue_build(
        by=access.user, study=access.study, cutting=form.cutting(), formula=form.formula()
    )
    return redirect("job", access.study.slug, job.pk)


@study_view(Permission.MANAGE_DATA)
def edit(request: HttpRequest, access: Access, document_id: int) -> HttpResponse:
    """Change what is said about a document."""
    found = of_study(LibraryDocument.objects.defer("text"), access, pk=document_id)
    form = DocumentForm(request.POST or None, initial=said_about(found))
    if request.method == "POST" and form.is_valid():
        change_document(by=access.user, document=found, about=form.about())
        messages.success(request, _("The document's details are changed."))
        return redirect("legal_document", access.study.slug, found.pk)
    context = {"access": access, "study": access.study, "document": found, "form": form}
    return render(request, "legal/document_edit.html", context | {"crumb": str(found)})


@require_POST
@study_view(Permission.MANAGE_DATA)
def remove(request: HttpRequest, access: Access, document_id: int) -> HttpResponse:
    """Leave a document out of later versions."""
    found = of_study(LibraryDocument.objects.defer("text"), access, pk=document_id)
    try:
        remove_document(by=access.user, document=found)
        messages.success(request, _("“%s” is out of the library; it is built anew now.") % found)
    except LibraryRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("legal_library", access.study.slug)
