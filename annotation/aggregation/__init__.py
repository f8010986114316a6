"""Makes one answer out of several votes; a tie is stated as a tie, never settled by chance."""

from annotation.aggregation.majority import (
    ChoiceMajority,
    Majority,
    majority,
    majority_of_choices,
)
from annotation.aggregation.soft_labels import NoVotesError, soft_label

__all__ = [
    "ChoiceMajority",
    "Majority",
    "NoVotesError",
    "majority",
    "majority_of_choices",
    "soft_label",
]
