"""Takes files in that experts give as evidence: what they hold decides, not what they are called.

Refused are other kinds than those below, empty ones, larger ones, and more than a few for a post.
"""

import io
import secrets
from functools import partial
from pathlib import Path
from typing import IO

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Assignment, BatchState, Member, StageCode
from annotation.services.archive import hold_open
from annotation.services.assignments import own_assignment
from annotation.services.uploads import sha256_of
from legal.algorithms.kinds import HEAD, KINDS, kind_of
from legal.models import Attachment
from legal.queries.evidence import files_of

MEGABYTE = 1024 * 1024
MOST_BYTES = 10 * MEGABYTE
MOST_FILES = 10
TEXTS = {"text/html", "text/plain"}
"""A page without its frame reads as plain text, and the source of one may be called so."""


class AttachmentRefused(Exception):
    """A file that is not taken; its text is a sentence for the person."""


@transaction.atomic
def attach_file(*, by: Member, assignment_id: int, name: str, content: IO[bytes]) -> Attachment:
    """Keep a file as evidence for the answer to a post; the same file again is the one file."""
    hold_open(by.study_id)
    assignment = held_still(by, assignment_id)
    refuse_size(name, content)
    kind = checked_kind(name, content)
    content.seek(0)
    digest = sha256_of(content)
    known = Attachment.objects.filter(assignment=assignment, sha256=digest).first()
    if known is None or known.detached_at:
        refuse_more(assignment)
    if known is None:
        return keep(assignment, name, kind, digest, content)
    known.detached_at = None
    known.save(update_fields=["detached_at"])
    return known


def held_still(by: Member, assignment_id: int) -> Assignment:
    """Return an assignment of the legal stage whose files nobody else changes meanwhile."""
    assignment = own_assignment(by, assignment_id)
    if assignment.task.stage != StageCode.LEGAL:
        raise AttachmentRefused(_("This post does not belong to the legal stage."))
    if assignment.task.batch.state == BatchState.CLOSED:
        raise AttachmentRefused(_("This batch is closed; its answers cannot be changed any more."))
    Assignment.objects.select_for_update(no_key=True).get(pk=assignment.pk)
    return assignment


def refuse_size(name: str, content: IO[bytes]) -> None:
    """Refuse a file that holds nothing or too much."""
    size = content.seek(0, io.SEEK_END)
    if size == 0:
        raise AttachmentRefused(_("The file “%s” is empty.") % shown(name))
    if size > MOST_BYTES:
        sentence = _("“%(name)s” has %(found)s MB; at most %(most)s MB are kept for one file.")
        found, most = -(-size // MEGABYTE), MOST_BYTES // MEGABYTE
        raise AttachmentRefused(sentence % {"name": shown(name), "found": found, "most": most})


def checked_kind(name: str, content: IO[bytes]) -> str:
    """Return what kind of file it is, or refuse it."""
    content.seek(0)
    kind = kind_of(content.read(HEAD))
    if kind is None:
        told = {"name": shown(name), "kinds": ", ".join(KINDS.values())}
        sentence = _("“%(name)s” is no file of a kind that is kept: %(kinds)s.")
        raise AttachmentRefused(sentence % told)
    promised = promised_kind(name) or kind
    if kind == promised or {kind, promised} <= TEXTS:
        return promised
    told = {"name": shown(name), "promised": KINDS[promised], "kind": KINDS[kind]}
    sentence = _(
        "“%(name)s” is called a %(promised)s file, but it holds %(kind)s. Save it anew in the "
        "program that it came from, and attach that."
    )
    raise AttachmentRefused(sentence % told)


def promised_kind(name: str) -> str | None:
    """Return the kind that a name's ending promises."""
    ending = Path(name).suffix.lower().removeprefix(".")
    ending = {"jpeg": "jpg", "htm": "html", "xhtml": "html", "text": "txt"}.get(ending, ending)
    return next((kind for kind, known in KINDS.items() if known == ending), None)


def refuse_more(assignment: Assignment) -> None:
    """Refuse one file more than a post may have."""
    if files_of(assignment).count() >= MOST_FILES:
        sentence = _("At most %s files can be attached to an answer. Take one out first.")
        raise AttachmentRefused(sentence % MOST_FILES)


def keep(
    assignment: Assignment, name: str, kind: str, digest: str, content: IO[bytes]
) -> Attachment:
    """Store a file under a name of ours."""
    size = content.seek(0, io.SEEK_END)
    content.seek(0)
    study_id = assignment.task.batch.study_id
    ours = f"attachments/{study_id}/{secrets.token_hex(8)}.{KINDS[kind]}"
    return Attachment.objects.create(
        study_id=study_id,
        assignment=assignment,
        name=download_name(name, kind),
        content_type=kind,
        size=size,
        sha256=digest,
        stored_as=default_storage.save(ours, File(content)),
    )


def download_name(name: str, kind: str) -> str:
    """Return a name without folders and what systems dislike, ending in what the file is."""
    stem = "".join(one for one in Path(name.replace("\\", "/")).stem if one.isprintable())
    return f"{stem.strip(' .')[:200] or 'file'}.{KINDS[kind]}"


def shown(name: str) -> str:
    """Return a name as it stands in a sentence."""
    return download_name(name, "text/plain").removesuffix(".txt") + Path(name).suffix[:10]


@transaction.atomic
def detach_file(*, by: Member, assignment_id: int, attachment_id: int) -> None:
    """Take a file out: the next answer does not rest on it. What no answer cites is deleted."""
    hold_open(by.study_id)
    assignment = held_still(by, assignment_id)
    own = Attachment.objects.select_for_update().filter(assignment=assignment)
    file = own.filter(pk=attachment_id).first()
    if file is None:
        return
    if file.evidence.exists():
        file.detached_at = timezone.now()
        file.save(update_fields=["detached_at"])
        return
    file.delete()
    transaction.on_commit(partial(default_storage.delete, file.stored_as))


def files_to_cite(assignment: Assignment) -> list[Attachment]:
    """Return the files that an answer which is being written rests on; they stay until it is."""
    return list(files_of(assignment).select_for_update(no_key=True))
