"""What one trial of any method did, round by round and post by post."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from filtering.algorithms.faults import gettext_noop

NEAR = 0.01
"""Share of the threshold within which another processor might decide otherwise (docs/filter.md)."""


class StopReason(Enum):
    """Why a trial ended."""

    WOULD_FALL_BELOW_K = gettext_noop(
        "Removing the posts above the threshold would have left fewer than k."
    )
    FEWER_THAN_K = gettext_noop("There were fewer than k posts from the start.")
    NOTHING_ABOVE = gettext_noop("All losses were equal, so no post was above the threshold.")
    ROUND_LIMIT = gettext_noop("The greatest number of rounds was reached.")
    FEW_PREDICTABLE = gettext_noop(
        "Fewer posts were predictable enough than may be removed in a round."
    )
    K_REACHED = gettext_noop("k posts were left.")
    JUDGED_ONCE = gettext_noop("This method judges each post once.")

    @property
    def sentence(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a trial is: the round, the posts in it, and the steps of its training done.

    A step is one pass through the posts of the KL filter, one classifier of AFLite.
    """

    round: int
    size: int
    step: int
    steps: int


Report = Callable[[Progress], None]


def untold(progress: Progress) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the posts present, the threshold, how many were above it, and what was decided.

    `would_remain` is the number of posts without those that the round wants to remove; `removed`
    says whether it did.
    """

    number: int
    size: int
    threshold: float
    above: int
    would_remain: int
    removed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """What one trial did, post by post in the order given.

    `scores` has shape (rounds, posts), NaN where a post had left before. What it holds is the
    method's: the loss (KL), the share of predictions that were right (AFLite), the share of votes
    that are not for the top label (majority), a number drawn (random). `left_in` holds the number
    of the round in which a post was removed, 0 where it was kept.
    """

    seed: int
    rounds: tuple[Round, ...]
    stop_reason: StopReason
    scores: npt.NDArray[np.float64]
    left_in: npt.NDArray[np.int32]

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        kept: npt.NDArray[np.bool_] = self.left_in == 0
        return kept

    @property
    def last_score(self) -> npt.NDArray[np.float64]:
        """Each post's score in the last round in which it was present."""
        last = np.where(self.kept, len(self.rounds), self.left_in) - 1
        scores: npt.NDArray[np.float64] = self.scores[last, np.arange(self.scores.shape[1])]
        return scores

    def near_threshold(self, margin: float = NEAR) -> npt.NDArray[np.bool_]:
        """The posts whose score was ever within this share of the round's threshold.

        Another kind of processor adds in another order, and may decide these the other way.
        """
        thresholds = np.array([each.threshold for each in self.rounds])[:, np.newaxis]
        is_near = np.less_equal(np.abs(self.scores - thresholds), margin * thresholds)
        near: npt.NDArray[np.bool_] = np.any(is_near, axis=0)
        return near
