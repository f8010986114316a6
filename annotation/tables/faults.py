"""Says in sentences what is wrong with a file or with one of its rows; refuses nothing itself.

The sentences are templates, so that a caller may translate a template before the details go in:
`gettext(fault.template) % details`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

RAW_SHOWN = 1_000
"""How many characters of a bad row are kept for showing it."""


def gettext_noop(text: str) -> str:
    """Mark a template for the catalogue of translations; the pure packages translate nothing."""
    return text


class RowFault(Enum):
    """What can be wrong with one row."""

    CELL_COUNT = gettext_noop(
        "This row has %(found)d cells, but the header names %(wanted)d columns. "
        "A cell that holds the delimiter must stand between quotation marks."
    )
    UNCLOSED_QUOTE = gettext_noop(
        "A quotation mark opens a cell here and is never closed. "
        "Close it, or put the cell between quotation marks and double those inside."
    )
    STRAY_QUOTE = gettext_noop(
        "A quotation mark inside a quoted cell is not doubled, so the end of the cell is unclear. "
        "Write it twice."
    )
    CELL_TOO_LONG = gettext_noop(
        "The cell %(column)s holds more than %(limit)d characters. Shorten it or remove the row."
    )
    ROW_TOO_LONG = gettext_noop(
        "This row holds more than %(limit)d characters. Shorten it or remove it."
    )
    NUL = gettext_noop("This row holds a NUL character, which text cannot have. Remove it.")
    BROKEN_TEXT = gettext_noop(
        "This row holds bytes that are no text in the encoding %(encoding)s. "
        "Save the file as UTF-8 and choose it again."
    )
    LONE_SURROGATE = gettext_noop(
        "This row holds half of a character (a lone surrogate). Remove it or restore the character."
    )
    BAD_JSON = gettext_noop("This line is not valid JSON: %(problem)s.")
    NOT_AN_OBJECT = gettext_noop(
        "This line is valid JSON but not an object. Each line must look like "
        '{"id": "1", "text": "…"}.'
    )
    REPEATED_NAME = gettext_noop(
        "The name %(column)s stands twice in this object. Keep one of the two."
    )
    NOT_A_NUMBER = gettext_noop("This line holds the number %(number)s, which JSON does not know.")
    NOT_TEXT = gettext_noop(
        "The cell %(column)s holds bytes that are no UTF-8 text. Store it as text."
    )

    @property
    def template(self) -> str:
        return self.value


class TableFault(Enum):
    """What can be wrong with a whole file."""

    EMPTY = gettext_noop(
        "The file %(name)s is empty. Choose a file with a header and at least one row."
    )
    HEADER_ONLY = gettext_noop(
        "The file %(name)s has a header but no rows. Choose a file with at least one row."
    )
    BAD_HEADER = gettext_noop(
        "The header of %(name)s (line %(line)d) cannot be read: %(problem)s Mend the first line."
    )
    REPEATED_COLUMN = gettext_noop(
        "Two columns of %(name)s are called %(column)s (columns %(first)d and %(second)d). "
        "Give each column a name of its own."
    )
    ZIP = gettext_noop(
        "The file %(name)s is a spreadsheet or a packed folder. "
        "Save it as CSV (UTF-8), or unpack it first."
    )
    GZIP = gettext_noop("The file %(name)s is packed. Unpack it first.")
    UNKNOWN_FORMAT = gettext_noop(
        "The format %(format)s is not known. Choose csv, tsv, jsonl or parquet."
    )
    UNKNOWN_ENCODING = gettext_noop(
        "The encoding %(encoding)s is not known. Leave it open, or choose utf-8."
    )
    WRONG_ENCODING = gettext_noop(
        "The file %(name)s cannot be read as %(encoding)s beyond line %(line)d. "
        "Leave the encoding open, or save the file as UTF-8."
    )
    BAD_DELIMITER = gettext_noop("The delimiter must be one character, such as a comma or a tab.")
    JSON_ARRAY = gettext_noop(
        "The file %(name)s holds one JSON array. "
        "Write one object on each line (JSON Lines) instead."
    )
    NO_OBJECTS = gettext_noop(
        "None of the first %(lines)d lines of %(name)s is a JSON object. "
        "Write one object on each line (JSON Lines)."
    )
    BAD_PARQUET = gettext_noop(
        "The file %(name)s is no readable Parquet file: %(problem)s. Write it again."
    )

    @property
    def template(self) -> str:
        return self.value


class TableError(Exception):
    """A file that cannot be read at all; its text is a sentence for the person who chose it."""

    def __init__(self, fault: TableFault, **details: object) -> None:
        super().__init__(fault.template % details)
        self.fault = fault
        self.details = details


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that could not be read: where it starts, why, and its beginning as it stands there."""

    line: int
    fault: RowFault
    raw: str
    details: Mapping[str, object] = field(default_factory=dict)

    @property
    def reason(self) -> str:
        return self.fault.template % self.details


def bad_row(line: int, fault: RowFault, raw: str, **details: object) -> BadRow:
    """A bad row whose raw text is cut to what a report can show and any database can store."""
    shown = raw[:RAW_SHOWN].rstrip("\r\n").replace("\0", "\N{REPLACEMENT CHARACTER}")
    shown = shown.encode("utf-8", "replace").decode("utf-8")
    return BadRow(line=line, fault=fault, raw=shown, details=details)
