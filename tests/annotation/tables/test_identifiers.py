"""Ids that are whole, and ids that a spreadsheet has eaten."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.tables import id_text, mangled_id


@pytest.mark.parametrize(
    "value",
    [
        "1.36e18", "1.36E+18", "1,36E+18", " 1.35935094335617e+18 ", "1E+18", "-2.5e+9",
        "1359350943356174337.0", 1.36e18, 1.5, float("nan"),
    ],
)  # fmt: skip
def test_a_mangled_id_is_found(value):
    assert mangled_id(value)


@pytest.mark.parametrize(
    "value",
    ["1359350943356174337", "md-train-1", "1e10", "12e5", "abc.1e5", "", 1359350943356174337, 12.0,
     None, "e18", "1.2.3"],
)  # fmt: skip
def test_a_whole_id_passes(value):
    assert not mangled_id(value)


@given(st.integers(min_value=10**17, max_value=10**19))
def test_every_float_of_a_long_id_is_found_and_the_id_itself_passes(number):
    assert mangled_id(repr(float(number)))
    assert mangled_id(float(number))
    assert not mangled_id(str(number))
    assert id_text(number) == str(number)


@pytest.mark.parametrize(
    ("value", "text"),
    [(" a ", "a"), (7, "7"), (7.0, "7"), (True, ""), (None, ""), (float("nan"), ""), ([1], "")],
)
def test_ids_become_text(value, text):
    assert id_text(value) == text
