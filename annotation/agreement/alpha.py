"""Krippendorff's alpha for nominal labels with a bootstrap interval; undefined where it is.

With n_uc the votes for label c on post u, n_u all votes on u, and only posts with n_u ≥ 2 counted
(Krippendorff, Content Analysis, chapter on reliability; the same as the package `krippendorff` with
`value_counts`, against which the tests hold it):

    observed agreement  A_o = Σ_u Σ_c n_uc (n_uc − 1) / (n_u − 1) / n
    expected agreement  A_e = Σ_c n_c (n_c − 1) / (n (n − 1))
    alpha = 1 − (1 − A_o) / (1 − A_e) = (A_o − A_e) / (1 − A_e)

Both sums are linear in the number of posts of each pattern, so a resample of posts is a weighting
of patterns, and all resamples are computed at once. Posts with fewer than two votes do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
import numpy.typing as npt

from annotation.agreement.patterns import Patterns, pattern_arrays

RESAMPLES = 1_000
METHOD = (
    "Krippendorff's alpha, nominal; 95% percentile interval from "
    f"{RESAMPLES:,} bootstrap resamples of posts"
)
_BLOCK_OF_CELLS = 4_000_000
_PERCENTILES = (2.5, 97.5)
_DEFINED_RESAMPLES = 0.9

Floats = npt.NDArray[np.float64]


def gettext_noop(text: str) -> str:
    """Mark a sentence for the catalogue of translations; the pure packages translate nothing."""
    return text


class Undefined(Enum):
    """Why alpha has no value."""

    NO_VOTES = gettext_noop("There are no votes yet.")
    NO_PAIRS = gettext_noop(
        "No post has votes from two people, so there is no pair of votes to compare."
    )
    ONE_LABEL = gettext_noop(
        "Everyone chose one and the same label, so no disagreement could be expected "
        "and agreement beyond chance cannot be measured."
    )

    @property
    def sentence(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Agreement:
    """Alpha with its interval, and what it rests on.

    `posts` and `votes` are all that were given; `paired_posts` and `paired_votes` those of posts
    with two votes or more, on which alpha rests. The interval is None where alpha is, where a
    single post is paired, and where too many resamples have no alpha of their own.
    """

    alpha: float | None
    interval: tuple[float, float] | None
    posts: int
    votes: int
    paired_posts: int
    paired_votes: int
    undefined: Undefined | None = None
    method: str = METHOD

    @property
    def reason(self) -> str:
        """Why alpha is undefined, as a sentence; empty where it is defined."""
        return self.undefined.sentence if self.undefined else ""


def krippendorff_alpha(patterns: Patterns, *, generator: np.random.Generator) -> Agreement:
    """Nominal alpha of posts given as patterns, with its interval drawn by the generator.

    The same generator state gives the same interval, whatever the order of the patterns.
    """
    votes, posts = pattern_arrays(patterns)
    per_post = votes.sum(axis=1)
    paired = (per_post >= 2) & (posts > 0)
    paired_votes = votes[paired].astype(np.float64)
    weights = posts[paired]
    found = Agreement(
        alpha=None,
        interval=None,
        posts=int(posts[per_post > 0].sum()),
        votes=int(per_post @ posts),
        paired_posts=int(weights.sum()),
        paired_votes=int(per_post[paired] @ weights),
    )
    undefined = _undefined(found, paired_votes)
    if undefined:
        return replace(found, undefined=undefined)
    agreeing = _agreeing(paired_votes)
    alpha = _alphas(weights[np.newaxis].astype(np.float64), paired_votes, agreeing)[0]
    interval = _interval(weights, paired_votes, agreeing, generator)
    return replace(found, alpha=float(alpha), interval=interval)


def _undefined(found: Agreement, paired_votes: Floats) -> Undefined | None:
    if not found.votes:
        return Undefined.NO_VOTES
    if not found.paired_posts:
        return Undefined.NO_PAIRS
    if np.count_nonzero(paired_votes.sum(axis=0)) < 2:
        return Undefined.ONE_LABEL
    return None


def _agreeing(votes: Floats) -> Floats:
    """Σ_c n_uc (n_uc − 1) / (n_u − 1) of each pattern, shape (patterns,)."""
    agreeing: Floats = (votes * (votes - 1)).sum(axis=1) / (votes.sum(axis=1) - 1)
    return agreeing


def _alphas(weights: Floats, votes: Floats, agreeing: Floats) -> Floats:
    """Alpha of each weighting of the patterns, shape (weightings,); NaN where it is undefined."""
    by_label = weights @ votes
    total = by_label.sum(axis=1)
    observed = weights @ agreeing / total
    expected = (by_label * (by_label - 1)).sum(axis=1) / (total * (total - 1))
    one_label = np.count_nonzero(by_label, axis=1) < 2
    chance = np.where(one_label, np.nan, 1 - expected)
    alphas: Floats = 1 - (1 - observed) / chance
    return alphas


def _interval(
    weights: npt.NDArray[np.int64],
    votes: Floats,
    agreeing: Floats,
    generator: np.random.Generator,
) -> tuple[float, float] | None:
    posts = int(weights.sum())
    if posts < 2:
        return None
    drawn = [
        _alphas(sample, votes, agreeing) for sample in _resamples(posts, weights / posts, generator)
    ]
    alphas = np.concatenate(drawn)
    defined = alphas[np.isfinite(alphas)]
    if len(defined) < _DEFINED_RESAMPLES * len(alphas):
        return None
    low, high = np.percentile(defined, _PERCENTILES)
    return float(low), float(high)


def _resamples(posts: int, shares: Floats, generator: np.random.Generator) -> Iterator[Floats]:
    """Numbers of posts by pattern in each resample, in blocks that bound the memory."""
    block = max(1, _BLOCK_OF_CELLS // len(shares))
    for start in range(0, RESAMPLES, block):
        size = min(block, RESAMPLES - start)
        yield generator.multinomial(posts, shares, size=size).astype(np.float64)
