"""Settles what another catalogue's names mean in ours; a name that nobody settled is refused.

A mapping gives, for each of their names, our code, several codes, or none to leave the name out. It
comes as JSON, or as lines such as `Securities Law → ` and `Their name → defamation, hate_speech`.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from infra.jobs import JobRefused
from legal.catalogues.reading import plain_name
from legal.models import Catalogue
from legal.queries.catalogues import issues_by_name

ARROWS = ("→", "=>", "->", "\t", "=")
SHOWN_NAMES = 30


class IssueNames:
    """Finds our codes for their names: by the mapping, else by the catalogue's names and codes."""

    def __init__(self, catalogue: Catalogue | None, mapping: Mapping[str, Sequence[str]]) -> None:
        self.known = issues_by_name(catalogue) if catalogue else {}
        self.mapping = {plain_name(name): self.ours(name, mapping[name]) for name in mapping}

    def ours(self, name: str, codes: Sequence[str]) -> tuple[str, ...]:
        """Return the codes that a mapping gives for a name, or refuse what the catalogue lacks."""
        unknown = [code for code in codes if plain_name(code) not in self.known]
        if unknown:
            sentence = _(
                "The mapping of “%(name)s” names “%(code)s”, which is no issue of the catalogue. "
                "Its codes are: %(codes)s."
            )
            codes_known = ", ".join(sorted(set(self.known.values())))
            raise JobRefused(
                sentence % {"name": name, "code": unknown[0][:100], "codes": codes_known}
            )
        return tuple(dict.fromkeys(self.known[plain_name(code)] for code in codes))

    def codes(self, name: str) -> tuple[str, ...] | None:
        """Return our codes for a name; None where nobody settled what it means."""
        plain = plain_name(name)
        if plain in self.mapping:
            return self.mapping[plain]
        return (self.known[plain],) if plain in self.known else None


def read_issue_map(given: Any) -> dict[str, list[str]]:
    """Return a mapping given as a dict, as JSON or as lines, or refuse it with a sentence."""
    if not given:
        return {}
    if isinstance(given, Mapping):
        return {str(name): as_codes(name, codes) for name, codes in given.items()}
    text = str(given).strip()
    if not text.startswith("{"):
        return dict(read_line(number, line) for number, line in numbered(text))
    try:
        return read_issue_map(json.loads(text))
    except json.JSONDecodeError as error:
        sentence = _("The mapping of issues is not readable as JSON: line %(line)s, %(problem)s.")
        raise JobRefused(sentence % {"line": error.lineno, "problem": error.msg}) from error


def as_codes(name: object, codes: object) -> list[str]:
    """Return the codes of one name: from a text, a list of texts, or nothing."""
    if codes is None or codes == "":
        return []
    if isinstance(codes, str):
        return [codes]
    if isinstance(codes, list | tuple) and all(isinstance(code, str) for code in codes):
        return list(codes)
    sentence = _("The mapping of “%s” must be a code, a list of codes, or an empty list.")
    raise JobRefused(sentence % name)


def numbered(text: str) -> list[tuple[int, str]]:
    """Return the lines that are not empty, with their numbers."""
    lines = enumerate(text.splitlines(), start=1)
    return [(number, line) for number, line in lines if line.strip()]


def read_line(number: int, line: str) -> tuple[str, list[str]]:
    """Return the name and the codes of one line."""
    for arrow in ARROWS:
        name, found, codes = line.rpartition(arrow)
        if found and name.strip():
            return name.strip(), [code.strip() for code in codes.split(",") if code.strip()]
    sentence = _(
        "Line %(line)s of the mapping has no arrow: write “their name → our code”, several codes "
        "with commas, none to leave the name out."
    )
    raise JobRefused(sentence % {"line": number})


def refuse_unsettled(unsettled: Mapping[str, Sequence[int]], catalogue: Catalogue | None) -> None:
    """Refuse names that nobody settled: all of them, how often they stand, and where first."""
    if not unsettled:
        return
    shown = list(unsettled.items())[:SHOWN_NAMES]
    names = "; ".join(
        _("“%(name)s” (%(rows)s×, first on line %(line)s)")
        % {"name": name[:200], "rows": len(lines), "line": lines[0]}
        for name, lines in shown
    )
    more = " …" if len(unsettled) > SHOWN_NAMES else ""
    codes = sorted(set(issues_by_name(catalogue).values())) if catalogue else []
    sentence = _(
        "The catalogue does not know these issues: %(names)s. Nothing was imported. Give a mapping "
        "of each to our code or codes (%(codes)s), or to nothing to leave it out."
    )
    raise JobRefused(sentence % {"names": names + more, "codes": ", ".join(codes)})
