"""Evidence for researchers: the archive's pages, one page as plain text, and downloads.

Nothing that came from outside is rendered: texts are shown as text, files only handed out.
"""

from pathlib import Path
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.offers import may_change
from annotation.queries.jobs import awaited_job
from legal.forms import EvidenceFilter
from legal.models import MISSED, ArchivedPage, PageState
from legal.queries.evidence import (
    archived_pages,
    attachments_of,
    citing_posts,
    citing_votes,
    evidence_domains,
    page_counts,
)
from legal.queries.verdicts import still_wanting
from legal.services.archiving import FETCH, ArchivingRefused, fetch_again
from legal.views.downloads import attached, downloaded

PER_PAGE = 50
MOST_DOMAINS = 20
MOST_POSTS = 50
MOST_SHOWN = 50_000


@require_safe
@study_view(Permission.SEE_RESULTS)
def evidence(request: HttpRequest, access: Access) -> HttpResponse:
    """List the pages that experts named, how each stands, and the sites that they are on."""
    study, asked = access.study, EvidenceFilter(request.GET)
    counts = page_counts(study)
    pages = Paginator(archived_pages(study, **asked.chosen()), PER_PAGE)
    page = pages.get_page(request.GET.get("page"))
    cited = citing_votes(one.pk for one in page)
    context = {
        "access": access,
        "study": study,
        "asked": asked,
        "params": urlencode({name: value for name, value in asked.chosen().items() if value}),
        "page": page,
        "rows": [(one, cited.get(one.pk, 0)) for one in page],
        "counts": [(PageState(state), pages) for state, pages in counts.items()],
        "total": sum(counts.values()),
        "missed": sum(counts[state] for state in (*MISSED, PageState.WAITING)),
        "domains": evidence_domains(study, MOST_DOMAINS),
        "attachments": attachments_of(study).count(),
        "job": awaited_job(study, FETCH),
        "may_fetch": may_change(access, Permission.MANAGE_DATA),
        "crumb": _("Evidence"),
    }
    return render(request, "legal/evidence.html", context)


@require_POST
@study_view(Permission.MANAGE_DATA)
def fetch(request: HttpRequest, access: Access) -> HttpResponse:
    """Fetch what could not be had."""
    try:
        job = fetch_again(by=access.user, study=access.study)
        return redirect("job", access.study.slug, job.pk)
    except ArchivingRefused as refusal:
        messages.info(request, str(refusal))
    return redirect("legal_evidence", access.study.slug)


@require_safe
@study_view(Permission.SEE_RESULTS)
def evidence_page(request: HttpRequest, access: Access, page_id: int) -> HttpResponse:
    """Show what is known of a page, and its text as plain text."""
    page = of_study(ArchivedPage.objects.all(), access, pk=page_id)
    posts = citing_posts(page, MOST_POSTS)
    wanting = still_wanting([post.pk for post in posts])
    context = {
        "access": access,
        "study": access.study,
        "page": page,
        "text": page.text[:MOST_SHOWN],
        "votes": citing_votes([page.pk]).get(page.pk, 0),
        "posts": [post for post in posts if post.pk not in wanting],
        "most_posts": MOST_POSTS,
        "crumb": page.domain or _("Page"),
    }
    return render(request, "legal/evidence_page.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def evidence_warc(request: HttpRequest, access: Access, page_id: int) -> HttpResponseBase:
    """Hand out a page's WARC file."""
    page = of_study(ArchivedPage.objects.filter(state=PageState.FETCHED), access, pk=page_id)
    return downloaded(page.warc, Path(page.warc).name)


@require_safe
@study_view(Permission.SEE_RESULTS)
def evidence_attachments(request: HttpRequest, access: Access) -> HttpResponse:
    """List the files that experts attached."""
    found = attachments_of(access.study).select_related("assignment__member")
    page = Paginator(found.order_by("-pk"), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "study": access.study,
        "page": page,
        "crumb": _("Attached files"),
    }
    return render(request, "legal/attachments.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def evidence_attachment(
    request: HttpRequest, access: Access, attachment_id: int
) -> HttpResponseBase:
    """Hand out a file that an answer gives as evidence."""
    return attached(of_study(attachments_of(access.study), access, pk=attachment_id))
