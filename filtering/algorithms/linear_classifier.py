"""A linear classifier trained by Adam with the filter's own loss; knows nothing of rounds.

Training is in float32, in shuffled batches read by position, so the embeddings may be a memory map
of any floating type and are never copied whole. Losses are computed in float64, in blocks. The
gradient is written out (see kl_loss): three times as fast here as differentiating automatically.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from filtering.algorithms.kl_loss import Floats, divergences, gradient
from filtering.algorithms.settings import FilterSettings

_BLOCK = 2_048
_DECAY_OF_MEAN, _DECAY_OF_SQUARE, _EPSILON = 0.9, 0.999, 1e-8

Positions = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Scale:
    """What is taken off each feature and what it is multiplied with."""

    shift: Floats
    factor: Floats

    def apply(self, rows: npt.NDArray[Any], dtype: npt.DTypeLike) -> Floats:
        result: Floats = rows.astype(dtype)
        result -= self.shift.astype(dtype)
        result *= self.factor.astype(dtype)
        return result


@dataclass(frozen=True, slots=True)
class LinearClassifier:
    """Weights with shape (features + 1, labels), the bias last, for features on a scale."""

    weights: Floats
    scale: Scale

    def losses(
        self,
        embeddings: npt.NDArray[Any],
        present: Positions,
        log_q: Floats,
        settings: FilterSettings,
    ) -> npt.NDArray[np.float64]:
        """The loss of each present post, in float64."""
        weights = self.weights.astype(np.float64)
        found = np.empty(len(present), dtype=np.float64)
        for start, block in _blocks(present):
            logits = self.scale.apply(embeddings[block], np.float64) @ weights[:-1] + weights[-1]
            found[start : start + len(block)] = divergences(
                logits, log_q[block], settings.direction
            )
        return found


def scale_of(embeddings: npt.NDArray[Any]) -> Scale:
    """Mean 0 and deviation 1 of each feature over all posts; a constant feature becomes 0."""
    everyone = np.arange(len(embeddings))
    total = np.zeros(embeddings.shape[1])
    for _, block in _blocks(everyone):
        total += embeddings[block].sum(axis=0, dtype=np.float64)
    mean = total / len(everyone)
    squares = np.zeros_like(mean)
    for _, block in _blocks(everyone):
        squares += ((embeddings[block].astype(np.float64) - mean) ** 2).sum(axis=0)
    deviation = np.sqrt(squares / len(everyone))
    constant = deviation <= 1e-9 * np.maximum(np.abs(mean), 1e-30)
    return Scale(shift=mean, factor=1 / np.where(constant, np.inf, deviation))


def no_scale(features: int) -> Scale:
    return Scale(shift=np.zeros(features), factor=np.ones(features))


def initial_weights(
    features: int, labels: int, generator: np.random.Generator
) -> npt.NDArray[np.float32]:
    """Uniform between ±1/√features, as PyTorch starts a linear layer."""
    bound = 1 / np.sqrt(features)
    return generator.uniform(-bound, bound, (features + 1, labels)).astype(np.float32)


def train(
    embeddings: npt.NDArray[Any],
    present: Positions,
    log_q: Floats,
    settings: FilterSettings,
    generator: np.random.Generator,
    *,
    scale: Scale,
    weights: npt.NDArray[np.float32] | None = None,
    after_epoch: Callable[[int], None] = lambda epoch: None,
) -> LinearClassifier:
    """A classifier trained on the present posts. The generator draws the start and the order."""
    features, labels = embeddings.shape[1], log_q.shape[1]
    start = initial_weights(features, labels, generator) if weights is None else weights
    optimiser = _Adam(start.copy(), settings)
    targets = log_q.astype(np.float32)
    slope = np.empty_like(start)
    for epoch in range(1, settings.epochs + 1):
        order = generator.permutation(present)
        for first in range(0, len(order), settings.batch_size):
            batch = order[first : first + settings.batch_size]
            rows = scale.apply(embeddings[batch], np.float32)
            logits = rows @ optimiser.weights[:-1] + optimiser.weights[-1]
            by_logit = gradient(logits, targets[batch], settings.direction) / len(batch)
            np.matmul(rows.T, by_logit, out=slope[:-1])
            slope[-1] = by_logit.sum(axis=0)
            optimiser.step(slope)
        after_epoch(epoch)
    return LinearClassifier(weights=optimiser.weights, scale=scale)


class _Adam:
    """Adam (Kingma and Ba, 2015), with weight decay added to the slope."""

    def __init__(self, weights: npt.NDArray[np.float32], settings: FilterSettings) -> None:
        self.weights = weights
        self._rate = settings.learning_rate
        self._weight_decay = settings.weight_decay
        self._mean = np.zeros_like(weights)
        self._square = np.zeros_like(weights)
        self._steps = 0

    def step(self, slope: npt.NDArray[np.float32]) -> None:
        self._steps += 1
        if self._weight_decay:
            slope = slope + self._weight_decay * self.weights
        self._mean *= _DECAY_OF_MEAN
        self._mean += (1 - _DECAY_OF_MEAN) * slope
        self._square *= _DECAY_OF_SQUARE
        self._square += (1 - _DECAY_OF_SQUARE) * slope * slope
        mean = self._mean / (1 - _DECAY_OF_MEAN**self._steps)
        square = self._square / (1 - _DECAY_OF_SQUARE**self._steps)
        self.weights -= self._rate * mean / (np.sqrt(square) + _EPSILON)


def _blocks(present: Positions) -> Iterator[tuple[int, Positions]]:
    for start in range(0, len(present), _BLOCK):
        yield start, present[start : start + _BLOCK]
