"""The legal library as experts read it: search, a document's text, its file as it came."""

from pathlib import Path

from django.core.files.storage import default_storage
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.offers import may_change
from legal.algorithms.analysis import query_terms
from legal.algorithms.passages import paragraphs
from legal.models import LibraryDocument, Passage
from legal.queries.library_documents import page_at, paragraphs_of
from legal.queries.library_hits import look_up

PER_PAGE = 100


@require_safe
@study_view(Permission.READ_LIBRARY)
def search(request: HttpRequest, access: Access) -> HttpResponse:
    """Search the library; `part=hits` gives the part that stands beside the expert's form.

    `cite` names the form of the page around it that the buttons of the hits belong to.
    """
    query = request.GET.get("q", "").replace("\0", "")
    context = {
        "access": access,
        "study": access.study,
        "query": query,
        "answer": look_up(access.study, query),
        "cite": request.GET.get("cite", "")[:60],
        "crumb": _("Search"),
    }
    is_part = request.GET.get("part") == "hits"
    return render(request, f"legal/library_{'hits' if is_part else 'search'}.html", context)


@require_safe
@study_view(Permission.READ_LIBRARY)
def document(request: HttpRequest, access: Access, document_id: int) -> HttpResponse:
    """Show a document's text a page at a time, with a passage of it marked if one is named."""
    found = of_study(LibraryDocument.objects.all(), access, pk=document_id)
    cited = cited_passage(request, found)
    pages = Paginator(paragraphs(found.text), PER_PAGE)
    wanted = page_at(found, cited, PER_PAGE) if cited else 1
    page = pages.get_page(request.GET.get("page", wanted))
    numbers = slice(max(0, page.start_index() - 1), page.end_index())
    terms = query_terms(request.GET.get("q", ""))
    context = {
        "access": access,
        "study": access.study,
        "document": found,
        "cited": cited,
        "page": page,
        "paragraphs": paragraphs_of(found, numbers, cited, terms),
        "may_manage": may_change(access, Permission.MANAGE_DATA) and not found.removed_at,
        "crumb": str(found),
    }
    return render(request, "legal/document.html", context)


def cited_passage(request: HttpRequest, document: LibraryDocument) -> Passage | None:
    """Return the passage that the address names, if it names one."""
    wanted = request.GET.get("passage")
    if wanted is None:
        return None
    found = document.passages.filter(pk=int(wanted)).first() if wanted.isdecimal() else None
    if found is None:
        raise Http404(_("The document has no such passage."))
    return found


@require_safe
@study_view(Permission.READ_LIBRARY)
def file(request: HttpRequest, access: Access, document_id: int) -> HttpResponseBase:
    """Download a document's file as it came; browsers save it and never show it."""
    found = of_study(LibraryDocument.objects.defer("text"), access, pk=document_id)
    path = Path(default_storage.path(found.stored_as))
    if not path.exists():
        raise Http404(_("The file is not on this server any more."))
    return FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename=found.name,
        content_type="application/octet-stream",
    )
