"""What holds of every method: sizes, scores, seeds, refusals, threads."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filtering.algorithms import (
    AFLiteSettings,
    FilterError,
    FilterFault,
    FilterSettings,
    MajoritySettings,
    Method,
    RandomSettings,
    StopReason,
    intersect,
    run_trial,
    settings_for,
)

QUICK = {
    Method.KL: lambda k: FilterSettings(k=k, epochs=2, batch_size=4),
    Method.AFLITE: lambda k: AFLiteSettings(k=k, classifiers=3),
    Method.MAJORITY: lambda k: MajoritySettings(),
    Method.RANDOM: lambda k: RandomSettings(k=k),
}
EVERY_METHOD = pytest.mark.parametrize("method", list(Method))
STOPS_BEFORE_K = pytest.mark.parametrize("method", [Method.KL, Method.AFLITE, Method.RANDOM])
SMALL = st.tuples(
    st.integers(1, 12), st.integers(1, 7), st.integers(1, 3), st.integers(0, 99), st.integers(1, 13)
)


def posts(number, labels=3, features=6, seed=0):
    random = np.random.default_rng(seed)
    embeddings = random.standard_normal((number, features)).astype(np.float32)
    counts = random.integers(0, 4, (number, labels))
    counts[:, 0] += counts.sum(axis=1) == 0
    return embeddings, counts


@EVERY_METHOD
@settings(deadline=None, max_examples=25)
@given(SMALL)
def test_a_trial_never_grows_and_its_rounds_fit_its_posts(method, shape):
    number, labels, features, seed, k = shape
    embeddings, counts = posts(number, labels, features, seed)
    trial = run_trial(embeddings, counts, QUICK[method](k), seed=seed)
    sizes = [found.size for found in trial.rounds]
    assert sizes[0] == number
    assert sizes == sorted(sizes, reverse=True)
    for found, scores in zip(trial.rounds, trial.scores, strict=True):
        present = (trial.left_in == 0) | (trial.left_in >= found.number)
        assert (np.isnan(scores) == ~present).all()
        assert present.sum() == found.size
        gone = (trial.left_in == found.number).sum()
        assert gone == (found.size - found.would_remain if found.removed else 0)
        assert found.removed == bool(gone)
    assert np.isfinite(trial.last_score).all()
    assert trial.left_in.max() <= len(trial.rounds)


@STOPS_BEFORE_K
@settings(deadline=None, max_examples=25)
@given(SMALL)
def test_never_fewer_than_k_are_kept_where_there_were_as_many(method, shape):
    number, labels, features, seed, k = shape
    embeddings, counts = posts(number, labels, features, seed)
    trial = run_trial(embeddings, counts, QUICK[method](k), seed=seed)
    assert trial.kept.sum() >= min(k, number)
    if number < k:
        assert trial.stop_reason is StopReason.FEWER_THAN_K
    if number <= k:
        assert trial.kept.all()


@EVERY_METHOD
def test_what_all_trials_keep_is_kept_by_each(method):
    embeddings, counts = posts(60)
    trials = [run_trial(embeddings, counts, QUICK[method](20), seed=seed) for seed in (1, 2, 3)]
    kept = intersect(trials)
    assert all((kept <= trial.kept).all() for trial in trials)
    assert (kept <= intersect(trials, at_least=2)).all()


@EVERY_METHOD
def test_the_same_seed_gives_the_same_trial_and_leaves_what_is_given(method):
    embeddings, counts = posts(60)
    before = embeddings.copy(), counts.copy()
    first, again = (run_trial(embeddings, counts, QUICK[method](20), seed=5) for _ in "12")
    assert first.rounds == again.rounds
    assert np.array_equal(first.scores, again.scores, equal_nan=True)
    assert (embeddings == before[0]).all() and (counts == before[1]).all()


@STOPS_BEFORE_K
def test_another_seed_gives_another_trial(method):
    embeddings, counts = posts(60)
    first, other = (run_trial(embeddings, counts, QUICK[method](20), seed=seed) for seed in (1, 2))
    assert not np.array_equal(first.scores, other.scores, equal_nan=True)


@EVERY_METHOD
@pytest.mark.parametrize("labels", [1, 2, 7])
def test_any_number_of_labels_and_identical_embeddings_run_to_a_stop(method, labels):
    _, counts = posts(30, labels=labels)
    same = np.full((30, 4), 0.3, dtype=np.float32)
    if method is not Method.MAJORITY:
        assert run_trial(same, counts, QUICK[method](10), seed=1).kept.sum() >= 10
    one = np.tile(np.eye(labels, dtype=int)[0] * 3, (30, 1))
    unanimous = run_trial(same, one, QUICK[method](10), seed=1)
    assert unanimous.kept.sum() >= 10
    if method in {Method.KL, Method.MAJORITY}:
        assert unanimous.kept.all()


@EVERY_METHOD
def test_no_votes_and_numbers_that_are_not_finite_are_refused_by_all(method):
    embeddings, counts = posts(30)
    counts[[3, 7]] = 0
    with pytest.raises(FilterError) as caught:
        run_trial(embeddings, counts, QUICK[method](3), seed=1)
    assert (caught.value.fault, caught.value.positions) == (FilterFault.NO_VOTES, (3, 7))
    embeddings, counts = posts(30)
    for dtype in (np.float16, np.float32):
        broken = embeddings.astype(dtype)
        broken[11, 2] = np.nan
        with pytest.raises(FilterError) as caught:
            run_trial(broken, counts, QUICK[method](3), seed=1)
        assert (caught.value.fault, caught.value.positions) == (FilterFault.NOT_FINITE, (11,))


LOOK_AT_THREADS = """
import numpy, threadpoolctl
from filtering.algorithms import run_trial, settings_for
seen, generator = set(), numpy.random.default_rng(1)
def look(progress):
    seen.update(each["num_threads"] for each in threadpoolctl.threadpool_info())
