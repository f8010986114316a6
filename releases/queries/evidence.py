"""The rows of evidence: each page and file that a released vote names."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Left

from annotation.models.votes import VoteQuerySet
from legal.models import ArchivedPage, Attachment
from releases.columns import TEXT_START

Row = dict[str, Any]
BLOCK = 1_000
PAGE_FIELDS = (
    *("url", "domain", "state", "status", "final_url", "title", "published_on", "retrieved_at"),
    *("content_type", "size", "sha256", "reason", "text_start"),
)
FILE_LACKS = (
    *("domain", "status", "final_address", "title", "published_on", "reason", "text_start"),
)


def released_pages(votes: VoteQuerySet) -> QuerySet[ArchivedPage]:
    """Return the pages that some votes name."""
    pages = ArchivedPage.objects.filter(evidence__answer__vote__in=votes.values("pk"))
    return ArchivedPage.objects.filter(pk__in=pages.values("pk")).order_by("pk")


def released_attachments(votes: VoteQuerySet) -> QuerySet[Attachment]:
    """Return the files that some votes give."""
    files = Attachment.objects.filter(evidence__answer__vote__in=votes.values("pk"))
    return Attachment.objects.filter(pk__in=files.values("pk")).order_by("pk")


def evidence_blocks(votes: VoteQuerySet) -> Iterator[list[Row]]:
    """Yield the rows in blocks: pages in the order in which they were named, then files."""
    pages = (
        released_pages(votes)
        .annotate(text_start=Left("text", TEXT_START))
        .values(*PAGE_FIELDS)
        .iterator(chunk_size=BLOCK)
    )
    while block := list(islice(pages, BLOCK)):
        yield [page_row(page) for page in block]
    files = released_attachments(votes).iterator(chunk_size=BLOCK)
    while found := list(islice(files, BLOCK)):
        yield [file_row(file) for file in found]


def page_row(page: Row) -> Row:
    """Return a page's cells."""
    retrieved, published = page["retrieved_at"], page["published_on"]
    return {
        **page,
        "evidence": page["url"],
        "final_address": page["final_url"],
        "retrieved_at": int(retrieved.timestamp()) if retrieved else None,
        "published_on": published.isoformat() if published else None,
    }


def file_row(file: Attachment) -> Row:
    """Return an attached file's cells. Its name may tell who attached it, and stays here."""
    return dict.fromkeys(FILE_LACKS) | {
        "evidence": file.reference,
        "state": "attached",
        "retrieved_at": int(file.created_at.timestamp()),
        "content_type": file.content_type,
        "size": file.size,
        "sha256": file.sha256,
    }
