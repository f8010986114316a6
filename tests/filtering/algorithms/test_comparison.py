"""What trials keep together and how the votes shift."""

from __future__ import annotations

import numpy as np
import pytest

from filtering.algorithms import StopReason, Trial, intersect, label_mix, label_shift, times_kept


def trial(*left_in):
    losses = np.zeros((1, len(left_in)))
    return Trial(1, (), StopReason.NOTHING_ABOVE, losses, np.array(left_in, dtype=np.int32))


TRIALS = [trial(0, 0, 1, 0), trial(0, 2, 1, 0), trial(0, 1, 0, 3)]


def test_posts_are_kept_by_all_trials_or_by_some():
    assert times_kept(TRIALS).tolist() == [3, 1, 1, 2]
    assert intersect(TRIALS).tolist() == [True, False, False, False]
    assert intersect(TRIALS, at_least=2).tolist() == [True, False, False, True]
    assert intersect(TRIALS, at_least=1).all()


@pytest.mark.parametrize("at_least", [0, 4])
def test_more_trials_than_there_are_cannot_be_asked_for(at_least):
    with pytest.raises(ValueError, match="of 3 trials"):
        intersect(TRIALS, at_least=at_least)


def test_the_shift_of_labels_by_hand():
    counts = np.array([[3, 0], [2, 1], [1, 1], [0, 2]])
    shift = label_shift(counts, np.array([True, False, False, True]))
    assert shift.before.posts == 4
    assert shift.before.proportions == pytest.approx(((1 + 2 / 3 + 1 / 2) / 4, (1 / 3 + 3 / 2) / 4))
    assert shift.before.majorities == (0.5, 0.25)
    assert shift.before.unanimous == 0.5
    assert shift.after.proportions == (0.5, 0.5)
    assert shift.after.majorities == (0.5, 0.5)
    assert shift.after.unanimous == 1.0


def test_throwing_the_unanimous_out_is_noticed():
    counts = np.array([[3, 0], [2, 1]])
    shift = label_shift(counts, np.array([False, True]))
    assert (shift.before.unanimous, shift.after.unanimous) == (0.5, 0.0)


def test_an_empty_set_has_no_mix():
    shift = label_shift(np.array([[3, 0]]), np.array([False]))
    assert shift.after.posts == 0
    assert (shift.after.proportions, shift.after.majorities, shift.after.unanimous) == (None,) * 3


def test_permuting_labels_permutes_the_mix():
    counts = np.array([[3, 0, 1], [2, 1, 0], [1, 1, 1]])
    there, back = label_mix(counts), label_mix(counts[:, [2, 0, 1]])
    assert back.proportions == pytest.approx(tuple(there.proportions[place] for place in (2, 0, 1)))
    assert back.unanimous == there.unanimous
