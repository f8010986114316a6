"""A linear classifier trained by Adam with the filter's own loss; knows nothing of rounds.

Training is in float32, in shuffled batches (see `rows` for how a table on disk is shuffled). Losses
are computed in float64, in blocks. The gradient is written out (see kl_loss): three times as fast
here as differentiating automatically.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from filtering.algorithms.kl_loss import divergences, gradient
from filtering.algorithms.rows import Floats, Positions, Scale, ShuffledRows, blocks
from filtering.algorithms.settings import FilterSettings, Schedule

_DECAY_OF_MEAN, _DECAY_OF_SQUARE, _EPSILON = 0.9, 0.999, 1e-8


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
        for start, block in blocks(present):
            logits = self.scale.apply(embeddings[block], np.float64) @ weights[:-1] + weights[-1]
            found[start : start + len(block)] = divergences(
                logits, log_q[block], settings.direction
            )
        return found


def initial_weights(
    features: int, labels: int, generator: np.random.Generator
) -> npt.NDArray[np.float32]:
    """Uniform between ±1/√features, as PyTorch starts a linear layer."""
    bound = 1 / np.sqrt(features)
    return generator.uniform(-bound, bound, (features + 1, labels)).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a training goes through the posts: how often, and in batches of how many."""

    passes: int
    batch_size: int
    steps: int


def plan(posts: int, settings: FilterSettings) -> Plan:
    """The passes and batches that were asked for, or what `most_steps` allows of them."""
    batch_size = max(settings.batch_size, -(-posts // settings.most_steps))
    steps_of_a_pass = -(-posts // batch_size)
    passes = min(settings.epochs, settings.most_steps // steps_of_a_pass)
    return Plan(passes, batch_size, steps=passes * steps_of_a_pass)


def train(
    embeddings: npt.NDArray[Any],
    present: Positions,
    log_q: Floats,
    settings: FilterSettings,
    generator: np.random.Generator,
    *,
    scale: Scale,
    weights: npt.NDArray[np.float32] | None = None,
    after_pass: Callable[[int], None] = lambda done: None,
) -> LinearClassifier:
    """A classifier trained on the present posts. The generator draws the start and the order."""
    features, labels = embeddings.shape[1], log_q.shape[1]
    start = initial_weights(features, labels, generator) if weights is None else weights
    course = plan(len(present), settings)
    optimiser = _Adam(
        start.copy(),
        settings,
        rate=settings.rate(features, course.steps),
        rows_to_come=len(present) * course.passes,
    )
    targets = log_q.astype(np.float32)
    shuffled = ShuffledRows(embeddings, present, scale)
    for done in range(1, course.passes + 1):
        for positions, rows, order in shuffled.windows(generator):
            in_window = targets[positions]
            for first in range(0, len(order), course.batch_size):
                batch = order[first : first + course.batch_size]
                optimiser.step(rows[batch], in_window[batch])
        after_pass(done)
    return LinearClassifier(weights=optimiser.weights, scale=scale)


class _Adam:
    """Adam (Kingma and Ba, 2015), with weight decay added to the slope.

    On the linear schedule the rate falls with the share of rows that are still to come.
    """

    def __init__(
        self,
        weights: npt.NDArray[np.float32],
        settings: FilterSettings,
        *,
        rate: float,
        rows_to_come: int,
    ) -> None:
        self.weights = weights
        self._settings = settings
        self._rate = rate
        self._rows = self._rows_to_come = rows_to_come
        self._mean = np.zeros_like(weights)
        self._square = np.zeros_like(weights)
        self._slope = np.empty_like(weights)
        self._change = np.empty_like(weights)
        self._steps = 0

    def step(self, rows: Floats, log_q: Floats) -> None:
        """Move the weights by what a batch says."""
        logits = rows @ self.weights[:-1] + self.weights[-1]
        by_logit = gradient(logits, log_q, self._settings.direction) / len(rows)
        np.matmul(rows.T, by_logit, out=self._slope[:-1])
        self._slope[-1] = by_logit.sum(axis=0)
        if self._settings.weight_decay:
            self._slope += self._settings.weight_decay * self.weights
        is_linear = self._settings.schedule is Schedule.LINEAR
        self._move(self._rate * (self._rows_to_come / self._rows if is_linear else 1))
        self._rows_to_come -= len(rows)

    def _move(self, rate: float) -> None:
        self._steps += 1
        slope, change = self._slope, self._change
        self._mean *= _DECAY_OF_MEAN
        self._mean += np.multiply(slope, 1 - _DECAY_OF_MEAN, out=change)
        self._square *= _DECAY_OF_SQUARE
        np.multiply(slope, slope, out=change)
        self._square += np.multiply(change, 1 - _DECAY_OF_SQUARE, out=change)
        np.divide(self._square, 1 - _DECAY_OF_SQUARE**self._steps, out=change)
        np.sqrt(change, out=change)
        change += _EPSILON
        np.divide(self._mean, change, out=change)
        change *= rate / (1 - _DECAY_OF_MEAN**self._steps)
        self.weights -= change
