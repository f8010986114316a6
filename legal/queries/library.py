"""Searches the legal library: which version is searched, its index, the best passages."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.core.files.storage import default_storage
from django.utils.translation import gettext as _

from annotation.models import Study
from legal.algorithms.analysis import query_terms
from legal.algorithms.bm25 import Index, load
from legal.models import LibraryVersion, Passage

INDEXES_IN_MEMORY = 4


class LibraryUnusable(Exception):
    """A version whose index is not there; its text is a sentence for the person."""


@dataclass(frozen=True)
class Hit:
    """A passage that was found, with its document, and how well it fits."""

    passage: Passage
    score: float


def current_version(study: Study) -> LibraryVersion | None:
    """Return the version that is searched, if the library has been built."""
    return LibraryVersion.objects.filter(study=study).order_by("-number").first()


def index_folder(version: LibraryVersion) -> Path:
    """Return where a version's index is kept."""
    return Path(default_storage.path(version.folder))


@lru_cache(maxsize=INDEXES_IN_MEMORY)
def _index(folder: Path) -> Index:
    return load(folder)


def index_of(version: LibraryVersion) -> Index:
    """Return a version's index, which each process maps into its memory once."""
    try:
        return _index(index_folder(version))
    except OSError:
        sentence = _("The index of version %s is missing. Build the library again.")
        raise LibraryUnusable(sentence % version.number) from None


def passages_among(study: Study, wanted: Collection[int]) -> set[int]:
    """Return which of these are passages of a document of the study, of whatever version."""
    if not wanted:
        return set()
    found = Passage.objects.filter(pk__in=wanted, document__study=study)
    return set(found.values_list("pk", flat=True))


def titles_of(study: Study, wanted: Collection[int]) -> dict[int, str]:
    """Return what passages of the study are called: their document, and the section."""
    if not wanted:
        return {}
    found = Passage.objects.filter(pk__in=wanted, document__study=study)
    rows = found.select_related("document").defer("text", "document__text")
    return {passage.pk: passage.title for passage in rows}


def search(study: Study, query: str, top: int) -> list[Hit]:
    """Return the passages that fit a query best, best first; none for an empty library.

    Two queries of the database, however large the library is.
    """
    version = current_version(study)
    return [] if version is None else search_version(version, query_terms(query), top)


def search_version(version: LibraryVersion, wanted: list[str], top: int) -> list[Hit]:
    """Return the passages of one version that fit these terms best, best first."""
    if not version.folder:
        return []
    best = index_of(version).best(wanted, top)
    found = (
        Passage.objects.select_related("document")
        .defer("document__text")
        .in_bulk([pk for pk, _score in best])
    )
    return [Hit(found[pk], score) for pk, score in best]
