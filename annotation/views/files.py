"""Tables as files to be downloaded."""

from collections.abc import Iterable

from django.http import StreamingHttpResponse


def csv_file(blocks: Iterable[bytes], name: str) -> StreamingHttpResponse:
    """Return CSV as a file of this name, block by block."""
    response = StreamingHttpResponse(blocks, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
