"""AFLite against its printed steps, and that it removes the easy ones."""

from __future__ import annotations

import numpy as np
import pytest

from filtering.algorithms import AFLiteSettings, StopReason, run_trial
from filtering.algorithms.aflite import NO_MAJORITY, _predicted, judge, majority_labels


def separable(number=120, hard=30, seed=1):
    """Posts of two kinds far apart with clear votes; the first lie between, with split votes."""
    random = np.random.default_rng(seed)
    kind = random.integers(0, 2, number)
    embeddings = random.standard_normal((number, 4)) * 0.3
    embeddings[:, 0] += np.where(kind, 4, -4)
    embeddings[:hard, 0] = random.standard_normal(hard) * 0.1
    counts = np.stack([3 * (kind == 0), 3 * (kind == 1)], axis=1)
    counts[:hard] = [[2, 1] if drawn else [1, 2] for drawn in random.integers(0, 2, hard)]
    return embeddings.astype(np.float32), counts


def test_the_predictable_ones_leave_first():
    embeddings, counts = separable()
    trial = run_trial(embeddings, counts, AFLiteSettings(k=60, classifiers=16), seed=1)
    assert trial.stop_reason is StopReason.K_REACHED
    assert trial.kept.sum() == 60
    assert trial.kept[:30].mean() > 0.9 > trial.kept[30:].mean()
    assert trial.scores[0, 30:].mean() > 0.95


def test_it_stops_when_fewer_than_a_slice_are_predictable():
    embeddings, counts = separable(number=40, hard=30)
    chosen = AFLiteSettings(k=20, classifiers=16, slice_size=12, tau=0.95)
    trial = run_trial(embeddings, counts, chosen, seed=1)
    assert trial.stop_reason is StopReason.FEW_PREDICTABLE
    last = trial.rounds[-1]
    assert last.above < 12 and last.size - last.would_remain == last.above
    assert trial.kept.sum() == last.would_remain > 20


@pytest.mark.parametrize(
    ("shares", "k", "slice_size", "leaving"),
    [
        ([0.9, 0.5, 0.8, 1.0, 0.1], 1, 2, {0, 3}),  # the two most predictable
        ([0.9, 0.5, 0.8, 1.0, 0.1], 1, 4, {0, 2, 3}),  # only those at or above tau
        ([0.9, 0.5, 0.75, 0.2, 0.1], 1, 4, {0, 2}),  # tau itself is enough
        ([0.9, 0.9, 0.9, 0.9, 0.9], 3, 4, 2),  # k stay; which of equals leave is drawn
        ([0.9, 0.9, 0.9], 3, 2, set()),
        ([0.1, 0.2, 0.3], 1, 2, set()),
    ],
)
def test_a_round_by_hand(shares, k, slice_size, leaving):
    chosen = AFLiteSettings(k=k, slice_size=slice_size)
    found, places = judge(
        1, np.array(shares), chosen, np.random.default_rng(1), first_size=len(shares)
    )
    if isinstance(leaving, int):
        assert len(set(places.tolist())) == leaving
    else:
        assert set(places.tolist()) == leaving
    assert found.above == sum(share >= 0.75 for share in shares)
    assert found.would_remain == len(shares) - len(places)
    assert found.removed == bool(len(places))


def test_which_of_equals_leave_is_drawn():
    chosen = AFLiteSettings(k=50, slice_size=10)
    drawn = set()
    for seed in range(5):
        generator = np.random.default_rng(seed)
        _round, places = judge(1, np.ones(100), chosen, generator, first_size=100)
        drawn.add(tuple(sorted(places)))
    assert len(drawn) == 5


def test_predictability_is_the_share_of_right_predictions_of_held_out_posts():
    """The printed steps once more, written out with dictionaries."""
    embeddings, counts = separable(number=24, hard=8)
    chosen = AFLiteSettings(k=20, classifiers=9, train_size=12, slice_size=3)
    trial = run_trial(embeddings, counts, chosen, seed=4)
    scaled = ((embeddings - embeddings.mean(axis=0)) / embeddings.std(axis=0)).astype(np.float32)
    labels, generator = counts.argmax(axis=1), np.random.default_rng(4)
    said = {post: [] for post in range(24)}
    for _classifier in range(9):
        order = generator.permutation(24)
        predicted = _predicted(scaled, labels, order[:12], order[12:])
        for post, label in zip(order[12:], predicted, strict=True):
            said[post].append(label)
    for post, heard in said.items():
        expected = sum(label == labels[post] for label in heard) / len(heard) if heard else 0
        assert trial.scores[0, post] == pytest.approx(expected)


def test_posts_without_a_majority_teach_nothing_and_stay():
    assert majority_labels(np.array([[2, 1, 0], [1, 1, 0], [1, 1, 1], [0, 0, 3]])).tolist() == [
        0,
        NO_MAJORITY,
        NO_MAJORITY,
        2,
    ]
    embeddings, counts = separable()
    counts[:30] = 1
    trial = run_trial(embeddings, counts, AFLiteSettings(k=40, classifiers=8), seed=1)
    assert trial.kept[:30].all()
    assert (trial.scores[0, :30] == 0).all()
    only_ties = run_trial(embeddings, np.ones((120, 2), int), AFLiteSettings(k=40), seed=1)
    assert only_ties.stop_reason is StopReason.FEW_PREDICTABLE and only_ties.kept.all()


def test_examples_with_one_label_teach_that_label():
    rows, labels = np.zeros((6, 2), np.float32), np.array([1, 1, 1, 1, 0, 1])
    assert _predicted(rows, labels, np.array([0, 1]), np.array([4, 5])).tolist() == [1, 1]


def test_permuting_the_labels_keeps_which_posts_are_predictable():
    embeddings, counts = separable()
    chosen = AFLiteSettings(k=60, classifiers=8)
    there = run_trial(embeddings, counts, chosen, seed=1)
    back = run_trial(embeddings, counts[:, ::-1], chosen, seed=1)
    assert there.scores[0] == pytest.approx(back.scores[0], abs=0.2)


def test_what_is_not_chosen_has_winograndes_proportions():
    chosen = AFLiteSettings(k=12_282)
    assert chosen.classifiers == 64 and chosen.tau == 0.75
    assert chosen.posts_to_train() == pytest.approx(10_000, rel=0.02)
    assert chosen.posts_at_a_time(40_938) == pytest.approx(500, rel=0.03)


@pytest.mark.parametrize(
    "wrong",
    [{"k": 0}, {"classifiers": 0}, {"train_size": 0}, {"slice_size": 0}, {"tau": 0}, {"tau": 1.1}],
)
def test_settings_without_meaning_are_refused(wrong):
    with pytest.raises(ValueError):
        AFLiteSettings(**{"k": 5, **wrong})
    with pytest.raises(ValueError, match="held out"):
        AFLiteSettings(k=5, train_size=6)
