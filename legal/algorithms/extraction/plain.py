"""Decodes the bytes of a text: UTF-8, UTF-16 with its mark, or Windows-1252."""

import codecs

from legal.algorithms.extraction.faults import Unreadable, gettext_noop

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SUSPICIOUS = 0.01


def decode(content: bytes, declared: str = "") -> str:
    """Return the text; refuse bytes that are none, with the line where that shows.

    A byte order mark goes before the encoding that a page declares, that before a guess: UTF-8 if
    all of it is, else Windows-1252 if no byte is without a meaning there.
    """
    marked = next((name for mark, name in _MARKS if content.startswith(mark)), "")
    if known := marked or _known(declared):
        return _strictly(content, known)
    if b"\0" in content[:100_000]:
        raise _no_text()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        return _windows(content, error.start)


def _known(name: str) -> str:
    try:
        return codecs.lookup(name).name if name else ""
    except LookupError:
        return ""


def _strictly(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeError as error:
        place = error.start if isinstance(error, UnicodeDecodeError) else 0
        raise _wrong_bytes(content, place, encoding) from None


def _windows(content: bytes, place: int) -> str:
    """Read what is not UTF-8; text that is mostly UTF-8 is broken rather than Windows-1252."""
    broken = content.decode("utf-8", errors="replace")
    whole = sum(not character.isascii() for character in broken)
    if broken.count("\ufffd") * 2 < whole:
        raise _wrong_bytes(content, place, "utf-8")
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError as error:
        raise _wrong_bytes(content, error.start, "utf-8") from None
    strange = sum(character < " " and character not in "\t\n\r\f" for character in text)
    if strange > _SUSPICIOUS * len(text):
        raise _no_text()
    return text


def _no_text() -> Unreadable:
    return Unreadable(
        gettext_noop("The file is not text, whatever its name says. Upload it as what it is.")
    )


def _wrong_bytes(content: bytes, place: int, encoding: str) -> Unreadable:
    return Unreadable(
        gettext_noop(
            "Line %(line)s has bytes that are no characters in %(encoding)s. Save the file as "
            "UTF-8, and upload it again."
        ),
        line=content.count(b"\n", 0, place) + 1,
        encoding=encoding.upper(),
    )
