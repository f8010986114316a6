"""How far researchers agree on the gold pool."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

SEED = 20_250_102


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
