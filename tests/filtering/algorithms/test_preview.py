"""What another k would do is exactly what it does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filtering.algorithms import (
    FilterSettings,
    StopReason,
    intersect,
    label_shift,
    preview,
    run_trial,
    with_greater_k,
)

RANDOM = np.random.default_rng(3)
EMBEDDINGS = RANDOM.standard_normal((80, 6)).astype(np.float32)
COUNTS = RANDOM.integers(0, 4, (80, 3)) + np.array([1, 0, 0])


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 90), st.integers(0, 90), st.integers(1, 4))
def test_a_trial_holds_the_trials_of_all_greater_k(k, more, max_rounds):
    chosen = {"epochs": 3, "batch_size": 16, "max_rounds": max_rounds}
    small = run_trial(EMBEDDINGS, COUNTS, FilterSettings(k=k, **chosen), seed=1)
    cut = with_greater_k(small, k + more)
    ran = run_trial(EMBEDDINGS, COUNTS, FilterSettings(k=k + more, **chosen), seed=1)
    assert cut.rounds == ran.rounds
    assert cut.stop_reason is ran.stop_reason
    assert (cut.left_in == ran.left_in).all()
    assert np.array_equal(cut.scores, ran.scores, equal_nan=True)


def test_a_preview_tells_sizes_and_what_all_trials_would_keep():
    chosen = FilterSettings(k=10, epochs=5)
    found = preview(EMBEDDINGS, COUNTS, chosen, [60, 20, 81, 20], seeds=(1, 2))
    assert [each.k for each in found] == [20, 60, 81]
    for each in found:
        trials = [
            run_trial(EMBEDDINGS, COUNTS, FilterSettings(k=each.k, epochs=5), seed=seed)
            for seed in (1, 2)
        ]
        assert each.sizes == tuple(tuple(found.size for found in trial.rounds) for trial in trials)
        assert all(
            sizes[-1] == trial.kept.sum() for sizes, trial in zip(each.sizes, trials, strict=True)
        )
        kept = intersect(trials)
        assert each.kept == kept.sum()
        assert each.shift == label_shift(COUNTS, kept)
    assert found[-1].kept == 80


def test_a_preview_runs_one_trial_for_each_seed():
    told = []
    preview(
        EMBEDDINGS,
        COUNTS,
        FilterSettings(k=1, epochs=1),
        [20, 40, 60],
        seeds=(1,),
        progress=told.append,
    )
    rounds = [each.round for each in told]
    assert rounds == sorted(set(rounds))


def test_a_trial_that_ends_by_its_number_of_rounds_ends_with_what_it_keeps():
    (found,) = preview(EMBEDDINGS, COUNTS, FilterSettings(k=5, max_rounds=1), [5], seeds=(1,))
    assert found.sizes == ((80, found.kept),)
    assert found.kept < 80


def test_a_k_that_is_never_reached_leaves_the_trial_as_it_is():
    trial = run_trial(EMBEDDINGS, COUNTS, FilterSettings(k=5, max_rounds=1), seed=1)
    assert trial.stop_reason is StopReason.ROUND_LIMIT
    assert with_greater_k(trial, 6) is trial


def test_no_k_at_all_is_refused():
    with pytest.raises(ValueError, match="k"):
        preview(EMBEDDINGS, COUNTS, FilterSettings(k=5), [], seeds=(1,))
