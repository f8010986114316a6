"""Writes down which pages and files an answer rests on; the archive fetches the pages later."""

from collections.abc import Iterable

from django.db.models.functions import MD5

from legal.algorithms.pages import digest_of, site_of
from legal.models import ArchivedPage

BLOCK = 1_000


def pages_for(study_id: int, urls: Iterable[str]) -> dict[str, int]:
    """Return the archive's page of each address, made where the study has none yet.

    In the order of the addresses, so that two who make the same pages never wait in a circle: call
    it once in a transaction.
    """
    wanted = sorted(set(urls))
    pages: dict[str, int] = {}
    for start in range(0, len(wanted), BLOCK):
        pages |= block_of_pages(study_id, wanted[start : start + BLOCK])
    return pages


def block_of_pages(study_id: int, urls: list[str]) -> dict[str, int]:
    """Return the pages of some addresses."""
    known = known_pages(study_id, urls)
    if missing := [url for url in urls if url not in known]:
        ArchivedPage.objects.bulk_create(
            [ArchivedPage(study_id=study_id, url=url, domain=site_of(url)) for url in missing],
            ignore_conflicts=True,  # somebody else may name the same page at this moment
        )
        known |= known_pages(study_id, missing)
    return known


def known_pages(study_id: int, urls: list[str]) -> dict[str, int]:
    """Return those pages of some addresses that the study has."""
    found = ArchivedPage.objects.filter(study=study_id).alias(digest=MD5("url"))
    of_urls = found.filter(digest__in=[digest_of(url) for url in urls])
    return dict(of_urls.values_list("url", "pk"))
