"""The documents of the legal library: which there are, one to read, its passages in its text."""

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Study
from legal.algorithms.analysis import words
from legal.algorithms.excerpts import Piece, marked
from legal.algorithms.passages import paragraphs
from legal.models import LibraryDocument, LibraryVersion, Passage, VersionDocument
from legal.queries.library import current_version


@dataclass
class Paragraph:
    """A paragraph of a document: its pieces, the passages that begin in it, whether it is cited."""

    number: int
    pieces: list[Piece]
    passages: list[Passage] = field(default_factory=list)
    is_cited: bool = False


def documents_of(study: Study) -> QuerySet[LibraryDocument]:
    """Return a study's documents without their texts, by title; not those taken out."""
    version = current_version(study)
    held = VersionDocument.objects.filter(version=version, document=OuterRef("pk"))
    documents = LibraryDocument.objects.filter(study=study, removed_at=None).defer("text")
    return documents.annotate(is_searched=Exists(held)).order_by("title", "name", "pk")


def versions_of(study: Study) -> QuerySet[LibraryVersion]:
    """Return the versions of a study's library, newest first."""
    return LibraryVersion.objects.filter(study=study).select_related("created_by")


def passages_of(document: LibraryDocument) -> QuerySet[Passage]:
    """Return a document's passages as they are searched now, without their texts.

    Of a document that was taken out, those of the last version that held it.
    """
    holding = document.held_in.select_related("version").order_by("-version__number").first()
    cut_as = holding.version.cut_as if holding else ""
    return document.passages.filter(cut_as=cut_as).defer("text").order_by("number")


def page_at(document: LibraryDocument, passage: Passage, per_page: int) -> int:
    """Return the page of a document on which a passage begins."""
    starts = [span.start for span in paragraphs(document.text)]
    return (bisect_right(starts, passage.start) - 1) // per_page + 1


def paragraphs_of(
    document: LibraryDocument,
    numbers: slice,
    cited: Passage | None = None,
    terms: Collection[str] = (),
) -> list[Paragraph]:
    """Return some paragraphs of a document, with the terms marked in the passage that is cited."""
    spans = paragraphs(document.text)
    starts = [span.start for span in spans]
    shown = [
        Paragraph(number + 1, [Piece(document.text[spans[number].start : spans[number].end])])
        for number in range(*numbers.indices(len(spans)))
    ]
    by_number = {paragraph.number: paragraph for paragraph in shown}
    for passage in {*passages_of(document), *([cited] if cited else [])}:
        holder = by_number.get(bisect_right(starts, passage.start))
        if holder:
            holder.passages.append(passage)
    if cited:
        cite(shown, [(span.start, span.end) for span in spans], cited, frozenset(terms))
    return shown


def cite(
    shown: list[Paragraph],
    spans: list[tuple[int, int]],
    cited: Passage,
    terms: frozenset[str],
) -> None:
    """Mark the paragraphs that a passage reaches into, and the terms in them."""
    for paragraph in shown:
        start, end = spans[paragraph.number - 1]
        if start < cited.end and cited.start < end:
            paragraph.is_cited = True
            text = paragraph.pieces[0].text
            found = [word for word in words(text) if word.term in terms]
            paragraph.pieces = marked(text, found, 0, len(text))
