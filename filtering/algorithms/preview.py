"""What another k would do, without running again.

k decides only when a trial of the KL filter stops: the rounds before are the same for all k. So a
trial with the smallest k holds the trials of all greater ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from filtering.algorithms.comparison import LabelShift, intersect, label_shift
from filtering.algorithms.methods import run_trial
from filtering.algorithms.settings import FilterSettings
from filtering.algorithms.trials import Report, StopReason, Trial, untold


@dataclass(frozen=True, slots=True)
class Preview:
    """What a k would do: how each trial goes down in size, and how many posts are kept.

    A trial's sizes begin with all posts and end with what it keeps: one more than rounds that
    removed.
    """

    k: int
    sizes: tuple[tuple[int, ...], ...]
    kept: int
    shift: LabelShift


def with_greater_k(trial: Trial, k: int) -> Trial:
    """The trial of the KL filter that a k no smaller than this trial's would have given."""
    posts = len(trial.left_in)
    if posts < k:
        return _until(trial, 1, StopReason.FEWER_THAN_K)
    for found in trial.rounds:
        if found.removed and found.would_remain < k:
            return _until(trial, found.number, StopReason.WOULD_FALL_BELOW_K)
    return trial


def _until(trial: Trial, number: int, reason: StopReason) -> Trial:
    """The trial with this round as the last, which removes nothing."""
    last = replace(trial.rounds[number - 1], removed=False)
    return Trial(
        seed=trial.seed,
        rounds=(*trial.rounds[: number - 1], last),
        stop_reason=reason,
        scores=trial.scores[:number],
        left_in=np.where(trial.left_in < number, trial.left_in, 0).astype(np.int32),
    )


def preview(
    embeddings: npt.NDArray[Any],
    counts: npt.NDArray[np.integer[Any]],
    settings: FilterSettings,
    ks: Iterable[int],
    *,
    seeds: Sequence[int],
    progress: Report = untold,
) -> list[Preview]:
    """What each k would do with these settings: one trial for each seed, with the smallest k."""
    wanted = sorted(set(ks))
    if not wanted:
        raise ValueError("A preview needs a k.")
    least = replace(settings, k=wanted[0])
    trials = [run_trial(embeddings, counts, least, seed=seed, progress=progress) for seed in seeds]
    return previews(trials, counts, wanted)


def previews(
    trials: Sequence[Trial],
    counts: npt.NDArray[np.integer[Any]],
    ks: Iterable[int],
    *,
    at_least: int | None = None,
) -> list[Preview]:
    """What each k would have done, from trials with a k no greater than any of them.

    A post is kept by every trial, or by `at_least` of them.
    """
    found = []
    for k in ks:
        cut = [with_greater_k(trial, k) for trial in trials]
        kept = intersect(cut, at_least=at_least)
        sizes = tuple(map(_sizes, cut))
        found.append(Preview(k, sizes, int(kept.sum()), label_shift(counts, kept)))
    return found


def _sizes(trial: Trial) -> tuple[int, ...]:
    gone = (each.would_remain for each in trial.rounds if each.removed)
    return (trial.rounds[0].size, *gone)
