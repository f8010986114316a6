"""The text of a Word file: paragraphs, headings marked as in Markdown, tables row by row.

Numbers that Word counts by itself are no text in the file, and are missing here as well.
"""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from legal.algorithms.extraction.faults import Unreadable, gettext_noop, refuse_long

_OLD_OR_LOCKED = b"\xd0\xcf\x11\xe0"
MOST_BYTES = 200 * 1024 * 1024


def read_word(path: Path) -> tuple[str, str]:
    """Return the text of a file and its title."""
    from docx import Document
    from docx.opc.exceptions import OpcError
    from lxml.etree import XMLSyntaxError

    _check(path)
    try:
        document = Document(str(path))
        return _text(document), document.core_properties.title or ""
    except (OpcError, XMLSyntaxError, zipfile.BadZipFile, KeyError, ValueError, AttributeError):
        raise Unreadable(
            gettext_noop("The Word file is damaged and cannot be read. Save it anew as .docx.")
        ) from None


def _check(path: Path) -> None:
    """Refuse what is no Word file of today, and one that would unpack to something huge."""
    with path.open("rb") as file:
        head = file.read(4)
    if head == _OLD_OR_LOCKED:
        raise Unreadable(
            gettext_noop(
                "The Word file is locked by a password, or of the old kind (.doc). Save it as "
                ".docx without a password."
            )
        )
    if not zipfile.is_zipfile(path):
        raise Unreadable(gettext_noop("The file is no Word file, whatever its name says."))
    with zipfile.ZipFile(path) as archive:
        if sum(part.file_size for part in archive.infolist()) > MOST_BYTES:
            refuse_long(MOST_BYTES)


def _text(document: Any) -> str:
    found, characters = [], 0
    for paragraph in _paragraphs(document):
        characters += len(paragraph)
        refuse_long(characters)
        found.append(paragraph)
    return "\n\n".join(found)


def _paragraphs(document: Any) -> Iterator[str]:
    for block in document.iter_inner_content():
        if hasattr(block, "rows"):
            for row in block.rows:
                yield " | ".join(dict.fromkeys(cell.text.strip() for cell in row.cells))
        elif text := block.text.strip():
            yield _mark(block) + text


def _mark(block: Any) -> str:
    """Return the signs before a heading."""
    name = (block.style.name if block.style else "") or ""
    kind, _space, level = name.partition(" ")
    if name == "Title":
        return "# "
    return "#" * int(level) + " " if kind == "Heading" and level in set("123456") else ""
