"""What a search of the legal library shows: hits with the part that fits, or a sentence."""

from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Study
from legal.algorithms.analysis import query_terms
from legal.algorithms.excerpts import Excerpt, excerpt
from legal.algorithms.headings import Place
from legal.models import LibraryVersion
from legal.queries.library import Hit, LibraryUnusable, current_version, search_version

MOST_HITS = 10
MOST_QUERY = 10_000


@dataclass(frozen=True)
class ShownHit:
    """A hit as people see it."""

    hit: Hit
    excerpt: Excerpt


@dataclass(frozen=True)
class Answer:
    """What came of a search: hits, and a sentence about them or in their place."""

    sentence: str
    hits: list[ShownHit] = field(default_factory=list)


def look_up(study: Study, query: str) -> Answer:
    """Search the library as it is now, and say what was found."""
    version = current_version(study)
    wanted = query_terms(query)
    if sentence := why_not(version, query, wanted):
        return Answer(sentence)
    assert version
    try:
        hits = [shown(hit, wanted) for hit in search_version(version, wanted, MOST_HITS)]
    except LibraryUnusable as refusal:
        return Answer(str(refusal))
    return Answer(summary(version, len(hits)), hits)


def why_not(version: LibraryVersion | None, query: str, wanted: list[str]) -> str:
    """Say why there is nothing to search, or to search for."""
    if version is None or not version.folder:
        return _("The library is empty: researchers have to upload documents first.")
    if not query.strip():
        return _("Type some words, or paste a passage, to search the library.")
    if len(query) > MOST_QUERY:
        sentence = _("A search may have up to %(most)s characters; this one has %(number)s.")
        return sentence % {"most": f"{MOST_QUERY:,}", "number": f"{len(query):,}"}
    if not wanted:
        return _("These words are too common to be searched. Add one that says what it is about.")
    return ""


def shown(hit: Hit, wanted: list[str]) -> ShownHit:
    """Return a hit with the paragraph that fits the query best."""
    passage = hit.passage
    place = Place(passage.heading, passage.section)
    return ShownHit(hit, excerpt(passage.text, wanted, place))


def summary(version: LibraryVersion, number: int) -> str:
    """Say how much was found, and in what."""
    if not number:
        return _("No passage has any of these words.")
    if number == MOST_HITS:
        sentence = _("The %(number)s best of %(passages)s passages, in version %(version)s.")
    else:
        sentence = ngettext(
            "%(number)s of %(passages)s passages fits, in version %(version)s.",
            "%(number)s of %(passages)s passages fit, in version %(version)s.",
            number,
        )
    facts = {"number": number, "passages": version.passage_count, "version": version.number}
    return sentence % facts
