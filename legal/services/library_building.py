"""Builds a version of the legal library: reads files, cuts passages, writes the index, switches.

A document's outcome is kept as soon as it is read, so one that cannot be read stops no other. The
version's row is written last, when its index is whole on disk; until then the old one is searched.
"""

import secrets
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pghistory
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Job, Study, User
from annotation.services.archive import lock_study
from embeddings.encoders import OFFLINE_ENCODER, locate
from infra.jobs import JobRefused, Report
from legal.algorithms import bm25
from legal.algorithms.analysis import NAME as ANALYZER
from legal.algorithms.analysis import terms
from legal.algorithms.extraction import Extracted, Unreadable, read_file
from legal.algorithms.headings import Place, following
from legal.algorithms.passages import Cutting, Span, Tokenizer, paragraphs, passages
from legal.algorithms.tokens import FileTokenizer
from legal.models import (
    DocumentState,
    LibraryDocument,
    LibraryVersion,
    Passage,
    VersionDocument,
)
from legal.queries.library import current_version, index_folder
from legal.services.library_documents import told

BLOCK = 500
MOST_TITLE = 120


@dataclass(frozen=True)
class Recipe:
    """How a version is made."""

    cutting: Cutting
    formula: bm25.Formula
    tokenizer: FileTokenizer

    @property
    def tokenizer_name(self) -> str:
        """Return which tokenizer counts, by its files' checksum."""
        return f"{OFFLINE_ENCODER}, sha256 {self.tokenizer.digest[:16]}"

    @property
    def cut_as(self) -> str:
        """Return what passages that were cut alike have in common."""
        return self.cutting.named(self.tokenizer_name)

    def facts(self) -> dict[str, Any]:
        """Return the fields of a version that say how it was made."""
        return {
            "size": self.cutting.size,
            "overlap": self.cutting.overlap,
            "k1": self.formula.k1,
            "b": self.formula.b,
            "tokenizer": self.tokenizer_name,
            "analyzer": ANALYZER,
        }


def build_library(*, job: Job, report: Report) -> dict[str, Any]:
    """Read what waits, and make a version of all documents that have text."""
    study = job.study
    read_waiting(study, job.created_by, report)
    recipe = recipe_of(study, job.parameters)
    version = version_of_today(study, recipe, job.created_by, report)
    unreadable = LibraryDocument.objects.filter(
        study=study, removed_at=None, state=DocumentState.UNREADABLE
    )
    return {
        "version": version.number,
        "documents": version.document_count,
        "passages": version.passage_count,
        "unreadable": list(unreadable.values("name", "reason")),
    }


def recipe_of(study: Study, parameters: dict[str, Any]) -> Recipe:
    """Return how to build: as asked for, else as the newest version was, else as the paper did."""
    newest = current_version(study)
    cutting = newest.cutting if newest else Cutting()
    formula = newest.formula if newest else bm25.Formula()
    if "cutting" in parameters:
        cutting = Cutting(**parameters["cutting"])
    if "formula" in parameters:
        formula = bm25.Formula(**parameters["formula"])
    tokenizer = FileTokenizer(locate(OFFLINE_ENCODER).folder / "tokenizer.json")
    return Recipe(cutting, formula, tokenizer)


def read_waiting(study: Study, by: User | None, report: Report) -> None:
    """Take the text out of each file that waits for it."""
    waiting = LibraryDocument.objects.filter(
        study=study, removed_at=None, state=DocumentState.WAITING
    )
    ids = list(waiting.values_list("pk", flat=True))
    for number, pk in enumerate(ids):
        document = LibraryDocument.objects.get(pk=pk)
        report(number, len(ids), _("Reading %s") % document.name)
        read_document(document, by)


def read_document(document: LibraryDocument, by: User | None) -> None:
    """Keep the text of a document, or why it has none."""
    try:
        found = read_file(Path(default_storage.path(document.stored_as)), document.kind)
    except Unreadable as fault:
        values = {"state": DocumentState.UNREADABLE, "reason": told(fault)}
    else:
        values = read_values(document, found)
    with pghistory.context(user=by.pk if by else None, action="read library document"):
        LibraryDocument.objects.filter(pk=document.pk, state=DocumentState.WAITING).update(**values)


def read_values(document: LibraryDocument, found: Extracted) -> dict[str, Any]:
    """Return what a document becomes by its text; a title that somebody gave stays."""
    return {
        "state": DocumentState.READ,
        "text": found.text,
        "characters": len(found.text),
        "empty_pages": list(found.empty_pages),
        "title": document.title or found.title or first_line(found.text) or document.name,
    }


def first_line(text: str) -> str:
    """Return the line that a text begins with if it is short enough for a title."""
    line = text.partition("\n")[0].lstrip("# ").strip()
    return line if len(line) <= MOST_TITLE else ""


