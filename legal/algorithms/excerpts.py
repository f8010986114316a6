"""Finds the part of a passage that a query is about, and marks the query's words in it."""

from collections.abc import Collection
from dataclasses import dataclass

from legal.algorithms.analysis import Word, distinct_terms, words
from legal.algorithms.headings import Place, following
from legal.algorithms.passages import Span, paragraphs

MOST_CHARACTERS = 700
BEFORE = 120
A_LINE = 60


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text; `is_marked` where it is a word of the query."""

    text: str
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a passage: its place, its text in pieces, and whether text was cut off around it.

    `start` and `end` are code points of the passage.
    """

    place: Place
    start: int
    end: int
    pieces: list[Piece]
    is_cut_before: bool = False
    is_cut_after: bool = False


def excerpt(text: str, terms: Collection[str], place: Place) -> Excerpt:
    """Return the paragraph with most of the terms; `place` is where the passage begins.

    Of equals it is the first that is more than a line, as a heading. A long paragraph is cut to
    where its first term stands.
    """
    wanted = set(terms)
    spans = paragraphs(text) or [Span(0, 0)]
    parts = [text[span.start : span.end] for span in spans]
    fits = [(len(wanted & distinct_terms(part)), len(part) > A_LINE) for part in parts]
    best = fits.index(max(fits))
    for part in parts[: best + 1]:
        place = following(place, part)
    found = [word for word in words(parts[best]) if word.term in wanted]
    return _cut(parts[best], spans[best].start, found, place)


def _cut(own: str, offset: int, found: list[Word], place: Place) -> Excerpt:
    start = 0
    if len(own) > MOST_CHARACTERS and found and found[0].start > BEFORE:
        start = own.find(" ", found[0].start - BEFORE) + 1
    end = min(len(own), start + MOST_CHARACTERS)
    if end < len(own):
        end = max(own.rfind(" ", start, end), start + MOST_CHARACTERS // 2)
    return Excerpt(
        place,
        offset + start,
        offset + end,
        marked(own, found, start, end),
        is_cut_before=start > 0,
        is_cut_after=end < len(own),
    )


def marked(text: str, found: list[Word], start: int, end: int) -> list[Piece]:
    """Return a part of a text in pieces, with the words found in it marked."""
    pieces, reached = [], start
    for word in found:
        if start <= word.start and word.end <= end:
            pieces.append(Piece(text[reached : word.start]))
            pieces.append(Piece(text[word.start : word.end], is_marked=True))
            reached = word.end
    pieces.append(Piece(text[reached:end]))
    return [piece for piece in pieces if piece.text]
