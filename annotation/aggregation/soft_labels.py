"""The share of each label among the votes of one post; refuses a post without votes."""

from __future__ import annotations

from collections.abc import Mapping


class NoVotesError(ValueError):
    """A post without votes has no shares."""


def soft_label(counts: Mapping[str, int]) -> dict[str, float]:
    """Each label's share of the votes, in the order given; the shares add up to 1."""
    votes = sum(counts.values())
    if not votes:
        raise NoVotesError("A post without votes has no soft label.")
    return {label: count / votes for label, count in counts.items()}
