"""The sections of a data card, in their order: what each is called, and what it is prefilled by.

`croissant` names the property of Croissant's responsible-AI vocabulary that a section fills.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from releases.algorithms import card_limits, card_words
from releases.algorithms.card_facts import CardFacts


@dataclass(frozen=True)
class Section:
    """A part of the card."""

    code: str
    title: str
    prefill: Callable[[CardFacts], str]
    croissant: str = ""


SECTIONS = (
    Section("summary", "What this is", card_words.summary),
    Section("uses", "What it is for", card_words.uses, "dataUseCases"),
    Section(
        "collection",
        "How posts were collected and cleaned",
        card_words.collection,
        "dataCollection",
    ),
    Section(
        "annotation", "How posts were labelled", card_words.annotation, "dataAnnotationProtocol"
    ),
    Section("annotators", "Who labelled", card_words.annotators, "annotatorDemographics"),
    Section(
        "agreement", "How far annotators agree", card_words.agreement, "dataAnnotationAnalysis"
    ),
    Section("pay", "Pay", card_words.pay),
    Section(
        "filter", "The adversarial filter", card_words.adversarial_filter, "machineAnnotationTools"
    ),
    Section("ethics", "Consent and ethics", card_words.ethics, "dataSocialImpact"),
    Section("limits", "Known limits", card_limits.limits, "dataLimitations"),
    Section("biases", "Biases", card_limits.biases, "dataBiases"),
    Section(
        "personal",
        "Personal and sensitive information",
        card_words.personal,
        "personalSensitiveInformation",
    ),
    Section("maintenance", "Maintenance", card_words.maintenance, "dataReleaseMaintenancePlan"),
)
BY_CODE = {section.code: section for section in SECTIONS}


def texts_of(facts: CardFacts, written: Mapping[str, str]) -> dict[str, str]:
    """Return the text of each section: what somebody wrote, else what follows from the study."""
    return {one.code: written.get(one.code) or one.prefill(facts) for one in SECTIONS}
