"""How far researchers agree on the gold pool, and what an alpha means in words."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

SEED = 20_250_102

# Krippendorff's own advice: rely on data from 0.8 up, draw tentative conclusions from 0.667 up.
RELIABLE, TENTATIVE = 0.8, 0.667


@dataclass(frozen=True)
class GoldAgreement:
    """Alpha of the pool's labels (“ambiguous” is one), and the plain share of equal pairs."""

    alpha: float | None
    interval: tuple[float, float] | None
    reason: str
    share: float | None
    pairs: int


def gold_agreement(patterns: dict[tuple[int, ...], int]) -> GoldAgreement:
    """Return the agreement on posts given as patterns of votes."""
    import numpy as np

    from annotation.agreement import krippendorff_alpha, pairwise_percent_agreement

    alpha = krippendorff_alpha(patterns, generator=np.random.default_rng(SEED))
    pairs = pairwise_percent_agreement(patterns)
    return GoldAgreement(
        alpha=alpha.alpha,
        interval=alpha.interval,
        reason=_(alpha.reason) if alpha.reason else "",
        share=pairs.share,
        pairs=pairs.pairs,
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
