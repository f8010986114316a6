"""A threshold on agreement, and chance."""

from __future__ import annotations

import numpy as np
import pytest

from filtering.algorithms import MajoritySettings, RandomSettings, StopReason, run_trial

COUNTS = np.array([[3, 0, 0], [2, 1, 0], [1, 1, 1], [0, 1, 4], [0, 2, 2]])
EMBEDDINGS = np.zeros((5, 2), dtype=np.float32)


@pytest.mark.parametrize(
    ("share", "kept"),
    [
        (1.0, [1, 0, 0, 0, 0]),
        (0.8, [1, 0, 0, 1, 0]),
        (2 / 3, [1, 1, 0, 1, 0]),
        (0.5, [1, 1, 0, 1, 1]),
        (0.1, [1, 1, 1, 1, 1]),
    ],
)
def test_posts_whose_top_label_has_the_share_stay(share, kept):
    trial = run_trial(EMBEDDINGS, COUNTS, MajoritySettings(share=share), seed=1)
    assert trial.kept.tolist() == [bool(each) for each in kept]
    assert trial.stop_reason is StopReason.JUDGED_ONCE
    assert trial.last_score == pytest.approx([0, 1 / 3, 2 / 3, 0.2, 0.5])
    (only,) = trial.rounds
    assert (only.size, only.above) == (5, 5 - sum(kept))


def test_permuting_labels_changes_nothing_where_only_agreement_counts():
    there = run_trial(EMBEDDINGS, COUNTS, MajoritySettings(), seed=1)
    back = run_trial(EMBEDDINGS, COUNTS[:, [2, 0, 1]], MajoritySettings(), seed=2)
    assert (there.kept == back.kept).all()


@pytest.mark.parametrize("share", [0, 1.01])
def test_a_share_without_meaning_is_refused(share):
    with pytest.raises(ValueError):
        MajoritySettings(share=share)


def test_chance_keeps_k_and_each_post_as_often():
    counts = np.ones((20, 2), dtype=int)
    embeddings = np.zeros((20, 1), dtype=np.float32)
    times = np.zeros(20)
    for seed in range(100):
        trial = run_trial(embeddings, counts, RandomSettings(k=5), seed=seed)
        assert trial.kept.sum() == 5 and trial.stop_reason is StopReason.K_REACHED
        times += trial.kept
    assert abs(times - 25).max() < 20
