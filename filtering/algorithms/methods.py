"""One way to run any method: its settings say which. Refuses bad posts before it trains anything.

Linear algebra gets one thread while a trial runs. The matrices are narrow, so more threads only
wait for each other, and two trials on two cores would fight: measured, AFLite on 4,000 posts took
67 s with as many threads as the library wants and 2.9 s with one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from filtering.algorithms.aflite import aflite_trial, load_library
from filtering.algorithms.inputs import check_inputs
from filtering.algorithms.kl_filter import kl_trial
from filtering.algorithms.plain import majority_trial, random_trial
from filtering.algorithms.settings import (
    AFLiteSettings,
    FilterSettings,
    MajoritySettings,
    Settings,
)
from filtering.algorithms.trials import Report, Trial, untold


def run_trial(
    embeddings: npt.NDArray[Any],
    counts: npt.NDArray[np.integer[Any]],
    settings: Settings,
    *,
    seed: int,
    progress: Report = untold,
) -> Trial:
    """Choose posts by embeddings of shape (posts, features) and votes of shape (posts, labels).

    The same order, settings and seed give the same trial on the same machine. `progress` is called
    after each step; what it raises ends the trial. Refuses posts without votes and embeddings that
    are not finite.
    """
    check_inputs(embeddings, counts)
    if isinstance(settings, AFLiteSettings):
        load_library()  # beforehand: the limit binds only libraries that are there
    with threadpool_limits(limits=1):
        if isinstance(settings, FilterSettings):
            return kl_trial(embeddings, counts, settings, seed=seed, progress=progress)
        if isinstance(settings, AFLiteSettings):
            return aflite_trial(embeddings, counts, settings, seed=seed, progress=progress)
        if isinstance(settings, MajoritySettings):
            return majority_trial(embeddings, counts, settings, seed=seed, progress=progress)
        return random_trial(embeddings, counts, settings, seed=seed, progress=progress)
