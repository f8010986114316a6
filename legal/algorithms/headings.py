"""Knows a heading and the number of a section where a text shows them; guesses nothing else."""

import re
from dataclasses import dataclass

MOST_CHARACTERS = 160
_NUMBER = r"\d{1,4}(?:\.\d{1,3})*[a-z]?"
# "[Offence] 12 (1) …": a note in the margin, in brackets, before the number.
_WITH_NOTE = re.compile(rf"\[([^\]\n]{{1,{MOST_CHARACTERS}}})\]\s+({_NUMBER})(?=[\s.(]|$)")
# "Section 12", "s. 12", "§ 12", "Article 12", "Art. 12", "Articolo 12".
_WITH_WORD = re.compile(
    rf"(?:section|sec\.|s\.|§|article|art\.|articolo)\s*({_NUMBER})\b", re.IGNORECASE
)
# "12 (1) …" and "12 The Minister …".
_BARE = re.compile(rf"({_NUMBER})\s+(?:\(|[A-Z][a-z])")
_MARKDOWN = re.compile(r"#{1,6}\s+(.+?)\s*#*$")


@dataclass(frozen=True, slots=True)
class Place:
    """Where one is in a document: under which heading, in which section."""

    heading: str = ""
    section: str = ""


def heading_of(paragraph: str) -> str:
    """Return a heading's words: a Markdown heading, or a short line in capitals; else nothing."""
    if "\n" in paragraph or len(paragraph) > MOST_CHARACTERS:
        return ""
    if marked := _MARKDOWN.match(paragraph):
        return marked[1]
    if not paragraph.isupper():
        return ""
    return paragraph if sum(character.isalpha() for character in paragraph) >= 3 else ""


def section_of(paragraph: str) -> str:
    """Return the section that a paragraph begins, with its note if it has one; else nothing."""
    if noted := _WITH_NOTE.match(paragraph):
        return f"{noted[2]} {noted[1]}"
    if named := (_WITH_WORD.match(paragraph) or _BARE.match(paragraph)):
        return named[1]
    return ""


def following(place: Place, paragraph: str) -> Place:
    """Return where one is after a paragraph has begun; a heading ends the section before it."""
    if heading := heading_of(paragraph):
        return Place(heading=heading)
    if section := section_of(paragraph):
        return Place(place.heading, section)
    return place
