"""Turns text into the terms that are searched, as Lucene's analyzer for English does.

Words are cut as Unicode's rule for word boundaries has it (UAX #29), lower-cased, a possessive "'s"
is taken off, stop words are left out, and what is left is stemmed by Porter's algorithm of 1980.
Writing without spaces between words (Chinese, Thai) is not cut further.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

NAME = "Lucene's English analyzer (stop words of Lucene, Porter stemmer)"

# The 33 words that Lucene leaves out of English text (EnglishAnalyzer.ENGLISH_STOP_WORDS_SET).
_LEFT_OUT = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then "
    "there these they this to was will with"
)
STOP_WORDS = frozenset(_LEFT_OUT.split())
# Letters and digits run on through an apostrophe, a dot or a colon between letters, and through a
# dot, a comma, a semicolon or an apostrophe between digits. Marks that combine belong to a letter.
_MARKS = r"\u0300-\u036f"
_WORD = re.compile(
    r"\w+(?:(?:(?<=[^\W\d_])['’.:·](?=[^\W\d_])|(?<=\d)['’.,;](?=\d)"
    rf"|(?=[{_MARKS}]))[\w{_MARKS}]+)*"
)
_POSSESSIVE = ("'s", "’s", "＇s")
MOST_STEMS = 200_000


@dataclass(frozen=True, slots=True)
class Word:
    """A term with its place in the text, by code points."""

    start: int
    end: int
    term: str


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("porter", 0)


_known: dict[str, str] = {}


def term_of(word: str) -> str:
    """Return the term that a word is searched by; empty for a stop word."""
    found = _known.get(word)
    if found is None:
        if len(_known) >= MOST_STEMS:
            _known.clear()
        found = _known[word] = _stem(word.lower())
    return found


def _stem(word: str) -> str:
    if word.endswith(_POSSESSIVE):
        word = word[:-2]
    if word in STOP_WORDS:
        return ""
    # Lucene's stemmer, and Porter's own, leave these alone; Snowball's makes nothing of "s".
    return word if len(word) <= 2 else str(_stemmer().stemWord(word))


def words(text: str) -> Iterator[Word]:
    """Yield the words of a text that can be searched, in order."""
    for found in _WORD.finditer(text):
        if term := term_of(found.group()):
            yield Word(found.start(), found.end(), term)


def query_terms(query: str) -> list[str]:
    """Return the terms of what somebody typed; texts have their accents composed already."""
    return terms(unicodedata.normalize("NFC", query))


def distinct_terms(text: str) -> set[str]:
    """Return the terms that stand in a text; quicker than all of them."""
    distinct = set(_WORD.findall(text))
    found = set(map(_known.get, distinct))
    if None in found:
        found = set(map(term_of, distinct))
    return {term for term in found if term}


def terms(text: str) -> list[str]:
    """Return the terms of a text, in order, each as often as it stands there."""
    return [term for found in _WORD.findall(text) if (term := term_of(found))]
