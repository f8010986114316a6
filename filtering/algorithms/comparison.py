"""What several trials keep together, and how that changes the votes of the set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from filtering.algorithms.trials import Trial


def times_kept(trials: Sequence[Trial]) -> npt.NDArray[np.int64]:
    """In how many trials each post was kept."""
    times: npt.NDArray[np.int64] = np.sum([trial.kept for trial in trials], axis=0, dtype=np.int64)
    return times


def intersect(trials: Sequence[Trial], *, at_least: int | None = None) -> npt.NDArray[np.bool_]:
    """The posts that every trial kept, or at least so many of the trials."""
    needed = len(trials) if at_least is None else at_least
    if not 1 <= needed <= len(trials):
        raise ValueError(f"At least {needed} of {len(trials)} trials cannot be asked for.")
    result: npt.NDArray[np.bool_] = times_kept(trials) >= needed
    return result


@dataclass(frozen=True, slots=True)
class LabelMix:
    """How the votes of a set of posts lie.

    `proportions` is the mean over posts of each label's share of votes; `majorities` the share of
    posts on which a label has more votes than any other; `unanimous` the share of posts with votes
    for one label only. All None for a set without posts.
    """

    posts: int
    proportions: tuple[float, ...] | None
    majorities: tuple[float, ...] | None
    unanimous: float | None


@dataclass(frozen=True, slots=True)
class LabelShift:
    """The votes before the filter and after it."""

    before: LabelMix
    after: LabelMix


def label_shift(counts: npt.NDArray[np.integer[Any]], kept: npt.NDArray[np.bool_]) -> LabelShift:
    """How the votes of the kept posts differ from those of all."""
    return LabelShift(before=label_mix(counts), after=label_mix(counts[kept]))


def label_mix(counts: npt.NDArray[np.integer[Any]]) -> LabelMix:
    """How the votes of these posts lie. Every post must have a vote."""
    if not len(counts):
        return LabelMix(posts=0, proportions=None, majorities=None, unanimous=None)
    most = counts.max(axis=1, keepdims=True)
    first = counts == most
    sole = first & (first.sum(axis=1, keepdims=True) == 1)
    shares = counts / counts.sum(axis=1, keepdims=True)
    return LabelMix(
        posts=len(counts),
        proportions=tuple(shares.mean(axis=0).tolist()),
        majorities=tuple(sole.mean(axis=0).tolist()),
        unanimous=float((np.count_nonzero(counts, axis=1) == 1).mean()),
    )
