"""The adversarial filter as pure algorithms on arrays; knows numpy only and refuses bad input."""

from filtering.algorithms.comparison import (
    LabelMix,
    LabelShift,
    intersect,
    label_mix,
    label_shift,
    times_kept,
)
from filtering.algorithms.faults import FilterError, FilterFault
from filtering.algorithms.settings import Direction, FilterSettings, Target
from filtering.algorithms.trials import Progress, Round, StopReason, Trial, run_trial

__all__ = [
    "Direction",
    "FilterError",
    "FilterFault",
    "FilterSettings",
    "LabelMix",
    "LabelShift",
    "Progress",
    "Round",
    "StopReason",
    "Target",
    "Trial",
    "intersect",
    "label_mix",
    "label_shift",
    "run_trial",
    "times_kept",
]
