"""AFLite as printed in WinoGrande (Sakaguchi et al. 2020, Algorithm 1): what the filter is held to.

In each round `classifiers` linear classifiers are trained, each on `train_size` posts drawn at
random, and say the label of the others. A post's predictability is the share of what was said of it
that is right. The most predictable posts at or above `tau` go, at most `slice_size` of them, until
fewer than a slice were predictable enough or k posts are left.

So it removes what a classifier finds easy, whereas the KL filter removes the posts whose votes a
classifier fits badly. The right label is the one with most votes; a post where the most votes are
shared has none, is nobody's example, is never said rightly and so stays. The last slice is cut so
that k posts are left, where the paper's may fall below. Posts of like predictability leave in an
order that is drawn.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from filtering.algorithms.rows import Floats, Positions, no_scale, scale_of
from filtering.algorithms.settings import AFLiteSettings
from filtering.algorithms.trials import Progress, Report, Round, StopReason, Trial

NO_MAJORITY = -1

Labels = npt.NDArray[np.intp]


def aflite_trial(
    embeddings: npt.NDArray[Any],
    counts: npt.NDArray[np.integer[Any]],
    settings: AFLiteSettings,
    *,
    seed: int,
    progress: Report,
) -> Trial:
    """Filter posts with embeddings (posts, features) and votes (posts, labels)."""
    scale = scale_of(embeddings) if settings.standardise else no_scale(embeddings.shape[1])
    rows, labels = scale.apply(embeddings, np.float32), majority_labels(counts)
    generator = np.random.default_rng(seed)
    left_in = np.zeros(len(counts), dtype=np.int32)
    rounds: list[Round] = []
    scores: list[npt.NDArray[np.float64]] = []
    while True:
        number, present = len(rounds) + 1, np.flatnonzero(left_in == 0)
        share = _predictability(
            rows, labels, present, settings, generator, progress=progress, number=number
        )
        scores.append(np.full(len(counts), np.nan))
        scores[-1][present] = share
        found, leaving = judge(number, share, settings, generator, first_size=len(counts))
        rounds.append(found)
        left_in[present[leaving]] = number
        if stop := _stop_reason(found, settings, first_size=len(counts)):
            return Trial(seed, tuple(rounds), stop, np.array(scores), left_in)


def load_library() -> None:
    """Import what trains the classifiers; other methods do without it, and it takes seconds."""
    import sklearn.linear_model  # noqa: F401


def majority_labels(counts: npt.NDArray[np.integer[Any]]) -> Labels:
    """The place of the label with most votes; NO_MAJORITY where several have as many."""
    most = counts == counts.max(axis=1, keepdims=True)
    labels: Labels = np.where(most.sum(axis=1) == 1, most.argmax(axis=1), NO_MAJORITY)
    return labels


def _predictability(
    rows: Floats,
    labels: Labels,
    present: Positions,
    settings: AFLiteSettings,
    generator: np.random.Generator,
    *,
    progress: Report,
    number: int,
) -> npt.NDArray[np.float64]:
    """The share of right predictions of each present post; 0 for one that was never held out."""
    size = len(present)
    held_out, right = np.zeros(size), np.zeros(size)
    train_size = min(settings.posts_to_train(), size - 1)
    for step in range(1, settings.classifiers + 1):
        order = generator.permutation(size)
        examples, others = order[:train_size], order[train_size:]
        said = _predicted(rows, labels, present[examples], present[others])
        held_out[others] += 1
        right[others] += said == labels[present[others]]
        progress(Progress(number, size, step, settings.classifiers))
    return right / np.maximum(held_out, 1)


def _predicted(rows: Floats, labels: Labels, examples: Positions, others: Positions) -> Labels:
    """What a classifier says of the others; of examples with one label it learns that label."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    examples = examples[labels[examples] != NO_MAJORITY]
    known = np.unique(labels[examples])
    if len(known) < 2:
        return np.full(len(others), known[0] if len(known) else NO_MAJORITY - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        classifier = LogisticRegression().fit(rows[examples], labels[examples])
    said: Labels = classifier.predict(rows[others])
    return said


def judge(
    number: int,
    share: npt.NDArray[np.float64],
    settings: AFLiteSettings,
    generator: np.random.Generator,
    *,
    first_size: int,
) -> tuple[Round, Positions]:
    """What a round decides, and the places of the posts that leave."""
    above = int((share >= settings.tau).sum())
    room = max(0, len(share) - settings.k)
    leaving = min(above, settings.posts_at_a_time(first_size), room)
    order = generator.permutation(len(share))
    most = order[np.argsort(-share[order], kind="stable")][:leaving]
    return Round(
        number=number,
        size=len(share),
        threshold=settings.tau,
        above=above,
        would_remain=len(share) - leaving,
        removed=leaving > 0,
    ), most


def _stop_reason(found: Round, settings: AFLiteSettings, *, first_size: int) -> StopReason | None:
    if first_size < settings.k:
        return StopReason.FEWER_THAN_K
    if found.would_remain <= settings.k:
        return StopReason.K_REACHED
    if found.above < settings.posts_at_a_time(first_size):
        return StopReason.FEW_PREDICTABLE
    return None