rows, votes = generator.random((20, 2)), generator.integers(1, 3, (20, 2))
run_trial(rows, votes, settings_for("{method}", {{"k": 10}}), seed=1, progress=look)
after = [each["num_threads"] for each in threadpoolctl.threadpool_info()]
assert seen == {{1}}, seen
assert 2 in after, after
"""


@pytest.mark.parametrize("method", [Method.KL, Method.AFLITE])
def test_linear_algebra_has_one_thread_while_a_trial_runs_and_not_after(method):
    """In a process of its own, where AFLite's libraries are not loaded yet."""
    run = [sys.executable, "-c", LOOK_AT_THREADS.format(method=method.value)]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run(run, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("method", [Method.KL, Method.AFLITE])
def test_what_the_listener_raises_ends_the_trial(method):
    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_trial(*posts(30), QUICK[method](10), seed=1, progress=stop)


def test_settings_are_made_by_the_methods_name():
    assert settings_for("kl", {"k": 5}) == FilterSettings(k=5)
    assert settings_for("aflite", {"k": 5, "tau": 0.8}) == AFLiteSettings(k=5, tau=0.8)
    assert settings_for("majority", {"share": 1}) == MajoritySettings(share=1)
    assert settings_for(Method.RANDOM, {"k": 5}).method is Method.RANDOM
    with pytest.raises(TypeError):
        settings_for("random", {"k": 5, "epochs": 3})
    with pytest.raises(ValueError):
        settings_for("best", {"k": 5})


def test_posts_near_a_threshold_are_marked_in_any_round():
    embeddings, counts = posts(60)
    trial = run_trial(embeddings, counts, FilterSettings(k=15), seed=1)
    expected = np.zeros(60, dtype=bool)
    for found, scores in zip(trial.rounds, trial.scores, strict=True):
        expected |= abs(scores - found.threshold) <= 0.1 * found.threshold
    assert len(trial.rounds) > 1
    assert (trial.near_threshold(0.1) == expected).all() and expected.any()
    assert not trial.near_threshold(1e-12).any()
    assert trial.near_threshold(1e9).all()
