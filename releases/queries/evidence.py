"""The rows of evidence.csv: each page and file that a released vote names."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Left

from annotation.models import Study
from legal.models import ArchivedPage, Attachment
from releases.columns import TEXT_START
from releases.queries.votes import released_votes

BLOCK = 1_000
PAGE_FIELDS = (
    *("url", "domain", "state", "status", "final_url", "title", "published_on", "retrieved_at"),
    *("content_type", "size", "sha256", "reason", "text_start"),
)


def released_pages(study: Study) -> QuerySet[ArchivedPage]:
    """Return the pages that a released vote names."""
    votes = released_votes(study).values("pk")
    pages = ArchivedPage.objects.filter(study=study, evidence__answer__vote__in=votes)
    return pages.distinct().order_by("pk")


def released_attachments(study: Study) -> QuerySet[Attachment]:
    """Return the files that a released vote gives."""
    votes = released_votes(study).values("pk")
    files = Attachment.objects.filter(study=study, evidence__answer__vote__in=votes)
    return files.distinct().order_by("pk")


def evidence_blocks(study: Study) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows in blocks: pages in the order in which they were named, then files."""
    pages = (
        ArchivedPage.objects.filter(pk__in=released_pages(study).values("pk"))
        .annotate(text_start=Left("text", TEXT_START))
        .order_by("pk")
        .values(*PAGE_FIELDS)
        .iterator(chunk_size=BLOCK)
    )
    while block := list(islice(pages, BLOCK)):
        yield [page_row(page) for page in block]
    files = released_attachments(study).iterator(chunk_size=BLOCK)
    while found := list(islice(files, BLOCK)):
        yield [file_row(file) for file in found]


def page_row(page: dict[str, Any]) -> dict[str, Any]:
    """Return a page's cells."""
    retrieved, published = page["retrieved_at"], page["published_on"]
    return {
        **page,
        "evidence": page["url"],
        "final_address": page["final_url"],
        "retrieved_at": retrieved.isoformat(timespec="seconds") if retrieved else None,
        "published_on": published.isoformat() if published else None,
    }


def file_row(file: Attachment) -> dict[str, Any]:
    """Return an attached file's cells. Its name may tell who attached it, and stays here."""
    return {
        "evidence": file.reference,
        "state": "attached",
        "retrieved_at": file.created_at.isoformat(timespec="seconds"),
        "content_type": file.content_type,
        "size": file.size,
        "sha256": file.sha256,
    }
