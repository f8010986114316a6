"""Says by its content what kind of file somebody attached. Pure."""

import re

HEAD = 4_096
"""Bytes at the start of a file that are looked at."""

KINDS = {
    "application/pdf": "pdf",
    "text/html": "html",
    "text/plain": "txt",
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
}
"""What is taken, and what a name of it ends in."""

_MAGIC = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp"),
    (re.compile(rb"\s{0,1024}%PDF-\d"), "application/pdf"),
)
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_MARKUP = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def kind_of(head: bytes) -> str | None:
    """Return the kind of a file that begins so; None for one that is none of `KINDS`."""
    for magic, kind in _MAGIC:
        if magic.match(head):
            return kind
    text = as_text(head)
    if text is None:
        return None
    return "text/html" if _MARKUP.match(text) else "text/plain"


def as_text(head: bytes) -> str | None:
    """Return the beginning of a file as text; None where it is none.

    A character may be cut at the end. Bytes of Windows-1252 pass as text where no control
    character stands among them.
    """
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return head.decode(encoding, "ignore").removeprefix("\ufeff")
    text = head.decode("cp1252", "replace")
    return None if _CONTROL.search(text) else text
