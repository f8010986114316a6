"""Writes a fetched page as a WARC file: one gzip member for each record, whole or not at all."""

import io
from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path

from django.core.files.storage import default_storage

from infra.outbound import Fetched

PAGES_IN_A_FOLDER = 1_000


def warc_name(study_id: int, page_id: int) -> str:
    """Return under which name the storage keeps a page. It is the page's own, and no other's."""
    return f"evidence/{study_id}/{page_id // PAGES_IN_A_FOLDER}/{page_id}.warc.gz"


def write_warc(name: str, url: str, found: Fetched) -> None:
    """Keep a page under a name. What a process left half-written there is written over."""
    place = Path(default_storage.path(name))
    place.parent.mkdir(parents=True, exist_ok=True)
    aside = place.with_suffix(".part")
    aside.write_bytes(warc_of(url, found))
    aside.chmod(0o600)
    aside.replace(place)


def warc_of(url: str, found: Fetched) -> bytes:
    """Return a page as WARC records: what made it, the answer, and the way that led there.

    The body stands as it was read, without the packing of its transport; so do its headers.
    """
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    content = io.BytesIO()
    writer = WARCWriter(content, gzip=True)
    head = StatusAndHeaders(status_line(found.status), headers_of(found), protocol="HTTP/1.1")
    moment = found.retrieved_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    answer = writer.create_warc_record(
        found.final_url,
        "response",
        payload=io.BytesIO(found.body),
        http_headers=head,
        warc_headers_dict={"WARC-Date": moment},
    )
    way = writer.create_warc_record(
        found.final_url,
        "metadata",
        payload=io.BytesIO(fields([("via", url), *(("hop", hop) for hop in found.hops)])),
        warc_content_type="application/warc-fields",
        warc_headers_dict={
            "WARC-Date": moment,
            "WARC-Concurrent-To": answer.rec_headers.get_header("WARC-Record-ID"),
        },
    )
    writer.write_record(writer.create_warcinfo_record("", {"software": "Juryroom"}))
    writer.write_record(answer)
    writer.write_record(way)
    return content.getvalue()


def status_line(status: int) -> str:
    """Return a status with its phrase, where it has one."""
    phrases = {one.value: one.phrase for one in HTTPStatus}
    return f"{status} {phrases.get(status, '')}".strip()


def headers_of(found: Fetched) -> list[tuple[str, str]]:
    """Return the headers that are kept, and the length of what is kept."""
    return [*found.headers.items(), ("content-length", str(len(found.body)))]


def fields(pairs: Sequence[tuple[str, str]]) -> bytes:
    """Return pairs as lines of the form that WARC asks for."""
    return "".join(f"{name}: {value}\r\n" for name, value in pairs).encode()
