"""Reads from what a browser sends what an expert says: of issues, evidence and claims.

What is sent for an issue `i` and its test or defence `c`: `issues` = i (ticked), `finding:i:c`,
`sentence:i:c`, `reasoning:i`, `insist:i`. Evidence comes in rows: the lists `evidence_url`,
`evidence_stance`, `evidence_quote` and `evidence_note`. Claims come as positions in code points,
`spans` = "3-10,12-20", and as `quotes`: lines that stand in the post's text.
"""

import re
from collections.abc import Iterable
from itertools import zip_longest

from django.http import QueryDict

from legal.algorithms import CitationSaid, EvidenceSaid, IssueSaid

NOWHERE = (-1, -1)
"""Stands for a position that cannot be read; the service refuses it like any outside the text."""

NO_PASSAGE = 0
SPAN = re.compile(r"(\d{1,9})-(\d{1,9})")
LONGEST_NUMBER = 10
PARTS = ("finding", "sentence", "reasoning", "insist")


def issues_in(data: QueryDict) -> tuple[IssueSaid, ...]:
    """Return what was said of issues, in the order in which they were sent."""
    ticked = dict.fromkeys(data.getlist("issues"))
    sent = [name.split(":", 2) for name in data if name.split(":", 1)[0] in PARTS and ":" in name]
    codes = dict.fromkeys([*ticked, *(code for _part, code, *_rest in sent)])
    found = (issue_in(data, code, is_ticked=code in ticked) for code in codes)
    return tuple(said for said in found if said.says_anything)


def issue_in(data: QueryDict, code: str, *, is_ticked: bool) -> IssueSaid:
    """Return what was said of one issue."""
    return IssueSaid(
        code=code,
        is_ticked=is_ticked,
        findings=answers_in(data, f"finding:{code}:"),
        sentences=answers_in(data, f"sentence:{code}:"),
        reasoning=data.get(f"reasoning:{code}", ""),
        insistence=data.get(f"insist:{code}", ""),
    )


def answers_in(data: QueryDict, prefix: str) -> dict[str, str]:
    """Return what was sent under names with this beginning, by the rest of the name."""
    names = [name for name in data if name.startswith(prefix)]
    found = {name.removeprefix(prefix): str(data[name]) for name in names}
    return {code: text for code, text in found.items() if text.strip()}


def evidence_in(data: QueryDict) -> tuple[EvidenceSaid, ...]:
    """Return the evidence that was named, row by row; empty rows are passed over."""
    names = ("evidence_url", "evidence_stance", "evidence_quote", "evidence_note")
    rows = zip_longest(*(data.getlist(name) for name in names), fillvalue="")
    said = (EvidenceSaid(*row) for row in rows)
    return tuple(one for one in said if not one.plain().is_empty)


def spans_in(data: QueryDict, text: str) -> tuple[tuple[int, int], ...]:
    """Return the claims that were marked or quoted."""
    parts = [part for part in data.get("spans", "").split(",") if part.strip()]
    marked = [SPAN.fullmatch(part.strip()) for part in parts]
    spans = [(int(one[1]), int(one[2])) if one else NOWHERE for one in marked]
    quotes = [line.strip() for line in data.get("quotes", "").splitlines() if line.strip()]
    return tuple(dict.fromkeys([*spans, *(found_in(text, quote) for quote in quotes)]))


def citations_in(data: QueryDict) -> tuple[CitationSaid, ...]:
    """Return the passages cited: those listed, with the one just added, without the one taken out.

    A line is the passage's number, the code of the issue or nothing, and the title, parted by "|".
    """
    lines = [line.split("|", 2) for line in data.get("citations", "").splitlines() if line.strip()]
    padded = ((*line, "", "")[:3] for line in lines)
    said = [CitationSaid(number_in(number), issue, title) for number, issue, title in padded]
    if "cite" in data:
        said.append(CitationSaid(number_in(data.get("cite", ""))))
    gone = data.get("uncite", "")
    return tuple(dict.fromkeys(one for one in said if f"{one.passage}:{one.issue}" != gone))


def number_in(text: str) -> int:
    """Return a passage's number; one that cannot be read is of no passage."""
    plain = text.strip()
    return int(plain) if plain.isascii() and plain.isdecimal() and len(plain) < 18 else NO_PASSAGE


def cited_lines(citations: Iterable[CitationSaid]) -> str:
    """Return citations as the form keeps them."""
    lines = (f"{one.passage}|{one.issue}|{one.title}" for one in citations)
    return "\n".join(" ".join(line.splitlines()) for line in lines)


def found_in(text: str, quote: str) -> tuple[int, int]:
    """Return where a quote stands in a text for the first time."""
    start = text.find(quote)
    return (start, start + len(quote)) if start >= 0 else NOWHERE


def told(spans: tuple[tuple[int, int], ...]) -> str:
    """Return positions as the browser sends them."""
    return ",".join(f"{start}-{end}" for start, end in spans if (start, end) != NOWHERE)


def revision_in(data: QueryDict) -> int:
    """Return which revision of a draft a browser has seen; 0 where there was none."""
    sent = data.get("revision", "")
    return int(sent) if sent.isdecimal() and len(sent) < LONGEST_NUMBER else 0
