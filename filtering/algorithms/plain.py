"""The two plainest ways to choose posts, to hold the filter to: by agreement, and by chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from filtering.algorithms.settings import MajoritySettings, RandomSettings
from filtering.algorithms.trials import Report, Round, StopReason, Trial

ROUNDING = 1e-9
"""So near to the share that was asked for, a post has it: 2 of 3 votes are two thirds."""


def majority_trial(
    embeddings: npt.NDArray[Any],
    counts: npt.NDArray[np.integer[Any]],
    settings: MajoritySettings,
    *,
    seed: int,
    progress: Report,
) -> Trial:
    """Keep the posts whose top label has at least a share of the votes, whatever the seed."""
    disagreement = 1 - counts.max(axis=1) / counts.sum(axis=1)
    threshold = 1 - settings.share
    leaves = disagreement > threshold + ROUNDING
    return _in_one_round(seed, disagreement, threshold, leaves, StopReason.JUDGED_ONCE)


def random_trial(
    embeddings: npt.NDArray[Any],
    counts: npt.NDArray[np.integer[Any]],
    settings: RandomSettings,
    *,
    seed: int,
    progress: Report,
) -> Trial:
    """Keep k posts: those that drew the lowest numbers."""
    drawn = np.random.default_rng(seed).random(len(counts))
    leaves = np.zeros(len(counts), dtype=np.bool_)
    leaves[np.argsort(drawn, kind="stable")[settings.k :]] = True
    reason = StopReason.FEWER_THAN_K if len(counts) < settings.k else StopReason.K_REACHED
    return _in_one_round(seed, drawn, float(drawn[~leaves].max()), leaves, reason)


def _in_one_round(
    seed: int,
    scores: npt.NDArray[np.float64],
    threshold: float,
    leaves: npt.NDArray[np.bool_],
    reason: StopReason,
) -> Trial:
    above = int(leaves.sum())
    found = Round(1, len(scores), threshold, above, len(scores) - above, removed=above > 0)
    return Trial(seed, (found,), reason, scores[np.newaxis], leaves.astype(np.int32))
