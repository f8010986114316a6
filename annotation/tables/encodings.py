"""Finds out how a file's bytes become text; refuses an encoding that Python does not know."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from annotation.tables.faults import RAW_SHOWN, TableError, TableFault
from annotation.tables.table import ROW_LIMIT

_BLOCK = 1 << 20
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ESCAPED = re.compile("[\udc80-\udcff]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_UNDEFINED_IN_CP1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
SURROGATE = re.compile("[\ud800-\udfff]")


class OverlongLine(str):
    """The beginning of a physical line that holds more than a whole row may hold."""


def detect_encoding(path: Path) -> str:
    """The encoding of a text file, by its byte order mark or by reading all of it once.

    Without a mark: UTF-16 where every other byte is NUL; UTF-8 where it decodes, also when single
    bytes are broken (their rows become bad rows) as long as more characters decode than break;
    else Windows-1252, or Latin-1 where a byte has no meaning in Windows-1252.
    """
    with path.open("rb") as file:
        head = file.read(4_096)
    for mark, name in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return name
    return _utf16_without_mark(head) or _eight_bit(path)


def _utf16_without_mark(head: bytes) -> str | None:
    pairs = len(head) // 2
    if pairs and head[1::2].count(0) > 0.6 * pairs:
        return "utf-16-le"
    if pairs and head[0::2].count(0) > 0.6 * pairs:
        return "utf-16-be"
    return None


def _eight_bit(path: Path) -> str:
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    decoded = broken = 0
    windows = True
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            windows = windows and not _UNDEFINED_IN_CP1252.search(block)
            text = decoder.decode(block)
            if not text.isascii():
                escaped = len(_ESCAPED.findall(text))
                broken += escaped
                decoded += len(_BEYOND_ASCII.findall(text)) - escaped
    broken += len(decoder.decode(b"", final=True))
    if broken <= decoded:
        return "utf-8"
    return "cp1252" if windows else "latin-1"


def check_encoding(encoding: str) -> str:
    """The encoding as given, if Python knows it as one of text."""
    try:
        "".encode(encoding)
    except LookupError as error:
        raise TableError(TableFault.UNKNOWN_ENCODING, encoding=encoding) from error
    return encoding


def open_text(path: Path, encoding: str) -> TextIO:
    """The file as text with its line ends untouched; undecodable bytes arrive as surrogates."""
    name = codecs.lookup(encoding).name
    if name == "utf-8":
        name = "utf-8-sig"  # the same, but a byte order mark is no part of the first cell
    errors = "surrogatepass" if name.startswith(("utf-16", "utf-32")) else "surrogateescape"
    return path.open(encoding=name, errors=errors, newline="")


def physical_lines(path: Path, encoding: str) -> Iterator[str]:
    """The lines of the file with their ends, never more than one row's limit of each in memory."""
    number = 0
    with open_text(path, encoding) as file:
        try:
            while line := file.readline(ROW_LIMIT):
                if len(line) >= ROW_LIMIT and not line.endswith(("\n", "\r")):
                    line = OverlongLine(line[:RAW_SHOWN])
                    _skip_rest(file)
                yield line
                number += 1
        except UnicodeError as error:
            raise TableError(
                TableFault.WRONG_ENCODING, name=path.name, encoding=encoding, line=number
            ) from error


def _skip_rest(file: TextIO) -> None:
    while (piece := file.readline(ROW_LIMIT)) and not piece.endswith(("\n", "\r")):
        pass
