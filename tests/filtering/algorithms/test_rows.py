"""Half precision by its bits, scales, and shuffling that reads neighbours together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filtering.algorithms import rows
from filtering.algorithms.rows import ShuffledRows, are_finite, no_scale, scale_of, widened

EVERY_HALF = np.arange(2**16, dtype=np.uint16).view(np.float16).reshape(-1, 16)


def test_every_finite_half_becomes_the_same_number():
    finite = np.isfinite(EVERY_HALF).all(axis=1)
    wide = widened(EVERY_HALF[finite])
    assert wide.dtype == np.float32
    assert np.array_equal(wide, EVERY_HALF[finite].astype(np.float32))
    assert np.array_equal(np.signbit(wide), np.signbit(EVERY_HALF[finite]))


def test_halves_that_are_no_finite_numbers_are_found():
    assert np.array_equal(are_finite(EVERY_HALF), np.isfinite(EVERY_HALF).all(axis=1))
    swapped = EVERY_HALF.astype(EVERY_HALF.dtype.newbyteorder())
    assert np.array_equal(are_finite(swapped), np.isfinite(EVERY_HALF).all(axis=1))


@pytest.mark.parametrize("dtype", ["<f2", ">f2", "f4", "f8"])
def test_widening_copies_and_keeps_the_numbers(dtype):
    given_rows = np.array([[1.5, -2.0], [0.25, 6e-8]]).astype(dtype)
    wide = widened(given_rows)
    assert not np.shares_memory(wide, given_rows)
    assert np.array_equal(wide, given_rows.astype(np.float64).astype(wide.dtype))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_scale_is_that_of_all_posts_in_any_precision(dtype):
    embeddings = (np.random.default_rng(1).standard_normal((1_300, 3)) * [1, 5, 0.1] + 2).astype(
        dtype
    )
    scale = scale_of(embeddings)
    wide = embeddings.astype(np.float64)
    assert scale.shift == pytest.approx(wide.mean(axis=0))
    assert 1 / scale.factor == pytest.approx(wide.std(axis=0))


@pytest.fixture
def small_windows(monkeypatch):
    """Chunks of 4 rows and windows of 3 chunks, for rows of 2 numbers."""
    monkeypatch.setattr(rows, "CHUNK", 4)
    monkeypatch.setattr(rows, "WINDOW_BYTES", 3 * 4 * 2 * 4)


def gone_through(shuffled, generator):
    order, read = [], []
    for positions, found, places in shuffled.windows(generator):
        order += positions[places].tolist()
        read += found[places].tolist()
    return order, read


@given(st.integers(1, 60), st.integers(0, 5))
def test_each_time_through_takes_each_present_row_once(number, seed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "CHUNK", 4)
        patch.setattr(rows, "WINDOW_BYTES", 3 * 4 * 2 * 4)
        table = np.arange(120, dtype=np.float16).reshape(60, 2)
        generator = np.random.default_rng(seed)
        present = np.sort(generator.permutation(60)[:number])
        shuffled = ShuffledRows(table, present, no_scale(2))
        for _time in range(2):
            order, read = gone_through(shuffled, generator)
            assert sorted(order) == present.tolist()
            assert read == table[order].tolist()


def test_rows_are_mixed_across_the_table_and_differently_each_time(small_windows):
    table = np.arange(2_000, dtype=np.float32).reshape(1_000, 2)
    shuffled = ShuffledRows(table, np.arange(1_000), no_scale(2))
    generator = np.random.default_rng(1)
    first, second = gone_through(shuffled, generator)[0], gone_through(shuffled, generator)[0]
    assert first != second
    assert abs(np.mean(first[:100]) - 500) < 150
    assert np.corrcoef(first, np.arange(1_000))[0, 1] < 0.2


class Watched(np.ndarray):
    """A table that notes which rows are read."""

    def __getitem__(self, asked):
        self.reads.append(np.asarray(asked))
        return np.asarray(super().__getitem__(asked))


def test_what_does_not_fit_is_read_in_runs_of_neighbours(small_windows):
    table = np.zeros((48, 2), dtype=np.float16).view(Watched)
    table.reads = []
    shuffled = ShuffledRows(table, np.arange(48), no_scale(2))
    for _window in shuffled.windows(np.random.default_rng(1)):
        pass
    assert len(table.reads) == 4
    for asked in table.reads:
        assert (asked.reshape(-1, 4) - asked.reshape(-1, 4)[:, :1] == np.arange(4)).all()


def test_what_fits_is_read_once(small_windows):
    table = np.zeros((12, 2), dtype=np.float16).view(Watched)
    table.reads = []
    shuffled = ShuffledRows(table, np.arange(12), no_scale(2))
    for _time in range(3):
        for _window in shuffled.windows(np.random.default_rng(1)):
            pass
    assert len(table.reads) == 1
