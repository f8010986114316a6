"""Bins: each value has one, and no axis is without width."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from annotation.charts import bins

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


@given(NUMBERS, NUMBERS, st.booleans(), st.integers(2, 60))
def test_edges_ascend_and_there_are_as_many_bins_as_asked_for(one, other, is_log, count):
    low, high = sorted((one, other))
    at = bins(low, high, is_log=is_log, count=count)
    assert at.count == count and len(at.inner) == count - 1
    assert at.edges[0] < at.edges[-1] and (np.diff(at.edges) >= 0).all()
    assert not at.is_log or at.edges[0] > 0


@given(st.lists(st.floats(1e-12, 1e3), min_size=1, max_size=50), st.booleans())
def test_each_value_lies_in_one_bin(values, is_log):
    at = bins(min(values), max(values), is_log=is_log)
    places = np.searchsorted(at.inner, values, side="right")
    assert np.bincount(places, minlength=at.count).sum() == len(values)


def test_a_logarithmic_axis_has_at_most_five_decades():
    at = bins(1e-30, 1, is_log=True)
    assert math.isclose(at.edges[0], 1e-5) and math.isclose(at.edges[-1], 1)
    assert [round(math.log10(power)) for power in at.decades] == [-5, -4, -3, -2, -1, 0]


def test_an_axis_of_zeros_is_a_plain_one_and_has_no_decades():
    at = bins(0, 0, is_log=True)
    assert (at.edges[0], at.edges[-1], at.is_log, at.decades) == (-0.5, 0.5, False, [])
    assert not bins(0, 5e-324, is_log=True).is_log


def test_where_fewer_than_two_powers_of_ten_lie_there_are_none_to_mark():
    assert bins(2, 9, is_log=True).decades == []
    assert bins(2, 20, is_log=True).decades == []


def test_what_lies_beyond_the_axis_is_marked_at_its_end():
    at = bins(0, 10)
    assert [at.clamped(value) for value in (-1, 5, 11)] == [0, 5, 10]
