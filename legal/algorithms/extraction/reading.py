"""Reads a file by what its name says it is, and tidies the text so that the database takes it."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from legal.algorithms.extraction.faults import Unreadable, gettext_noop, refuse_long
from legal.algorithms.extraction.html import read_html
from legal.algorithms.extraction.pdf import read_pdf
from legal.algorithms.extraction.plain import decode
from legal.algorithms.extraction.word import read_word

_SPACES_AT_ENDS = re.compile(r"[^\S\n]+$", re.MULTILINE)
_MANY_EMPTY = re.compile(r"\n{3,}")
_UNWANTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufeff]")
MOST_TITLE = 200


@dataclass(frozen=True)
class Extracted:
    """The text of a file, its title if it names one, and the pages on which none was found."""

    text: str
    title: str = ""
    empty_pages: tuple[int, ...] = ()


def _plain(path: Path) -> Extracted:
    return Extracted(decode(path.read_bytes()))


def _html(path: Path) -> Extracted:
    return Extracted(*read_html(path.read_bytes()))


def _pdf(path: Path) -> Extracted:
    return Extracted(*read_pdf(path))


def _word(path: Path) -> Extracted:
    return Extracted(*read_word(path))


KINDS: dict[str, Callable[[Path], Extracted]] = {
    "txt": _plain,
    "md": _plain,
    "html": _html,
    "pdf": _pdf,
    "docx": _word,
}
_SPELLINGS = {"text": "txt", "markdown": "md", "htm": "html", "xhtml": "html"}


def kind_of(name: str) -> str:
    """Return which kind of file a name says that it is; refuse what is none of ours."""
    suffix = Path(name).suffix.lower().lstrip(".")
    kind = _SPELLINGS.get(suffix, suffix)
    if kind not in KINDS:
        raise Unreadable(
            gettext_noop("“%(name)s” is not taken. Upload files that end in %(kinds)s."),
            name=Path(name).name[:100],
            kinds=", ".join(f".{one}" for one in KINDS),
        )
    return kind


def read_file(path: Path, kind: str) -> Extracted:
    """Return the text of a file; refuse one without any."""
    if path.stat().st_size == 0:
        raise Unreadable(gettext_noop("The file is empty."))
    found = KINDS[kind](path)
    text = tidy(found.text)
    refuse_long(len(text))
    if not any(character.isalnum() for character in text):
        raise Unreadable(gettext_noop("The file holds no words."))
    return Extracted(text, tidy(found.title).replace("\n", " ")[:MOST_TITLE], found.empty_pages)


def tidy(text: str) -> str:
    """Make line ends and accents alike, drop what is no text, leave one empty line at most."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    text = _SPACES_AT_ENDS.sub("", _UNWANTED.sub("", text))
    return unicodedata.normalize("NFC", _MANY_EMPTY.sub("\n\n", text).strip())
