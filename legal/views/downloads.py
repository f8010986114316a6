"""Hands out files that came from outside: always to be saved, never to be shown by a browser."""

from django.core.files.storage import default_storage
from django.http import FileResponse, Http404
from django.utils.translation import gettext as _

from legal.models import Attachment


def downloaded(stored_as: str, name: str) -> FileResponse:
    """Return a stored file as a download of no particular kind."""
    if not default_storage.exists(stored_as):
        raise Http404(_("The file is not on this server any more."))
    return FileResponse(
        default_storage.open(stored_as),
        as_attachment=True,
        filename=name,
        content_type="application/octet-stream",
    )


def attached(file: Attachment) -> FileResponse:
    """Return a file that an expert attached, under the name that it came with."""
    return downloaded(file.stored_as, file.name)
