"""The loss of the filter and its slope against plain arithmetic in double precision."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from filtering.algorithms import Direction, Target
from filtering.algorithms.kl_loss import divergences, gradient, log_softmax, log_targets

LOGITS = st.tuples(st.integers(1, 6), st.integers(1, 7)).flatmap(
    lambda shape: st.tuples(
        arrays.arrays(np.float64, shape, elements=st.floats(-8, 8)),
        arrays.arrays(np.int64, shape, elements=st.integers(1, 5)),
    )
)
BOTH = pytest.mark.parametrize("direction", list(Direction))


def softmax(values):
    total = sum(math.exp(value) for value in values)
    return [math.exp(value) / total for value in values]


def test_the_target_is_the_softmax_of_the_raw_counts():
    log_q = log_targets(np.array([[0, 1, 2]]), Target.COUNTS)
    total = 1 + math.e + math.e**2
    assert np.exp(log_q[0]) == pytest.approx([1 / total, math.e / total, math.e**2 / total])


def test_the_target_may_be_the_softmax_of_proportions():
    log_q = log_targets(np.array([[0, 1, 3]]), Target.PROPORTIONS)
    assert np.exp(log_q[0]) == pytest.approx(softmax([0, 0.25, 0.75]))


@BOTH
@given(LOGITS)
def test_the_loss_is_equation_two(direction, given_arrays):
    logits, counts = given_arrays
    losses = divergences(logits, log_targets(counts, Target.COUNTS), direction)
    for row, votes, loss in zip(logits, counts, losses, strict=True):
        p, q = softmax(row), softmax(votes)
        first, second = (p, q) if direction is Direction.FORWARD else (q, p)
        expected = sum(a * math.log(a / b) for a, b in zip(first, second, strict=True))
        assert loss == pytest.approx(expected, abs=1e-9)
        assert loss >= 0


@BOTH
@given(LOGITS)
def test_the_slope_is_that_of_the_loss(direction, given_arrays):
    logits, counts = given_arrays
    log_q = log_targets(counts, Target.COUNTS)
    slope = gradient(logits, log_q, direction)
    step = 1e-6
    for label in range(logits.shape[1]):
        moved = np.zeros_like(logits)
        moved[:, label] = step
        rise = divergences(logits + moved, log_q, direction)
        fall = divergences(logits - moved, log_q, direction)
        assert slope[:, label] == pytest.approx((rise - fall) / (2 * step), abs=1e-5)


@BOTH
def test_a_perfect_classifier_has_no_loss_and_no_slope(direction):
    counts = np.array([[3, 0, 0], [1, 1, 1]])
    log_q = log_targets(counts, Target.COUNTS)
    assert divergences(log_q, log_q, direction) == pytest.approx([0, 0], abs=1e-15)
    assert gradient(log_q, log_q, direction) == pytest.approx(np.zeros((2, 3)), abs=1e-15)


def test_great_logits_and_counts_do_not_overflow():
    logits = np.array([[1e4, -1e4, 0.0]])
    assert np.isfinite(log_softmax(logits)).all()
    log_q = log_targets(np.array([[0, 5_000, 1]]), Target.COUNTS)
    assert np.isfinite(divergences(logits, log_q, Direction.FORWARD)).all()
    assert np.isfinite(gradient(logits, log_q, Direction.FORWARD)).all()
