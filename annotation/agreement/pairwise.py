"""Percent agreement of pairs of votes: not corrected for chance, and never to be called alpha.

Of all pairs of votes on the same post, the share in which both chose the same label. It is high
wherever one label dominates, also among people who vote at random.
"""

from __future__ import annotations

from dataclasses import dataclass

from annotation.agreement.patterns import Patterns, pattern_arrays

Matrix = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class PairwiseAgreement:
    """The share of agreeing pairs; None where no post has two votes."""

    share: float | None
    pairs: int
    posts: int
    method: str = "share of agreeing pairs of votes, not corrected for chance"


def pairwise_percent_agreement(patterns: Patterns) -> PairwiseAgreement:
    """The share of agreeing pairs among all pairs of votes on the same post."""
    votes, posts = pattern_arrays(patterns)
    per_post = votes.sum(axis=1)
    pairs = int((per_post * (per_post - 1) // 2) @ posts)
    agreeing = int((votes * (votes - 1) // 2).sum(axis=1) @ posts)
    return PairwiseAgreement(
        share=agreeing / pairs if pairs else None,
        pairs=pairs,
        posts=int(posts[per_post >= 2].sum()),
    )


def pair_matrix(patterns: Patterns) -> Matrix:
    """How often one vote said a label (line) and another on the same post a label (column).

    Each pair is looked at from both sides, so the matrix is symmetric and sums to twice the number
    of pairs; a line's shares say what others said where somebody said its label.
    """
    votes, posts = pattern_arrays(patterns)
    sides = (votes.T * posts) @ votes
    own = votes.T @ posts
    for place in range(len(own)):
        sides[place, place] -= own[place]
    return tuple(tuple(int(cell) for cell in line) for line in sides)
