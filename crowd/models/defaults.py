"""The labels that every study starts with: the method's, in the order of its vectors.

The digits on the screen are those of its instructions.
"""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy, gettext_noop


@dataclass(frozen=True)
class DefaultLabel:
    """A label that every study starts with."""

    code: str
    key: str
    name: str
    description: str


DEFAULT_LABELS = (
    DefaultLabel(
        "no_claim",
        "3",
        gettext_noop("Invalid or no claim"),
        gettext_noop("Opinion, feeling, exclamation or question; empty or unreadable."),
    ),
    DefaultLabel(
        "not_checkworthy",
        "2",
        gettext_noop("Not checkworthy"),
        gettext_noop("A claim, but harmless, common knowledge or private."),
    ),
    DefaultLabel(
        "checkworthy",
        "1",
        gettext_noop("Checkworthy"),
        gettext_noop("At least one claim that could influence or mislead."),
    ),
)
DEFAULT_CODES = tuple(label.code for label in DEFAULT_LABELS)
DEFAULT_SET_NAME = gettext_noop("Checkworthiness")
DEFAULT_QUESTION = gettext_noop("Is this post worth checking?")

# Researchers who label gold have one answer more (the method, appendix B.3).
AMBIGUOUS = "ambiguous"
AMBIGUOUS_KEYS = "4567891230abcdefhijklmnopqrtvwxyz"
AMBIGUOUS_NAME = gettext_lazy("Ambiguous")
AMBIGUOUS_DESCRIPTION = gettext_lazy("Too subjective to tell whether somebody understood the task.")
