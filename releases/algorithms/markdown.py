"""Puts words of a study into Markdown so that they stay words: no link, no heading, no new cell."""

import re

SPECIAL = re.compile(r"([\\`*_\[\]<>|#~!&])")
FIRST = re.compile(r"^(\d+(?=[.)])|(?=[-+=]))")
"""What makes a list, a rule or a heading of the line that begins with it."""


def inline(text: str) -> str:
    """Return a text as a line or part of one, with what Markdown would read escaped."""
    return FIRST.sub(r"\1\\", SPECIAL.sub(r"\\\1", " ".join(str(text).split())))


def code(text: str) -> str:
    """Return a name as code, on one line and also in a cell of a table."""
    line = " ".join(str(text).split()).replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    blank = " " if "`" in line else ""
    return f"{fence}{blank}{line}{blank}{fence}"


def table(header: list[str], rows: list[list[str]], numbers: frozenset[int] = frozenset()) -> str:
    """Return a table; its cells are Markdown already. Columns in `numbers` stand at the right."""
    rule = ["---:" if place in numbers else "---" for place in range(len(header))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *rows))
