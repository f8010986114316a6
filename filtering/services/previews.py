"""What other k would keep: a finished run holds the trials of all greater k."""

from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from filtering import algorithms
from filtering.models import FilterRun, Trial, TrialPost


def previews_of(run: FilterRun, counts: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
    """Return for each k at which something changes what would have been kept."""
    trials = [trial_of(trial, len(counts)) for trial in run.trials.prefetch_related("rounds")]
    found = algorithms.previews(trials, counts, ks_of(run, trials), at_least=run.at_least)
    return [asdict(one) for one in found]


def trial_of(trial: Trial, posts: int) -> algorithms.Trial:
    """Return a stored trial as the algorithm gave it, without the posts' scores."""
    rows = TrialPost.objects.filter(trial=trial).order_by("post").values_list("left_in", flat=True)
    names = ("number", "size", "threshold", "above", "would_remain", "removed")
    rounds = tuple(
        algorithms.Round(**{name: getattr(one, name) for name in names})
        for one in trial.rounds.all()
    )
    return algorithms.Trial(
        seed=trial.seed,
        rounds=rounds,
        stop_reason=trial.why,
        scores=np.empty((len(rounds), 0)),
        left_in=np.fromiter(rows.iterator(), dtype=np.int32, count=posts),
    )


def ks_of(run: FilterRun, trials: list[algorithms.Trial]) -> list[int]:
    """Return the run's k, the one asked for, and those from which on a trial stops earlier."""
    assert run.k is not None
    assert run.asked_k is not None
    steps = {one.would_remain + 1 for trial in trials for one in trial.rounds if one.removed}
    return sorted({run.k, run.asked_k} | {k for k in steps if k > run.k})
