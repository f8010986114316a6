"""How far the annotators of a stage agree: the one figure that pages, commands and releases show.

The interval's bootstrap starts from a fixed seed: the same votes give the same interval everywhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Study
from annotation.queries.counts import (
    Counts,
    Rounds,
    RoundsDiffer,
    pattern_counts,
    people_in,
    rounds_of,
)

SEED = 20_250_101

# Krippendorff's own advice: rely on data from 0.8 up, draw tentative conclusions from 0.667 up.
RELIABLE, TENTATIVE = 0.8, 0.667


@dataclass(frozen=True)
class StageAgreement:
    """Krippendorff's alpha of a stage with its interval, and what it rests on.

    `posts` and `votes` are all that were voted on (None where rounds cannot be counted together),
    `paired_posts` those with two votes or more. `people` is None where only tallies are known.
    Where alpha is None, `reason` says why; where only the interval is, alpha stands alone.
    """

    alpha: float | None = None
    interval: tuple[float, float] | None = None
    posts: int | None = None
    votes: int | None = None
    people: int | None = None
    reason: str = ""
    labels: tuple[str, ...] = ()
    paired_posts: int = 0

    def figures(self) -> dict[str, Any]:
        """Return what the command prints and a release states."""
        return {
            "alpha": self.alpha,
            "interval": list(self.interval) if self.interval else None,
            "posts": self.posts,
            "votes": self.votes,
            "people": self.people,
            "reason": self.reason or None,
        }


def stage_agreement(study: Study, stage: str, number: int | None = None) -> StageAgreement:
    """Return the agreement of a stage, or of the one round with this number."""
    try:
        rounds = rounds_of(study, stage, number)
    except RoundsDiffer as difference:
        return StageAgreement(reason=str(difference))
    return rounds_agreement(rounds)


def rounds_agreement(rounds: Rounds) -> StageAgreement:
    """Return the agreement of rounds that share a label set."""
    return agreement_on(pattern_counts(rounds), rounds.labels, people=people_in(rounds))


def agreement_on(
    patterns: Mapping[Counts, int], labels: tuple[str, ...], *, people: int | None = None
) -> StageAgreement:
    """Return the agreement on posts given as patterns of votes for these labels."""
    import numpy as np

    from annotation.agreement import krippendorff_alpha

    found = krippendorff_alpha(patterns, generator=np.random.default_rng(SEED))
    return StageAgreement(
        alpha=found.alpha,
        interval=found.interval,
        posts=found.posts,
        votes=found.votes,
        people=people,
        reason=_(found.reason) if found.reason else "",
        labels=labels,
        paired_posts=found.paired_posts,
    )


def alpha_in_words(alpha: float | None) -> str:
    """Say what an alpha means; empty where it is undefined."""
    if alpha is None:
        return ""
    if alpha >= RELIABLE:
        return _("Reliable: the labels can be relied on.")
    if alpha >= TENTATIVE:
        return _("Fair: enough for tentative conclusions.")
    if alpha > 0:
        return _("Low: better than chance, too low to rely on single labels.")
    return _("None beyond chance. One label that dominates can cause this.")
