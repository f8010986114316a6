"""The text of a PDF file, page by page; lines are joined to paragraphs again.

A PDF knows lines, not paragraphs. A new one begins where a line is empty, where a line starts like
a part of a statute ("(a)", "12 (1)", "§ 4"), and after a line that ends a sentence before the
margin.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from legal.algorithms.extraction.faults import Unreadable, gettext_noop, refuse_long

_PART = re.compile(
    r"\s*(?:\(\w{1,5}\)|\d{1,4}(?:\.\d{1,3})*[.)]?\s+[(A-Z]|§|\[|section\s+\d|art(?:icle|icolo|\.)\s*\d)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.;:!?—]['\"”’)]*\s*$")
_HYPHEN = re.compile(r"(?<=[a-z])-$")
SHORT = 0.8


def read_pdf(path: Path) -> tuple[str, str, tuple[int, ...]]:
    """Return the text of a file, its title, and the pages that have no text."""
    from pypdf.errors import PyPdfError

    try:
        reader = _open(path)
        pages = list(_pages(reader))
        title = str((reader.metadata or {}).get("/Title") or "")
    except Unreadable:
        raise
    except (PyPdfError, ValueError, TypeError, KeyError, AttributeError, RecursionError, OSError):
        raise _broken() from None
    empty = tuple(number for number, text in enumerate(pages, start=1) if not _has_words(text))
    if len(empty) == len(pages):
        raise Unreadable(
            gettext_noop(
                "The PDF has no text, as if its pages were scanned. Run text recognition (OCR) on "
                "it first."
            )
        )
    return "\n\n".join(pages), title, empty


def _open(path: Path) -> Any:
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import DependencyError

    with path.open("rb") as file:
        if b"%PDF-" not in file.read(1024):
            raise Unreadable(gettext_noop("The file is no PDF, whatever its name says."))
    reader = PdfReader(path)
    try:
        is_locked = reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED
    except (DependencyError, NotImplementedError):
        is_locked = True
    if is_locked:
        raise Unreadable(
            gettext_noop("The PDF is locked by a password. Save it without one, and upload that.")
        )
    return reader


def _broken() -> Unreadable:
    return Unreadable(
        gettext_noop("The PDF is damaged and cannot be read. Save it anew, and upload that.")
    )


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _pages(reader: Any) -> Iterator[str]:
    characters = 0
    for page in reader.pages:
        lines = page.extract_text().splitlines()
        characters += sum(map(len, lines))
        refuse_long(characters)
        yield "\n\n".join(_paragraphs(lines))


def _paragraphs(lines: list[str]) -> Iterator[str]:
    width = max(map(len, lines), default=0)
    gathered: list[str] = []
    for line in lines:
        is_new = not line.strip() or _PART.match(line) or _ended(gathered, width)
        if is_new and gathered:
            yield _joined(gathered)
            gathered = []
        if line.strip():
            gathered.append(line.strip())
    if gathered:
        yield _joined(gathered)


def _ended(gathered: list[str], width: int) -> bool:
    last = gathered[-1] if gathered else ""
    return len(last) < SHORT * width and bool(_ENDS.search(last))


def _joined(lines: list[str]) -> str:
    """Join lines with spaces; a word that was parted at a line's end becomes one again."""
    text = lines[0]
    for line in lines[1:]:
        is_parted = _HYPHEN.search(text) and line[:1].islower()
        text = text[:-1] + line if is_parted else f"{text} {line}"
    return text
