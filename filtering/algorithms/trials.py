"""One trial of the adversarial filter: Algorithm 1 of the MisLC paper, round by round.

In each round a classifier is trained on the posts that are present, each is scored by its loss, and
those above the mean go, unless fewer than k would remain: then the trial stops, and its last round
removes nothing. Features are standardised once, over all posts, so a post looks the same to every
round. Refuses posts without votes and embeddings that are not finite.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from filtering.algorithms.faults import FilterError, FilterFault, gettext_noop
from filtering.algorithms.inputs import check_inputs
from filtering.algorithms.kl_loss import Floats, log_targets
from filtering.algorithms.linear_classifier import Positions, Scale, no_scale, scale_of, train
from filtering.algorithms.settings import FilterSettings

NOISE = 1e-12
"""Losses nearer to the threshold than this differ from it by rounding only, and are not above."""


class StopReason(Enum):
    """Why a trial ended."""

    WOULD_FALL_BELOW_K = gettext_noop(
        "Removing the posts above the threshold would have left fewer than k."
    )
    FEWER_THAN_K = gettext_noop("There were fewer than k posts from the start.")
    NOTHING_ABOVE = gettext_noop("All losses were equal, so no post was above the threshold.")
    ROUND_LIMIT = gettext_noop("The greatest number of rounds was reached.")

    @property
    def sentence(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a trial is: the round, the posts in it, and the epochs of its training done."""

    round: int
    size: int
    epoch: int
    epochs: int


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the posts present, the threshold, how many were above it, and what was decided."""

    number: int
    size: int
    threshold: float
    above: int
    would_remain: int
    removed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """What one trial did, post by post in the order given.

    `losses` has shape (rounds, posts), NaN where a post had left before; `left_in` holds the number
    of the round in which a post was removed, 0 where it was kept.
    """

    seed: int
    rounds: tuple[Round, ...]
    stop_reason: StopReason
    losses: npt.NDArray[np.float64]
    left_in: npt.NDArray[np.int32]

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        kept: npt.NDArray[np.bool_] = self.left_in == 0
        return kept

    @property
    def last_loss(self) -> npt.NDArray[np.float64]:
        """Each post's loss in the last round in which it was present."""
        last = np.where(self.kept, len(self.rounds), self.left_in) - 1
        losses: npt.NDArray[np.float64] = self.losses[last, np.arange(self.losses.shape[1])]
        return losses


def run_trial(
    embeddings: npt.NDArray[Any],
    counts: npt.NDArray[np.integer[Any]],
    settings: FilterSettings,
    *,
    seed: int,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> Trial:
    """Filter posts with embeddings of shape (posts, features) and votes of shape (posts, labels).

    The same order, settings and seed give the same trial on the same machine. `progress` is called
    after each epoch; what it raises ends the trial.
    """
    check_inputs(embeddings, counts)
    log_q = log_targets(counts, settings.target)
    scale = scale_of(embeddings) if settings.standardise else no_scale(embeddings.shape[1])
    generator = np.random.default_rng(seed)
    left_in = np.zeros(len(counts), dtype=np.int32)
    rounds: list[Round] = []
    losses: list[npt.NDArray[np.float64]] = []
    while True:
        number, present = len(rounds) + 1, np.flatnonzero(left_in == 0)
        scores = _score(
            embeddings,
            present,
            log_q,
            settings,
            generator,
            scale=scale,
            after_epoch=_teller(progress, number, len(present), settings.epochs),
        )
        losses.append(np.full(len(counts), np.nan))
        losses[-1][present] = scores
        found, above = _judge(number, scores, settings)
        rounds.append(found)
        if found.removed:
            left_in[present[above]] = number
        if stop := _stop_reason(found, settings, first_size=len(counts)):
            return Trial(seed, tuple(rounds), stop, np.array(losses), left_in)


def _teller(
    progress: Callable[[Progress], None], number: int, size: int, epochs: int
) -> Callable[[int], None]:
    return lambda epoch: progress(Progress(number, size, epoch, epochs))


def _score(
    embeddings: npt.NDArray[Any],
    present: Positions,
    log_q: Floats,
    settings: FilterSettings,
    generator: np.random.Generator,
    *,
    scale: Scale,
    after_epoch: Callable[[int], None],
) -> npt.NDArray[np.float64]:
    """The loss of each present post under a classifier that was trained on them alone."""
    classifier = train(
        embeddings, present, log_q, settings, generator, scale=scale, after_epoch=after_epoch
    )
    scores = classifier.losses(embeddings, present, log_q, settings)
    if not np.isfinite(scores).all():
        raise FilterError(FilterFault.DIVERGED, rate=settings.learning_rate)
    return scores


def _judge(
    number: int, scores: npt.NDArray[np.float64], settings: FilterSettings
) -> tuple[Round, npt.NDArray[np.bool_]]:
    threshold = mean_loss(scores)
    above = scores > threshold + NOISE
    remain = len(scores) - int(above.sum())
    return Round(
        number=number,
        size=len(scores),
        threshold=threshold,
        above=int(above.sum()),
        would_remain=remain,
        removed=settings.k <= remain < len(scores),
    ), above


def mean_loss(scores: npt.NDArray[np.float64]) -> float:
    """The mean, exactly rounded, and never outside the losses themselves."""
    mean = math.fsum(scores) / len(scores)
    return min(max(mean, float(scores.min())), float(scores.max()))


def _stop_reason(found: Round, settings: FilterSettings, *, first_size: int) -> StopReason | None:
    if first_size < settings.k:
        return StopReason.FEWER_THAN_K
    if not found.above:
        return StopReason.NOTHING_ABOVE
    if not found.removed:
        return StopReason.WOULD_FALL_BELOW_K
    return StopReason.ROUND_LIMIT if found.number >= settings.max_rounds else None
