"""Algorithm 1 worked by hand, in its defined corners, and by its properties."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filtering.algorithms import (
    Direction,
    FilterError,
    FilterFault,
    FilterSettings,
    StopReason,
    Target,
    intersect,
    linear_classifier,
    run_trial,
)
from filtering.algorithms.kl_filter import NOISE, judge, mean_loss


def posts(number, labels=3, features=6, seed=0):
    random = np.random.default_rng(seed)
    embeddings = random.standard_normal((number, features)).astype(np.float32)
    counts = random.integers(0, 4, (number, labels))
    counts[:, 0] += counts.sum(axis=1) == 0
    return embeddings, counts


class TestWorkedByHand:
    """Three against one, with embeddings that tell nothing apart.

    The classifier can only learn one answer p for all. Under KL(q || p) the best is the mean of the
    targets: q = softmax(3, 0) = (0.953, 0.047) for three posts and (0.047, 0.953) for the fourth,
    so p = (0.726, 0.274). Losses: 0.953·ln(0.953/0.726) + 0.047·ln(0.047/0.274) = 0.175 three
    times, 0.047·ln(0.047/0.726) + 0.953·ln(0.953/0.274) = 1.059 for the fourth; mean 0.396.
    """

    EMBEDDINGS = np.ones((4, 2), dtype=np.float32)
    COUNTS = np.array([[3, 0], [3, 0], [0, 3], [3, 0]])

    def trial(self, k):
        chosen = FilterSettings(k=k, epochs=2_000, direction=Direction.REVERSE)
        return run_trial(self.EMBEDDINGS, self.COUNTS, chosen, seed=1)

    def test_the_odd_one_leaves_and_the_rest_are_equal(self):
        trial = self.trial(k=3)
        first, second = trial.rounds
        assert trial.scores[0] == pytest.approx([0.1752, 0.1752, 1.0586, 0.1752], abs=2e-3)
        assert first.threshold == pytest.approx(0.3961, abs=2e-3)
        assert (first.size, first.above, first.would_remain, first.removed) == (4, 1, 3, True)
        assert (second.size, second.above, second.would_remain, second.removed) == (3, 0, 3, False)
        assert second.threshold == pytest.approx(0, abs=1e-4)
        assert trial.stop_reason is StopReason.NOTHING_ABOVE
        assert trial.kept.tolist() == [True, True, False, True]
        assert trial.left_in.tolist() == [0, 0, 1, 0]
        assert math.isnan(trial.scores[1, 2])
        assert trial.last_score[2] == trial.scores[0, 2]
        assert trial.last_score[0] == trial.scores[1, 0]

    def test_with_k_of_four_the_first_round_stops_and_removes_nothing(self):
        trial = self.trial(k=4)
        (only,) = trial.rounds
        assert (only.above, only.would_remain, only.removed) == (1, 3, False)
        assert trial.stop_reason is StopReason.WOULD_FALL_BELOW_K
        assert trial.kept.all()


def test_three_posts_by_hand_in_the_papers_direction():
    """Two against one, with embeddings that tell nothing apart.

    Under KL(p || q) the best single answer is the softmax of the mean votes, softmax(2, 1) =
    (0.731, 0.269). With q = (0.953, 0.047): 0.731·ln(0.731/0.953) + 0.269·ln(0.269/0.047) = 0.273
    twice; with q = (0.047, 0.953): 0.731·ln(0.731/0.047) + 0.269·ln(0.269/0.953) = 1.659; mean
    0.735.
    """
    chosen = FilterSettings(k=2, epochs=2_000)
    trial = run_trial(np.ones((3, 2)), np.array([[3, 0], [0, 3], [3, 0]]), chosen, seed=1)
    assert trial.scores[0] == pytest.approx([0.2733, 1.6593, 0.2733], abs=2e-3)
    assert trial.rounds[0].threshold == pytest.approx(0.7353, abs=2e-3)
    assert trial.left_in.tolist() == [0, 1, 0]
    assert trial.stop_reason is StopReason.NOTHING_ABOVE


def test_permuting_the_labels_changes_no_decision(monkeypatch):
    embeddings, counts = posts(120)
    places = np.array([2, 0, 1])
    there = run_trial(embeddings, counts, FilterSettings(k=40), seed=1)
    start = linear_classifier.initial_weights
    monkeypatch.setattr(
        linear_classifier, "initial_weights", lambda *sizes: start(*sizes)[:, places]
    )
    back = run_trial(embeddings, counts[:, places], FilterSettings(k=40), seed=1)
    assert len(there.rounds) > 1
    assert (back.left_in == there.left_in).all()
    assert back.last_score == pytest.approx(there.last_score, abs=1e-4)


def test_in_one_batch_the_order_of_posts_changes_no_decision():
    embeddings, counts = posts(120)
    order = np.random.default_rng(3).permutation(120)
    chosen = FilterSettings(k=40, batch_size=120)
    there = run_trial(embeddings, counts, chosen, seed=1)
    back = run_trial(embeddings[order], counts[order], chosen, seed=1)
    assert len(there.rounds) > 1
    assert (back.left_in == there.left_in[order]).all()
    assert back.last_score == pytest.approx(there.last_score[order], abs=1e-4)


@pytest.mark.parametrize(
    ("scores", "k", "above", "removed"),
    [
        ([1.0, 2.0, 6.0], 2, [False, False, True], True),  # mean 3
        ([1.0, 2.0, 6.0], 3, [False, False, True], False),
        ([1.0, 3.0, 5.0], 2, [False, False, True], True),  # the mean itself is not above it
        ([1.0, 5.0, 6.0, 0.0], 2, [False, True, True, False], True),
        ([2.0, 2.0, 2.0], 1, [False, False, False], False),
        ([0.1, 0.1, 0.1], 1, [False, False, False], False),
        ([0.1, 0.1 + NOISE / 2, 0.1], 1, [False, False, False], False),
    ],
)
def test_above_the_mean_goes_unless_fewer_than_k_would_remain(scores, k, above, removed):
    found, marked = judge(1, np.array(scores), FilterSettings(k=k))
    assert marked.tolist() == above
    assert found.threshold == pytest.approx(sum(scores) / len(scores))
    assert found.would_remain == len(scores) - sum(above)
    assert found.removed is removed


@given(st.floats(1e-6, 10), st.integers(1, 500))
def test_the_mean_of_equal_losses_is_that_loss(loss, number):
    assert mean_loss(np.full(number, loss)) == loss


QUICK = {"epochs": 2, "batch_size": 4}
SMALL = st.tuples(
    st.integers(1, 12), st.integers(1, 7), st.integers(1, 3), st.integers(0, 99), st.integers(1, 13)
)


@settings(deadline=None)
@given(SMALL, st.sampled_from(Direction), st.sampled_from(Target))
def test_what_holds_of_every_trial(shape, direction, target):
    number, labels, features, seed, k = shape
    embeddings, counts = posts(number, labels, features, seed)
    chosen = FilterSettings(k=k, direction=direction, target=target, **QUICK)
    trial = run_trial(embeddings, counts, chosen, seed=seed)
    sizes = [found.size for found in trial.rounds]
    assert sizes[0] == number
    assert sizes == sorted(sizes, reverse=True)
    assert trial.kept.sum() == sizes[-1]
    assert trial.kept.sum() >= min(k, number)
    for found, losses in zip(trial.rounds, trial.scores, strict=True):
        present = losses[~np.isnan(losses)]
        assert len(present) == found.size
        assert found.threshold == pytest.approx(present.mean(), abs=1e-12)
        assert found.above == (present > found.threshold + NOISE).sum()
        assert found.would_remain == found.size - found.above
        assert found.removed == (found is not trial.rounds[-1])
        assert (trial.left_in == found.number).sum() == (found.above if found.removed else 0)
    assert np.isfinite(trial.last_score).all()


@settings(deadline=None, max_examples=30)
@given(SMALL, st.integers(1, 3))
def test_what_all_trials_keep_is_kept_by_each(shape, at_least):
    number, labels, features, seed, k = shape
    embeddings, counts = posts(number, labels, features, seed)
    trials = [
        run_trial(embeddings, counts, FilterSettings(k=k, **QUICK), seed=each) for each in (1, 2, 3)
    ]
    kept = intersect(trials)
    assert all((kept <= trial.kept).all() for trial in trials)
    assert (kept <= intersect(trials, at_least=at_least)).all()


def test_the_same_seed_gives_the_same_trial_and_another_seed_another():
    embeddings, counts = posts(120)
    first, again, other = (
        run_trial(embeddings, counts, FilterSettings(k=40), seed=seed) for seed in (1, 1, 2)
    )
    assert first.rounds == again.rounds
    assert (first.left_in == again.left_in).all()
    assert np.array_equal(first.scores, again.scores, equal_nan=True)
    assert first.rounds != other.rounds


def test_what_is_given_is_left_as_it_was():
    embeddings, counts = posts(30)
    before = embeddings.copy(), counts.copy()
    run_trial(embeddings, counts, FilterSettings(k=10, **QUICK), seed=1)
    assert (embeddings == before[0]).all()
    assert (counts == before[1]).all()


def test_fewer_posts_than_k_are_all_kept_and_scored():
    trial = run_trial(*posts(5), FilterSettings(k=6, **QUICK), seed=1)
    assert trial.stop_reason is StopReason.FEWER_THAN_K
    assert trial.kept.all()
    assert len(trial.rounds) == 1
    assert np.isfinite(trial.last_score).all()


def test_as_many_posts_as_k_are_all_kept():
    trial = run_trial(*posts(6), FilterSettings(k=6, **QUICK), seed=1)
    assert trial.stop_reason is StopReason.WOULD_FALL_BELOW_K
    assert trial.kept.all()


def test_a_single_post_is_kept():
    trial = run_trial(*posts(1), FilterSettings(k=1, **QUICK), seed=1)
    assert trial.stop_reason is StopReason.NOTHING_ABOVE
    assert trial.kept.all()


def test_one_label_only_leaves_nothing_to_remove():
    embeddings, counts = posts(20, labels=1)
    trial = run_trial(embeddings, counts, FilterSettings(k=5, **QUICK), seed=1)
    assert trial.stop_reason is StopReason.NOTHING_ABOVE
    assert trial.rounds[0].threshold == pytest.approx(0, abs=1e-12)


def test_unanimous_votes_for_one_label_of_several_run_to_a_stop():
    embeddings, _ = posts(20)
    counts = np.tile([0, 0, 3], (20, 1))
    trial = run_trial(embeddings, counts, FilterSettings(k=5, **QUICK), seed=1)
    assert trial.kept.sum() >= 5


def test_identical_posts_have_one_loss_and_all_stay():
    embeddings = np.full((3_000, 7), 0.3, dtype=np.float32)
    counts = np.tile([1, 2], (3_000, 1))
    trial = run_trial(embeddings, counts, FilterSettings(k=5, epochs=1), seed=1)
    assert trial.stop_reason is StopReason.NOTHING_ABOVE
    assert trial.kept.all()
    plain = FilterSettings(k=5, epochs=1, standardise=False)
    assert run_trial(embeddings, counts, plain, seed=1).kept.all()


@pytest.mark.parametrize("labels", [2, 7])
def test_any_number_of_labels(labels):
    trial = run_trial(*posts(60, labels=labels), FilterSettings(k=10), seed=1)
    assert 10 <= trial.kept.sum() < 60


def test_the_round_limit_ends_a_trial():
    trial = run_trial(*posts(60), FilterSettings(k=1, max_rounds=1), seed=1)
    assert trial.stop_reason is StopReason.ROUND_LIMIT
    assert trial.rounds[0].removed
    assert trial.kept.sum() == trial.rounds[0].would_remain


def test_posts_without_votes_are_refused_by_position():
    embeddings, counts = posts(30)
    counts[[3, 7]] = 0
    with pytest.raises(FilterError, match=r"2 posts have no votes \(positions 3, 7\)") as caught:
        run_trial(embeddings, counts, FilterSettings(k=3), seed=1)
    assert caught.value.fault is FilterFault.NO_VOTES
    assert caught.value.positions == (3, 7)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_embeddings_that_are_not_finite_are_refused_by_position(value):
    embeddings, counts = posts(30)
    embeddings[4:26, 2] = value
    with pytest.raises(FilterError, match=r"22 embeddings .* 4, 5, .* 13, …\)") as caught:
        run_trial(embeddings, counts, FilterSettings(k=3), seed=1)
    assert caught.value.fault is FilterFault.NOT_FINITE
    assert caught.value.positions == tuple(range(4, 26))


def test_no_posts_and_negative_votes_are_refused():
    with pytest.raises(FilterError) as caught:
        run_trial(np.empty((0, 3)), np.empty((0, 2), dtype=int), FilterSettings(k=1), seed=1)
    assert caught.value.fault is FilterFault.NO_POSTS
    with pytest.raises(FilterError) as caught:
        run_trial(np.ones((1, 3)), np.array([[-1, 2]]), FilterSettings(k=1), seed=1)
    assert caught.value.fault is FilterFault.NEGATIVE


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_losses_beyond_all_numbers_are_refused():
    embeddings, counts = posts(10)
    wild = FilterSettings(k=3, learning_rate=1e39, **QUICK)
    with pytest.raises(FilterError, match="standardise the features") as caught:
        run_trial(embeddings, counts, wild, seed=1)
    assert caught.value.fault is FilterFault.DIVERGED


@pytest.mark.parametrize(
    ("embeddings", "counts"),
    [
        (np.ones((3, 2)), np.ones((4, 2), dtype=int)),
        (np.ones(3), np.ones((3, 2), dtype=int)),
        (np.ones((3, 2)), np.ones((3, 0), dtype=int)),
        (np.ones((3, 2)), np.full((3, 2), 0.5)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(embeddings, counts):
    with pytest.raises(ValueError):
        run_trial(embeddings, counts, FilterSettings(k=1), seed=1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0},
        {"epochs": 0},
        {"batch_size": 0},
        {"max_rounds": 0},
        {"most_steps": 0},
        {"learning_rate": 0},
        {"learning_rate": float("nan")},
        {"weight_decay": -1},
        {"target": "ranks"},
        {"direction": "sideways"},
        {"schedule": "now and then"},
    ],
)
def test_settings_without_meaning_are_refused(wrong):
    with pytest.raises(ValueError):
        FilterSettings(**{"k": 1, **wrong})


def test_progress_is_told_after_each_epoch_and_can_end_the_trial():
    embeddings, counts = posts(60)
    told = []
    trial = run_trial(
        embeddings, counts, FilterSettings(k=20, epochs=3), seed=1, progress=told.append
    )
    expected = [
        (found.number, found.size, epoch, 3) for found in trial.rounds for epoch in (1, 2, 3)
    ]
    assert [(each.round, each.size, each.step, each.steps) for each in told] == expected

    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_trial(embeddings, counts, FilterSettings(k=20), seed=1, progress=stop)


def test_the_package_loads_no_heavy_library():
    heavy = "{'torch', 'django', 'sklearn'}"
    code = f"import sys, filtering.algorithms; sys.exit(bool({heavy} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
