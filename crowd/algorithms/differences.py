"""What changed between two texts, line by line. Knows no Django."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

SAME, GONE, NEW, GAP = "same", "gone", "new", "gap"


@dataclass(frozen=True)
class Line:
    """A line that stayed, went or came; a gap stands for lines that stayed and are left out."""

    kind: str
    text: str = ""


def changed_lines(old: str, new: str, *, around: int = 2) -> list[Line]:
    """Return the lines that differ, with `around` unchanged ones beside them; none when equal."""
    before, after = old.splitlines(), new.splitlines()
    groups = SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(around)
    lines: list[Line] = []
    for group in groups:
        if group[0][1] > 0:
            lines.append(Line(GAP))
        lines += lines_of(group, before, after)
    if lines and group[-1][2] < len(before):
        lines.append(Line(GAP))
    return lines


def lines_of(
    group: list[tuple[str, int, int, int, int]], before: list[str], after: list[str]
) -> Iterator[Line]:
    """Yield the lines of one stretch: what went before what came."""
    for kind, start, end, new_start, new_end in group:
        if kind == "equal":
            yield from (Line(SAME, text) for text in before[start:end])
        else:
            yield from (Line(GONE, text) for text in before[start:end])
            yield from (Line(NEW, text) for text in after[new_start:new_end])
