"""Takes files in: keeps the file as it came, under a name of our own, with its checksum."""

import hashlib
import io
import secrets
from pathlib import Path
from typing import IO, Any

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import BadRows, ImportFile, ImportState, Job, Study, User
from annotation.queries.jobs import latest_job_of
from annotation.registry import importer
from annotation.services.archive import hold_open
from annotation.services.jobs import queue_job


class UploadRefused(Exception):
    """A file that is not taken; its text is a sentence for the person."""


class UploadTooLarge(UploadRefused):
    """A file that is larger than this site takes."""


@transaction.atomic
def store_file(
    *,
    by: User | None,
    study: Study,
    kind: str,
    name: str,
    content: IO[bytes],
    bad_rows: str = BadRows.REFUSE,
    options: dict[str, Any] | None = None,
    most_bytes: int | None = None,
) -> ImportFile:
    """Keep a file for an importer. The name given is only shown, never used as a path."""
    importer(kind)
    hold_open(study.pk)
    content.seek(0)
    digest = sha256_of(content)
    size = content.seek(0, io.SEEK_END)
    if size == 0:
        raise UploadRefused(_("The file is empty. Choose a file with a header and rows."))
    if most_bytes is not None and size > most_bytes:
        limit = most_bytes // 1024 // 1024
        raise UploadTooLarge(
            _("The file is larger than %s MB. Import it with manage.py instead.") % limit
        )
    content.seek(0)
    suffix = "".join(c for c in Path(name).suffix.lower()[:9] if c.isalnum() or c == ".")
    stored_as = default_storage.save(
        f"imports/{study.pk}/{secrets.token_hex(8)}{suffix}", File(content)
    )
    return ImportFile.objects.create(
        study=study,
        importer=kind,
        name=Path(name).name[:255],
        stored_as=stored_as,
        sha256=digest,
        size=size,
        bad_rows=bad_rows,
        options=options or {},
        created_by=by,
    )


def sha256_of(content: IO[bytes]) -> str:
    """Return the checksum of a file, read in blocks."""
    digest = hashlib.sha256()
    while block := content.read(1024 * 1024):
        digest.update(block)
    return digest.hexdigest()


@transaction.atomic
def queue_check(
    *,
    by: User | None,
    file: ImportFile,
    bad_rows: str = "",
    columns: dict[str, str] | None = None,
    told: dict[str, str] | None = None,
) -> Job:
    """Look through a file on a worker, with the columns that the person settled on if they did."""
    settle(file, bad_rows=bad_rows or file.bad_rows, columns=columns, told=told)
    return queue_job(by=by, study=file.study, kind="check_file", parameters={"import": file.pk})


@transaction.atomic
def queue_load(
    *,
    by: User | None,
    file: ImportFile,
    bad_rows: str,
    columns: dict[str, str],
    told: dict[str, str] | None = None,
) -> Job:
    """Import a file on a worker with the columns and options that the person settled on."""
    settle(file, bad_rows=bad_rows, columns=columns, told=told)
    kind = importer(file.importer).load
    return queue_job(by=by, study=file.study, kind=kind, parameters={"import": file.pk})


def settle(
    file: ImportFile,
    *,
    bad_rows: str,
    columns: dict[str, str] | None,
    told: dict[str, str] | None,
) -> None:
    """Keep how a file is to be read; refuse one that is imported, or that a job reads just now."""
    hold_open(file.study_id)
    now = ImportFile.objects.select_for_update().get(pk=file.pk)
    if now.state == ImportState.LOADED:
        raise UploadRefused(_("This file has been imported already."))
    job = latest_job_of(file)
    if job and not job.has_ended:
        raise UploadRefused(_("This file is being read just now; wait for that job, or cancel it."))
    file.bad_rows = bad_rows
    if columns is not None:
        file.options = {**file.options, "columns": columns}
    if told is not None:
        parsed = {
            option.name: option.parse(told[option.name])
            for option in importer(file.importer).options
        }
        file.options = {**file.options, **parsed, "told": told}
    file.save(update_fields=["bad_rows", "options"])
