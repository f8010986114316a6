"""Takes documents into the legal library, changes what is said about them, takes them out.

A file that is not taken is named with a sentence, and the others go on. What a file holds is read
by the job that builds the library, never here.
"""

import io
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

import pghistory
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Job, Study, User
from annotation.services.archive import hold_open, lock_study
from annotation.services.jobs import queue_job
from annotation.services.reading import most_upload_bytes
from annotation.services.uploads import sha256_of
from legal.algorithms.bm25 import Formula
from legal.algorithms.extraction import Unreadable, kind_of
from legal.algorithms.passages import Cutting
from legal.models import LibraryDocument, SourceType

BUILD = "build_library"


class LibraryRefused(Exception):
    """Something that the library does not do; its text is a sentence for the person."""


@dataclass(frozen=True)
class About:
    """What is said about a document. Without a title it takes the one that its text begins with."""

    title: str = ""
    source_type: str = SourceType.STATUTE
    jurisdiction: str = ""
    citation: str = ""
    licence: str = ""
    language: str = ""


@dataclass
class Uploaded:
    """Which files were taken, and for each other one its name and why not."""

    taken: list[LibraryDocument] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    job: Job | None = None


def upload_documents(
    *, by: User | None, study: Study, files: Iterable[tuple[str, IO[bytes]]], about: About
) -> Uploaded:
    """Keep files as documents, and have the library built anew with those that were taken."""
    outcome = Uploaded()
    for name, content in files:
        try:
            document = add_document(by=by, study=study, name=name, content=content, about=about)
            outcome.taken.append(document)
        except LibraryRefused as refusal:
            outcome.refused.append((Path(name).name, str(refusal)))
    if outcome.taken:
        outcome.job = queue_build(by=by, study=study)
    return outcome


@transaction.atomic
def add_document(
    *, by: User | None, study: Study, name: str, content: IO[bytes], about: About
) -> LibraryDocument:
    """Keep one file. The name given is only shown, never used as a path."""
    lock_study(study.pk)
    kind, size, digest = checked(study, name, content)
    content.seek(0)
    stored_as = default_storage.save(
        f"library/{study.pk}/{secrets.token_hex(8)}.{kind}", File(content)
    )
    with pghistory.context(user=by.pk if by else None, action="add to library"):
        return LibraryDocument.objects.create(
            study=study,
            name=Path(name).name[:255],
            kind=kind,
            stored_as=stored_as,
            sha256=digest,
            size=size,
            created_by=by,
            **asdict(about),
        )


def checked(study: Study, name: str, content: IO[bytes]) -> tuple[str, int, str]:
    """Return a file's kind, size and checksum; refuse what is not worth keeping."""
    try:
        kind = kind_of(name)
    except Unreadable as fault:
        raise LibraryRefused(told(fault)) from None
    size = content.seek(0, io.SEEK_END)
    if size == 0:
        raise LibraryRefused(_("The file is empty."))
    if size > most_upload_bytes():
        limit = most_upload_bytes() // 1024 // 1024
        raise LibraryRefused(_("The file is larger than %s MB.") % limit)
    content.seek(0)
    digest = sha256_of(content)
    twin = LibraryDocument.objects.filter(study=study, sha256=digest, removed_at=None).first()
    if twin:
        raise LibraryRefused(_("The library has this file already, as “%s”.") % twin)
    return kind, size, digest


def told(fault: Unreadable) -> str:
    """Return why a file cannot be read, in the person's language."""
    return _(fault.template) % fault.values


@transaction.atomic
def change_document(*, by: User | None, document: LibraryDocument, about: About) -> LibraryDocument:
    """Change what is said about a document; its text and passages stay as they are."""
    hold_open(document.study_id)
    with pghistory.context(user=by.pk if by else None, action="change library document"):
        for name, value in asdict(about).items():
            setattr(document, name, value)
        document.save(update_fields=list(asdict(about)))
    return document


@transaction.atomic
def remove_document(*, by: User | None, document: LibraryDocument) -> Job | None:
    """Leave a document out of later versions; what cites it goes on leading to its text."""
    study = lock_study(document.study_id)
    document = LibraryDocument.objects.defer("text").select_for_update().get(pk=document.pk)
    if document.removed_at:
        raise LibraryRefused(_("“%s” is out of the library already.") % document)
    with pghistory.context(user=by.pk if by else None, action="remove from library"):
        document.removed_at = timezone.now()
        document.save(update_fields=["removed_at"])
    return queue_build(by=by, study=study)


def queue_build(
    *,
    by: User | None,
    study: Study,
    cutting: Cutting | None = None,
    formula: Formula | None = None,
) -> Job:
    """Have waiting documents read and the library built; sizes left out stay as they were."""
    parameters = {
        name: asdict(chosen)
        for name, chosen in (("cutting", cutting), ("formula", formula))
        if chosen is not None
    }
    return queue_job(by=by, study=study, kind=BUILD, parameters=parameters)
