"""Reads what a website sent: text, title and date of a page, and the site that an address names.

Pure. Whatever the bytes are, a text comes back that a database can hold. Markup beyond
`MOST_MARKUP` characters is not looked at, and text beyond `MOST_TEXT` not kept: the bytes are.
"""

import codecs
import datetime
import hashlib
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

MOST_MARKUP = 4_000_000
MOST_TEXT = 1_000_000
MOST_TITLE = 500
LONGEST_NAME = 253  # of a host, by the standard

MARKUP = frozenset({"text/html", "application/xhtml+xml"})
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_IN_MARKUP = re.compile(
    rb"<(?:meta|\?xml)[^>]{0,500}?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.I
)
_LOOKED_AT = 4_096  # bytes in which a page declares its encoding
_NOT_STORABLE = re.compile("[\0\ud800-\udfff]")
_NO_ENCODINGS = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"})


@dataclass(frozen=True)
class PageText:
    """What a page says; each part is empty where the page does not say it."""

    title: str = ""
    published_on: datetime.date | None = None
    text: str = ""


def site_of(url: str) -> str:
    """Return the name of the site of an address: its host without `www.`; empty where none is."""
    try:
        host = urlsplit(url.strip()).hostname or ""
    except ValueError:
        return ""
    return host.rstrip(".").removeprefix("www.")[:LONGEST_NAME]


def digest_of(url: str) -> str:
    """Return the digest by which the database finds an address, as its `md5` makes it."""
    return hashlib.md5(url.encode(), usedforsecurity=False).hexdigest()


def read_page(body: bytes, content_type: str, *, url: str, retrieved: datetime.date) -> PageText:
    """Return what a page says. `content_type` is the header as it came, its charset included.

    Only markup and plain text are read; anything else has no text.
    """
    kind = content_type.partition(";")[0].strip().lower()
    if kind in MARKUP:
        return read_markup(decoded(body, content_type), url=url, retrieved=retrieved)
    if kind == "text/plain":
        return PageText(text=storable(decoded(body, content_type))[:MOST_TEXT])
    return PageText()


def decoded(body: bytes, content_type: str) -> str:
    """Return bytes as text: by their mark, the header, what they declare, else UTF-8 or Windows.

    A name that Python does not know is passed over; bytes that do not fit are replaced.
    """
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body.decode(encoding, "replace").removeprefix("\ufeff")
    header = _IN_HEADER.search(content_type)
    inside = _IN_MARKUP.search(body[:_LOOKED_AT])
    told = [header[1] if header else "", inside[1].decode("ascii", "replace") if inside else ""]
    for name in filter(None, told):
        if known := text_encoding(name):
            return body.decode(known, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode("cp1252", "replace")


def text_encoding(name: str) -> str:
    """Return Python's name of an encoding, or nothing.

    Latin-1 and ASCII on the web mean Windows-1252. Python's own codecs that are no encodings of
    text (zip, base64) would run on hostile bytes, so they are none of ours.
    """
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    if not getattr(found, "_is_text_encoding", False) or found.name in _NO_ENCODINGS:
        return ""
    return "cp1252" if found.name in {"iso8859-1", "ascii"} else found.name


def read_markup(markup: str, *, url: str, retrieved: datetime.date) -> PageText:
    """Return the main text of an HTML page, its title and the day it says it was published.

    The day comes from what the page declares; none is guessed from words in its text.
    """
    from trafilatura import bare_extraction
    from trafilatura.metadata import extract_metadata

    markup = markup[:MOST_MARKUP]
    dates = {
        "extensive_search": False,
        "original_date": True,
        "max_date": (retrieved + datetime.timedelta(days=1)).isoformat(),
    }
    found = bare_extraction(
        markup,
        url=url,
        with_metadata=True,
        include_comments=False,
        date_extraction_params=dates,
    ) or extract_metadata(markup, default_url=url, date_config=dates)
    return PageText(
        title=" ".join(storable(found.title or "").split())[:MOST_TITLE],
        published_on=day(found.date),
        text=storable(found.text or "")[:MOST_TEXT],
    )


def day(written: str | None) -> datetime.date | None:
    """Return a day as written by the standard; nothing for what is none."""
    try:
        return datetime.date.fromisoformat(written or "")
    except ValueError:
        return None


def storable(text: str) -> str:
    """Return a text without what a database cannot hold: NUL and halves of characters."""
    return _NOT_STORABLE.sub("", text)
