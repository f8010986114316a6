"""Percent agreement of pairs of votes: not corrected for chance, and never to be called alpha.

Of all pairs of votes on the same post, the share in which both chose the same label. It is high
wherever one label dominates, also among people who vote at random.
"""

from __future__ import annotations

from dataclasses import dataclass

from annotation.agreement.patterns import Patterns, pattern_arrays


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
