"""Reads embeddings in blocks and in shuffled windows; never holds more than a window of them.

A table of half-precision numbers is what the database stores, and at a million posts it lies on
disk as a memory map. numpy widens halves one by one; a few operations on whole blocks of bits give
the same numbers several times as fast.

Shuffling: drawing each batch from the whole table would seek once for every row. So the present
rows are cut into chunks of neighbours, the chunks are shuffled, as many as fill a window are read
together, and the rows are shuffled within the window. A table that fits into one window is read
once for a training and shuffled as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

BLOCK = 512
CHUNK = 256
WINDOW_BYTES = 64 * 2**20

Floats = npt.NDArray[np.floating[Any]]
Positions = npt.NDArray[np.intp]

_EXPONENT = np.uint16(0x7C00)
_SIGN_AND_REST = np.int32(-0x70000001)
_BIAS = np.float32(2.0**112)


def widened(rows: npt.NDArray[Any]) -> Floats:
    """Rows as float32 (finite halves, exactly) or as they are (float32, float64); a copy."""
    if rows.dtype != np.float16 or not rows.dtype.isnative:
        return rows.astype(np.float64 if rows.dtype == np.float64 else np.float32)
    bits = rows.view(np.int16).astype(np.int32)
    bits <<= 13  # sign extension leaves the sign on top, exponent and fraction in float32's places
    bits &= _SIGN_AND_REST
    wide: npt.NDArray[np.float32] = bits.view(np.float32)
    wide *= _BIAS
    return wide


def are_finite(rows: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Whether all numbers of each row are finite."""
    if rows.dtype == np.float16 and rows.dtype.isnative:
        exponents = rows.view(np.uint16) & _EXPONENT
        result: npt.NDArray[np.bool_] = (exponents != _EXPONENT).all(axis=1)
    else:
        result = np.isfinite(rows).all(axis=1)
    return result


def blocks(present: Positions) -> Iterator[tuple[int, Positions]]:
    """The positions in blocks, each with the place of its first in `present`."""
    for start in range(0, len(present), BLOCK):
        yield start, present[start : start + BLOCK]


@dataclass(frozen=True, slots=True)
class Scale:
    """What is taken off each feature and what it is multiplied with."""

    shift: Floats
    factor: Floats

    def apply(self, rows: npt.NDArray[Any], dtype: npt.DTypeLike) -> Floats:
        result: Floats = widened(rows).astype(dtype, copy=False)
        result -= self.shift.astype(dtype)
        result *= self.factor.astype(dtype)
        return result


def scale_of(embeddings: npt.NDArray[Any]) -> Scale:
    """Mean 0 and deviation 1 of each feature over all posts; a constant feature becomes 0."""
    everyone = np.arange(len(embeddings))
    total = np.zeros(embeddings.shape[1])
    for start, block in blocks(everyone):
        rows = widened(embeddings[start : start + len(block)])
        total += rows.sum(axis=0, dtype=np.float64)
    mean = total / len(everyone)
    squares = np.zeros_like(mean)
    for start, block in blocks(everyone):
        rows = widened(embeddings[start : start + len(block)]).astype(np.float64, copy=False)
        rows -= mean
        squares += np.einsum("ij,ij->j", rows, rows)
    deviation = np.sqrt(squares / len(everyone))
    constant = deviation <= 1e-9 * np.maximum(np.abs(mean), 1e-30)
    return Scale(shift=mean, factor=1 / np.where(constant, np.inf, deviation))


def no_scale(features: int) -> Scale:
    return Scale(shift=np.zeros(features), factor=np.ones(features))


class ShuffledRows:
    """The present rows on a scale in float32, in another order each time they are gone through."""

    def __init__(self, embeddings: npt.NDArray[Any], present: Positions, scale: Scale) -> None:
        features = embeddings.shape[1]
        self._embeddings, self._scale = embeddings, scale
        in_window = max(CHUNK, WINDOW_BYTES // (4 * max(1, features)))
        self._fits = len(present) <= in_window
        chunk = len(present) if self._fits else CHUNK
        self._chunks = [present[start : start + chunk] for start in range(0, len(present), chunk)]
        self._chunks_in_window = max(1, in_window // chunk)
        self._window = np.empty((min(len(present), in_window), features), dtype=np.float32)
        if self._fits:
            self._read(present)

    def windows(
        self, generator: np.random.Generator
    ) -> Iterator[tuple[Positions, Floats, Positions]]:
        """Once through: the positions in a window, their rows, and an order to take these in.

        The rows are overwritten by those of the next window.
        """
        order = generator.permutation(len(self._chunks))
        for start in range(0, len(order), self._chunks_in_window):
            chosen = np.sort(order[start : start + self._chunks_in_window])
            positions = np.concatenate([self._chunks[chunk] for chunk in chosen])
            if not self._fits:
                self._read(positions)
            yield positions, self._window, generator.permutation(len(positions))

    def _read(self, positions: Positions) -> None:
        for start, block in blocks(positions):
            rows = self._scale.apply(self._embeddings[block], np.float32)
            self._window[start : start + len(block)] = rows
