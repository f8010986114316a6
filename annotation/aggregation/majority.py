"""The label with most votes, and the choices that more than half of the voters made.

Votes are counts of one post. The label with most votes wins also without more than half of them
(three votes of five among three labels); two labels with equally many make a tie.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Majority:
    """The winning label of one post; None where there is a tie or no vote.

    `share` is the winning (or tied) label's part of all votes, 0 where there are none; `tied` names
    the labels that share first place, in the order given.
    """

    label: str | None
    tie: bool
    counts: Mapping[str, int]
    votes: int
    share: float
    tied: tuple[str, ...] = ()

    @property
    def unanimous(self) -> bool:
        return self.votes > 0 and self.share == 1.0


def majority(counts: Mapping[str, int]) -> Majority:
    """The label with most votes. Raises ValueError for a negative count."""
    if any(count < 0 for count in counts.values()):
        raise ValueError(f"A count of votes is negative: {dict(counts)}.")
    votes = sum(counts.values())
    if not votes:
        return Majority(label=None, tie=False, counts=dict(counts), votes=0, share=0.0)
    most = max(counts.values())
    first = tuple(label for label, count in counts.items() if count == most)
    tie = len(first) > 1
    return Majority(
        label=None if tie else first[0],
        tie=tie,
        counts=dict(counts),
        votes=votes,
        share=most / votes,
        tied=first if tie else (),
    )


@dataclass(frozen=True, slots=True)
class ChoiceMajority:
    """The choices that more than half of the voters made, in the order given, with all counts."""

    chosen: tuple[str, ...]
    counts: Mapping[str, int]
    voters: int


def majority_of_choices(votes: Sequence[Collection[str]], order: Sequence[str]) -> ChoiceMajority:
    """What more than half of the voters chose, each voter choosing any number, also none.

    `order` names all choices; a vote for another one raises ValueError. Naming a choice twice in
    one vote counts once.
    """
    if unknown := {choice for vote in votes for choice in vote} - set(order):
        raise ValueError(f"These choices are not among those given: {', '.join(sorted(unknown))}.")
    counts = {choice: sum(choice in vote for vote in votes) for choice in order}
    return ChoiceMajority(
        chosen=tuple(choice for choice in order if 2 * counts[choice] > len(votes)),
        counts=counts,
        voters=len(votes),
    )