def version_of_today(
    study: Study, recipe: Recipe, by: User | None, report: Report
) -> LibraryVersion:
    """Return a version of the documents that are in the library when it is written down.

    Documents that came or went meanwhile have it made anew. Nothing is made where the newest
    version is the same already.
    """
    while True:
        ids = ids_of_today(study)
        newest = current_version(study)
        if newest and is_same(newest, ids, recipe):
            return newest
        if not ids and newest is None:
            raise JobRefused(nothing_to_build(study))
        folder = write_index(study, ids, recipe, report) if ids else ""
        version = switch(study, ids, recipe, folder, by)
        if version:
            return version
        forget(folder)


def ids_of_today(study: Study) -> list[int]:
    """Return the documents with text that nobody took out."""
    readable = LibraryDocument.objects.filter(
        study=study, removed_at=None, state=DocumentState.READ
    )
    return list(readable.order_by("pk").values_list("pk", flat=True))


def is_same(version: LibraryVersion, ids: list[int], recipe: Recipe) -> bool:
    """Say whether a version is made of these documents in this way, and has its files."""
    held = version.held.order_by("document_id").values_list("document_id", flat=True)
    facts = {name: getattr(version, name) for name in recipe.facts()}
    has_files = not version.folder or index_folder(version).is_dir()
    return has_files and list(held) == ids and facts == recipe.facts()


def nothing_to_build(study: Study) -> str:
    """Say why there is no text to search."""
    first = LibraryDocument.objects.filter(study=study, removed_at=None).exclude(reason="").first()
    if first is None:
        return _("The library has no document yet. Upload one first.")
    sentence = _("No document of the library can be read. %(name)s: %(reason)s")
    return sentence % {"name": first.name, "reason": first.reason}


def write_index(study: Study, ids: list[int], recipe: Recipe, report: Report) -> str:
    """Write the index of these documents into a folder of its own; return its name."""
    name = f"library/{study.pk}/index-{secrets.token_hex(8)}"
    folder = Path(default_storage.path(name))
    folder.mkdir(parents=True)
    try:
        bm25.build(terms_of(ids, recipe, report), recipe.formula, folder)
    except bm25.NothingToIndex:
        forget(name)
        raise JobRefused(_("The documents hold no words that could be searched.")) from None
    except BaseException:
        forget(name)
        raise
    return name


def terms_of(ids: list[int], recipe: Recipe, report: Report) -> Iterator[tuple[int, list[str]]]:
    """Yield each passage's id with its terms, document by document."""
    for number, pk in enumerate(ids):
        report(number, len(ids), _("Cutting and indexing documents"))
        for passage in passages_of(pk, recipe):
            yield passage.pk, terms(passage.text)


def passages_of(document_id: int, recipe: Recipe) -> list[Passage]:
    """Return the passages of a document, cutting it where that has not been done."""
    with transaction.atomic():
        document = LibraryDocument.objects.select_for_update().get(pk=document_id)
        known = document.passages.filter(cut_as=recipe.cut_as).order_by("number")
        if not known.exists():
            Passage.objects.bulk_create(
                cut(document, recipe.cutting, recipe.tokenizer, recipe.cut_as), batch_size=BLOCK
            )
        return list(known)


def cut(
    document: LibraryDocument, cutting: Cutting, tokenizer: Tokenizer, cut_as: str
) -> Iterator[Passage]:
    """Yield a document's passages, each with the heading and section that it begins in."""
    places = places_in(document.text)
    for number, span in enumerate(passages(document.text, cutting, tokenizer), start=1):
        place = place_at(places, span)
        yield Passage(
            document=document,
            cut_as=cut_as,
            number=number,
            start=span.start,
            end=span.end,
            tokens=span.tokens,
            heading=place.heading[:200],
            section=place.section[:200],
            text=document.text[span.start : span.end],
        )


def places_in(text: str) -> list[tuple[int, Place]]:
    """Return where each paragraph begins, and the place that one is in from there on."""
    found, place = [], Place()
    for span in paragraphs(text):
        place = following(place, text[span.start : span.end])
        found.append((span.start, place))
    return found


def place_at(places: Sequence[tuple[int, Place]], span: Span) -> Place:
    """Return the place in which a passage begins."""
    before = [place for start, place in places if start <= span.start]
    return before[-1]


@transaction.atomic
def switch(
    study: Study, ids: list[int], recipe: Recipe, folder: str, by: User | None
) -> LibraryVersion | None:
    """Write the version down, from when on it is searched; None if documents changed meanwhile."""
    lock_study(study.pk)
    if ids_of_today(study) != ids:
        return None
    newest = current_version(study)
    count = Passage.objects.filter(document__in=ids, cut_as=recipe.cut_as).count()
    version = LibraryVersion.objects.create(
        study=study,
        number=newest.number + 1 if newest else 1,
        document_count=len(ids),
        passage_count=count,
        folder=folder,
        created_by=by,
        **recipe.facts(),
    )
    VersionDocument.objects.bulk_create(
        VersionDocument(version=version, document_id=pk) for pk in ids
    )
    return version


def forget(folder: str) -> None:
    """Delete the files of an index that never came to be searched."""
    if folder:
        shutil.rmtree(default_storage.path(folder), ignore_errors=True)
