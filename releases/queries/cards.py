"""The data card of a study: what somebody wrote, and what follows from the study elsewhere."""

import hashlib
from dataclasses import dataclass, replace

from annotation.models import Study
from releases.algorithms.card import BY_CODE, SECTIONS, Section, texts_of
from releases.choices import ReleaseChoices
from releases.models import DataCard
from releases.queries.card_facts import facts_now, facts_of_release
from releases.queries.sources import Sources


@dataclass(frozen=True)
class CardPart:
    """A section with its text; `follows` says whether it is the study's own."""

    section: Section
    text: str
    follows: bool


@dataclass(frozen=True)
class Card:
    """A study's card as it stands now."""

    licence: str
    citation: str
    parts: tuple[CardPart, ...]


def card_record(study: Study) -> DataCard:
    """Return what somebody wrote into a study's card; an empty one where nobody has."""
    return DataCard.objects.filter(study=study).first() or DataCard(study=study)


def card_of(study: Study) -> Card:
    """Return a study's card."""
    record = card_record(study)
    texts = texts_of(facts_now(study), record.sections)
    return Card(
        licence=record.licence,
        citation=record.citation,
        parts=tuple(
            CardPart(one, texts[one.code], follows=one.code not in record.sections)
            for one in SECTIONS
        ),
    )


def part_of(study: Study, code: str) -> CardPart:
    """Return one section of a study's card. Raises KeyError where there is none of this name."""
    section, written = BY_CODE[code], card_record(study).sections
    follows = code not in written
    text = section.prefill(facts_now(study)) if follows else written[code]
    return CardPart(section, text, follows)


def texts_for(sources: Sources, statistics: dict[str, object]) -> dict[str, str]:
    """Return the texts of the card of a release that has these statistics."""
    written = card_record(sources.study).sections
    return texts_of(facts_of_release(sources, statistics), written)


def with_terms(study: Study, choices: ReleaseChoices) -> ReleaseChoices:
    """Return choices with the card's licence and citation where they name none."""
    record = card_record(study)
    return replace(
        choices,
        licence=choices.licence or record.licence,
        citation=choices.citation or record.citation,
    )


def mark_of(text: str) -> str:
    """Return what tells one text of a section from another, for a form to carry."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
