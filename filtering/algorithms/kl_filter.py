"""One trial of the adversarial filter: Algorithm 1 of the MisLC paper, round by round.

In each round a classifier is trained on the posts that are present, each is scored by its loss, and
those above the mean go, unless fewer than k would remain: then the trial stops, and its last round
removes nothing. Features are standardised once, over all posts, so a post looks the same to every
round.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from filtering.algorithms.faults import FilterError, FilterFault
from filtering.algorithms.kl_loss import log_targets
from filtering.algorithms.linear_classifier import plan, train
from filtering.algorithms.rows import Floats, Positions, Scale, no_scale, scale_of
from filtering.algorithms.settings import FilterSettings
from filtering.algorithms.trials import Progress, Report, Round, StopReason, Trial

NOISE = 1e-12
"""Losses nearer to the threshold than this differ from it by rounding only, and are not above."""


def kl_trial(
    embeddings: npt.NDArray[Any],
    counts: npt.NDArray[np.integer[Any]],
    settings: FilterSettings,
    *,
    seed: int,
    progress: Report,
) -> Trial:
    """Filter posts with embeddings (posts, features) and votes (posts, labels)."""
    log_q = log_targets(counts, settings.target)
    scale = scale_of(embeddings) if settings.standardise else no_scale(embeddings.shape[1])
    generator = np.random.default_rng(seed)
    left_in = np.zeros(len(counts), dtype=np.int32)
    rounds: list[Round] = []
    scores: list[npt.NDArray[np.float64]] = []
    while True:
        number, present = len(rounds) + 1, np.flatnonzero(left_in == 0)
        losses = _losses(
            embeddings,
            present,
            log_q,
            settings,
            generator,
            scale=scale,
            progress=progress,
            number=number,
        )
        scores.append(np.full(len(counts), np.nan))
        scores[-1][present] = losses
        found, above = judge(number, losses, settings)
        rounds.append(found)
        if found.removed:
            left_in[present[above]] = number
        if stop := _stop_reason(found, settings, first_size=len(counts)):
            return Trial(seed, tuple(rounds), stop, np.array(scores), left_in)


def _losses(
    embeddings: npt.NDArray[Any],
    present: Positions,
    log_q: Floats,
    settings: FilterSettings,
    generator: np.random.Generator,
    *,
    scale: Scale,
    progress: Report,
    number: int,
) -> npt.NDArray[np.float64]:
    """The loss of each present post under a classifier that was trained on them alone."""
    size = len(present)
    course = plan(size, settings)
    classifier = train(
        embeddings,
        present,
        log_q,
        settings,
        generator,
        scale=scale,
        after_pass=lambda step: progress(Progress(number, size, step, course.passes)),
    )
    losses = classifier.losses(embeddings, present, log_q, settings)
    if not np.isfinite(losses).all():
        rate = settings.rate(embeddings.shape[1], course.steps)
        raise FilterError(FilterFault.DIVERGED, rate=f"{rate:g}")
    return losses


def judge(
    number: int, losses: npt.NDArray[np.float64], settings: FilterSettings
) -> tuple[Round, npt.NDArray[np.bool_]]:
    """What a round decides, and which of its posts are above the threshold."""
    threshold = mean_loss(losses)
    above = losses > threshold + NOISE
    remain = len(losses) - int(above.sum())
    return Round(
        number=number,
        size=len(losses),
        threshold=threshold,
        above=int(above.sum()),
        would_remain=remain,
        removed=settings.k <= remain < len(losses),
    ), above


def mean_loss(losses: npt.NDArray[np.float64]) -> float:
    """The mean, exactly rounded, and never outside the losses themselves."""
    mean = math.fsum(losses) / len(losses)
    return min(max(mean, float(losses.min())), float(losses.max()))


def _stop_reason(found: Round, settings: FilterSettings, *, first_size: int) -> StopReason | None:
    if first_size < settings.k:
        return StopReason.FEWER_THAN_K
    if not found.above:
        return StopReason.NOTHING_ABOVE
    if not found.removed:
        return StopReason.WOULD_FALL_BELOW_K
    return StopReason.ROUND_LIMIT if found.number >= settings.max_rounds else None
