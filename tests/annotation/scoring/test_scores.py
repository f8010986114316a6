"""F1 scores against the paper's numbers, scikit-learn, and their own meaning."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from annotation.scoring import Scores, bin_f1, confusion_of, f1, ma_f1, mi_f1, scores, spread

PAPER = {2: 93, 1: 78, 0: 540}

PAIRS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=40)


def always(label):
    return scores({(truth, label): posts for truth, posts in PAPER.items()})


@pytest.mark.parametrize(
    ("label", "expected"), [(2, (23.1, 11.6, 38.8)), (1, (0.0, 9.9, 38.8)), (0, (0.0, 0.0, 0.0))]
)
def test_one_label_for_all_of_the_papers_posts_scores_as_in_its_table(label, expected):
    found = always(label)
    assert tuple(round(100 * one, 1) for one in (found.bin_f1, found.ma_f1, found.mi_f1)) == (
        expected
    )
    assert found.posts == 711


@given(PAIRS)
def test_they_equal_scikit_learn_where_they_are_defined(pairs):
    truth, given_ = zip(*pairs, strict=True)
    found = confusion_of(pairs)
    each = [
        f1_score(truth, given_, labels=[label], average="macro", zero_division=0)
        for label in (2, 1)
    ]
    merged = f1_score([y > 0 for y in truth], [y > 0 for y in given_], zero_division=0)
    for mine, theirs in (
        (bin_f1(found), each[0]),
        (ma_f1(found), sum(each) / 2),
        (mi_f1(found), merged),
    ):
        assert mine is None or mine == pytest.approx(theirs, abs=1e-12)


@given(PAIRS)
def test_a_score_is_undefined_just_where_nobody_used_the_label(pairs):
    used = {y for pair in pairs for y in pair}
    found = confusion_of(pairs)
    assert (bin_f1(found) is None) == (2 not in used)
    assert (ma_f1(found) is None) == (not {1, 2} <= used)
    assert (mi_f1(found) is None) == (used == {0})


@given(PAIRS)
def test_who_is_always_right_scores_one(pairs):
    found = scores(confusion_of((truth, truth) for truth, _given in pairs))
    assert {found.bin_f1, found.ma_f1, found.mi_f1} <= {1.0, None}


@given(PAIRS)
def test_truth_and_what_was_given_can_change_places(pairs):
    turned = [(given_, truth) for truth, given_ in pairs]
    assert scores(confusion_of(pairs)) == scores(confusion_of(turned))


def test_merged_labels_count_one_called_the_other_as_right():
    found = confusion_of([(2, 1), (1, 2), (0, 0)])
    assert (bin_f1(found), ma_f1(found), mi_f1(found)) == (0.0, 0.0, 1.0)


def test_nothing_has_no_score():
    assert scores({}) == Scores(None, None, None, 0)
    assert scores({(0, 0): 5}) == Scores(None, None, None, 5)


def test_a_y_that_is_none_is_refused():
    with pytest.raises(ValueError, match="not 3"):
        f1({(3, 1): 1}, {2})


@given(st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_mean_and_deviation_are_those_of_a_sample(values):
    found = spread([*values, None])
    assert found.number == len(values)
    assert found.mean == pytest.approx(statistics.mean(values), abs=1e-12)
    assert found.deviation == pytest.approx(statistics.stdev(values), abs=1e-9)


def test_one_value_has_no_deviation_and_none_no_mean():
    assert (spread([0.5]).mean, spread([0.5]).deviation) == (0.5, None)
    assert (spread([None]).mean, spread([]).number) == (None, 0)
