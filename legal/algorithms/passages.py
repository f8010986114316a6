"""Cuts a text into overlapping passages of whole paragraphs, as B.2 of the MisLC paper does.

A text is split where a line is empty, and its paragraphs are joined again up to a number of tokens.
The next passage begins with the last paragraph that still starts within the stride (half of the
size, for a half overlap), so a paragraph stands beside its neighbours on both sides wherever they
fit; it begins later where it would hold nothing new. Only a paragraph that is longer than a whole
passage is cut, after a sentence if there is one.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

_EMPTY_LINES = re.compile(r"\n[^\S\n]*\n\s*")
_ENDS = re.compile(r"[.;:!?…][\"'”’)\]]*$")

Offsets = Sequence[tuple[int, int]]
Tokenizer = Callable[[Sequence[str]], Sequence[Offsets]]


class CuttingRefused(ValueError):
    """Sizes with which no passages can be made; its text is an English sentence."""


@dataclass(frozen=True, slots=True)
class Cutting:
    """How passages are cut: tokens of the longest passage, and the share that neighbours have."""

    size: int = 2048
    overlap: float = 0.5

    def __post_init__(self) -> None:
        if self.size < 16:
            raise CuttingRefused("A passage has at least 16 tokens.")
        if not 0 <= self.overlap <= 0.9:
            raise CuttingRefused("Passages share between 0 and 0.9 of their length.")

    @property
    def stride(self) -> int:
        """Return the tokens after which the next passage begins at the latest."""
        return max(1, round(self.size * (1 - self.overlap)))

    def named(self, tokenizer: str) -> str:
        """Return what all passages that are cut alike have in common."""
        return f"{self.size}/{self.stride} {tokenizer}"


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text, by code points, with its number of tokens."""

    start: int
    end: int
    tokens: int = 0


def paragraphs(text: str) -> list[Span]:
    """Return the paragraphs of a text, which empty lines part; without the space around them."""
    found, start = [], 0
    breaks = [(gap.start(), gap.end()) for gap in _EMPTY_LINES.finditer(text)]
    for end, following in [*breaks, (len(text), len(text))]:
        piece = text[start:end]
        stripped = piece.strip()
        if stripped:
            begin = start + len(piece) - len(piece.lstrip())
            found.append(Span(begin, begin + len(stripped)))
        start = following
    return found


def passages(text: str, cutting: Cutting, tokenizer: Tokenizer) -> list[Span]:
    """Return the passages of a text in order; together they hold every paragraph."""
    pieces = list(_pieces(text, cutting.size, tokenizer))
    before = [0, *accumulate(piece.tokens for piece in pieces)]
    return [
        Span(pieces[first].start, pieces[last - 1].end, before[last] - before[first])
        for first, last in _windows(before, cutting)
    ]


def _windows(before: list[int], cutting: Cutting) -> Iterator[tuple[int, int]]:
    """Yield which pieces make a passage: from the first to before the last."""
    count, first = len(before) - 1, 0
    while first < count:
        last = first + 1
        while last < count and before[last + 1] - before[first] <= cutting.size:
            last += 1
        yield first, last
        if last == count:
            return
        first = _following(before, first, last, cutting)


def _following(before: list[int], first: int, last: int, cutting: Cutting) -> int:
    """Return with which piece the next passage begins: it has to reach beyond this one's last."""
    found = first + 1
    while found < last and before[found + 1] - before[first] <= cutting.stride:
        found += 1
    while before[last + 1] - before[found] > cutting.size:
        found += 1
    return found


def _pieces(text: str, most: int, tokenizer: Tokenizer) -> Iterator[Span]:
    """Yield the paragraphs, those that are too long in pieces of at most so many tokens."""
    found = paragraphs(text)
    counted = tokenizer([text[one.start : one.end] for one in found])
    for paragraph, offsets in zip(found, counted, strict=True):
        if len(offsets) <= most:
            yield Span(paragraph.start, paragraph.end, len(offsets))
        else:
            yield from _cut(text, paragraph, offsets, most)


def _cut(text: str, paragraph: Span, offsets: Offsets, most: int) -> Iterator[Span]:
    first = 0
    while first < len(offsets):
        last = _best_end(text, paragraph, offsets, first, min(first + most, len(offsets)))
        start = paragraph.start + (offsets[first][0] if first else 0)
        is_rest = last == len(offsets)
        end = paragraph.end if is_rest else paragraph.start + offsets[last - 1][1]
        yield Span(start, end, last - first)
        first = last


def _best_end(text: str, paragraph: Span, offsets: Offsets, first: int, limit: int) -> int:
    """Return where a piece ends: after a sentence in its second half, else between two words."""
    if limit == len(offsets):
        return limit
    between_words = 0
    for last in range(limit, first + (limit - first) // 2, -1):
        end = paragraph.start + offsets[last - 1][1]
        if text[end : paragraph.start + offsets[last][0]].isspace():
            if _ENDS.search(text[max(0, end - 8) : end]):
                return last
            between_words = between_words or last
    return between_words or limit
