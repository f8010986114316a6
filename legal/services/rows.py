"""Reads rows of expert answers that were made elsewhere.

Rows are recorded as they stand, contradictions included; a bad row cannot be understood.
A row whose first question is empty is read as unanswered.
"""

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from annotation.models import ImportFile
from annotation.services.importing import id_problem
from annotation.services.reading import Columns, Problem
from annotation.tables import Row, id_text
from legal.algorithms import EvidenceSaid, plain_lines
from legal.models import Misinformation
from legal.services.checking import evidence_problems, printable

WANTED = {
    "id": True,
    "annotator": True,
    "misinformation": True,
    "issues": False,
    "no_claim": False,
    "defence": False,
    "evidence": False,
    "comment": False,
    "seconds": False,
    "time": False,
}
LABEL_WORDS = {
    "yes": Misinformation.YES,
    "y": Misinformation.YES,
    "true": Misinformation.YES,
    "no": Misinformation.NO,
    "n": Misinformation.NO,
    "false": Misinformation.NO,
    "unclear": Misinformation.UNCLEAR,
    "unsure": Misinformation.UNCLEAR,
}
YES_WORDS = {"1", "1.0", "true", "yes", "y", "x", "t"}
NO_WORDS = {"", "0", "0.0", "false", "no", "n", "f", "-"}
MOST_NAME = 200
BETWEEN_ADDRESSES = re.compile(r";\s+|;(?=[a-z][a-z0-9+.-]*:|www\.)|\s*\n\s*", re.IGNORECASE)


@dataclass(frozen=True)
class LegalReading:
    """A row that was understood. `label` is empty without an answer; `issues` are their names."""

    line: int
    external_id: str
    annotator: str
    label: str
    issues: tuple[str, ...]
    no_claim: bool
    defence: bool
    evidence: tuple[str, ...]
    comment: str
    seconds: float | None
    time: datetime | None


class BadCell(Exception):
    """A cell that cannot be understood; its text is a sentence."""


def legal_reader(_file: ImportFile) -> Callable[[Row, Columns], LegalReading | Problem]:
    """Return the reader of one file's rows."""

    def read(row: Row, columns: Columns) -> LegalReading | Problem:
        try:
            return read_row(row, columns)
        except BadCell as bad:
            raw = " | ".join(str(columns.cell(row, thing) or "") for thing in WANTED)
            return Problem(row.line, str(bad), raw[:200])

    return read


def read_row(row: Row, columns: Columns) -> LegalReading:
    """Return what a row says, or raise BadCell."""
    reason = id_problem(columns.cell(row, "id"))
    if reason:
        raise BadCell(reason)
    return LegalReading(
        line=row.line,
        external_id=id_text(columns.cell(row, "id")),
        annotator=read_annotator(columns.cell(row, "annotator")),
        label=read_label(columns.cell(row, "misinformation")),
        issues=tuple(listed(columns.cell(row, "issues"))),
        no_claim=read_boolean("no_claim", columns.cell(row, "no_claim")),
        defence=read_boolean("defence", columns.cell(row, "defence")),
        evidence=read_evidence(columns.cell(row, "evidence")),
        comment=plain_lines(text_of(columns.cell(row, "comment"))),
        seconds=read_seconds(columns.cell(row, "seconds")),
        time=read_time(columns.cell(row, "time")),
    )


def text_of(value: object) -> str:
    """Return a cell as a text; nothing for an empty one."""
    return "" if value is None else str(value)


def read_annotator(value: object) -> str:
    """Return who answered."""
    name = id_text(value)
    if not name:
        raise BadCell(_("The annotator is missing."))
    if len(name) > MOST_NAME:
        raise BadCell(_("The annotator's name has more than %s characters.") % MOST_NAME)
    return name


def read_label(value: object) -> str:
    """Return the answer to the first question; empty where there is none."""
    word = text_of(value).strip().casefold()
    if not word:
        return ""
    if word not in LABEL_WORDS:
        sentence = _("“%s” does not answer the first question: write yes, no or unclear.")
        raise BadCell(sentence % printable(word))
    return LABEL_WORDS[word]


def read_boolean(thing: str, value: object) -> bool:
    """Return a mark: 1, true, yes or x; 0, false, no or nothing."""
    word = text_of(value).strip().casefold()
    if word in YES_WORDS:
        return True
    if word in NO_WORDS:
        return False
    sentence = _("“%(word)s” is no mark for %(thing)s: write yes or no.")
    raise BadCell(sentence % {"word": printable(word), "thing": thing})


def listed(value: object) -> Iterator[str]:
    """Yield the entries of a cell: a list, a list written as JSON, or texts between semicolons."""
    parts = as_json_list(value)
    for part in text_of(value).split(";") if parts is None else parts:
        if text_of(part).strip():
            yield text_of(part).strip()


def as_json_list(value: object) -> list[Any] | None:
    """Return a cell as a list if it is one, or is written as one."""
    if isinstance(value, list):
        return value
    if not isinstance(value, str) or not value.lstrip().startswith("["):
        return None
    try:
        found = json.loads(value)
    except ValueError:
        return None
    return found if isinstance(found, list) else None


def read_evidence(value: object) -> tuple[str, ...]:
    """Return the addresses of a cell.

    An address may hold a semicolon: it parts two of them before a blank or the next address only.
    """
    parts = as_json_list(value)
    if parts is None:
        parts = BETWEEN_ADDRESSES.split(text_of(value))
    addresses = [text_of(part).strip().rstrip(";") for part in parts]
    said = [EvidenceSaid(address) for address in addresses if address]
    problem = next(evidence_problems(said), None)
    if problem:
        raise BadCell(_("Evidence: %s") % problem)
    return tuple(dict.fromkeys(one.url for one in said))


def read_seconds(value: object) -> float | None:
    """Return how long the answer took."""
    text = text_of(value).strip()
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds) or seconds < 0:
        raise BadCell(_("“%s” is no number of seconds.") % printable(text))
    return seconds


def read_time(value: object) -> datetime | None:
    """Return when the answer was made; a time without a zone is taken as UTC."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    text = text_of(value).strip()
    if not text:
        return None
    try:
        time = parse_datetime(text)
    except ValueError:
        time = None
    if time is None:
        sentence = _("“%s” is no time; write it like 2024-05-31T14:02:00Z.")
        raise BadCell(sentence % printable(text))
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def legal_sample(reading: LegalReading) -> dict[str, Any]:
    """Return what the report shows of a good row."""
    return {
        "line": reading.line,
        "id": reading.external_id,
        "annotator": reading.annotator,
        "misinformation": reading.label or _("unanswered"),
        "issues": "; ".join(reading.issues),
        "comment": reading.comment[:200],
    }
