"""Measures how far annotators agree; an undefined number is None with a reason, never a guess."""

from annotation.agreement.alpha import Agreement, Undefined, krippendorff_alpha
from annotation.agreement.pairwise import (
    PairwiseAgreement,
    pair_matrix,
    pairwise_percent_agreement,
)
from annotation.agreement.patterns import Patterns, count_patterns

__all__ = [
    "Agreement",
    "PairwiseAgreement",
    "Patterns",
    "Undefined",
    "count_patterns",
    "krippendorff_alpha",
    "pair_matrix",
    "pairwise_percent_agreement",
]
