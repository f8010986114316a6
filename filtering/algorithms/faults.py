"""Says in sentences why a trial cannot run; the templates may be translated before they are filled.

Positions are those of the arrays, counted from 0; the caller knows which posts they are.
"""

from __future__ import annotations

from enum import Enum

_SHOWN = 10


def gettext_noop(text: str) -> str:
    """Mark a sentence for the catalogue of translations; the pure packages translate nothing."""
    return text


class FilterFault(Enum):
    """What a trial refuses."""

    NO_POSTS = gettext_noop("There are no posts to filter.")
    NO_VOTES = gettext_noop(
        "%(number)d posts have no votes (positions %(shown)s). Leave them out, or wait for votes."
    )
    NEGATIVE = gettext_noop(
        "%(number)d posts have a negative number of votes (positions %(shown)s)."
    )
    NOT_FINITE = gettext_noop(
        "%(number)d embeddings hold a value that is no finite number (positions %(shown)s). "
        "Compute them again."
    )
    DIVERGED = gettext_noop(
        "The classifier's losses grew beyond all numbers. "
        "Choose a learning rate lower than %(rate)s, or standardise the features."
    )

    @property
    def template(self) -> str:
        return self.value


class FilterError(ValueError):
    """A trial that cannot run; `positions` names all the posts at fault."""

    def __init__(
        self, fault: FilterFault, *, positions: tuple[int, ...] = (), **details: object
    ) -> None:
        if positions:
            more = ", …" if len(positions) > _SHOWN else ""
            details["number"] = len(positions)
            details["shown"] = ", ".join(map(str, positions[:_SHOWN])) + more
        super().__init__(fault.template % details)
        self.fault = fault
        self.positions = positions
        self.details = details
