"""The adversarial filter and its baselines as pure algorithms on arrays; refuses bad input.

Knows numpy, and scikit-learn inside AFLite alone.
"""

from filtering.algorithms.comparison import (
    LabelMix,
    LabelShift,
    intersect,
    label_mix,
    label_shift,
    times_kept,
)
from filtering.algorithms.faults import FilterError, FilterFault
from filtering.algorithms.methods import run_trial
from filtering.algorithms.preview import Preview, preview, previews, with_greater_k
from filtering.algorithms.settings import (
    AFLiteSettings,
    Direction,
    FilterSettings,
    MajoritySettings,
    Method,
    RandomSettings,
    Schedule,
    Settings,
    Target,
    settings_for,
)
from filtering.algorithms.side_by_side import (
    Chosen,
    SideBySide,
    VotesOf,
    VotesShift,
    side_by_side,
    votes_of,
    votes_shift,
)
from filtering.algorithms.trials import Progress, Report, Round, StopReason, Trial

__all__ = [
    "AFLiteSettings",
    "Chosen",
    "Direction",
    "FilterError",
    "FilterFault",
    "FilterSettings",
    "LabelMix",
    "LabelShift",
    "MajoritySettings",
    "Method",
    "Preview",
    "Progress",
    "RandomSettings",
    "Report",
    "Round",
    "Schedule",
    "Settings",
    "SideBySide",
    "StopReason",
    "Target",
    "Trial",
    "VotesOf",
    "VotesShift",
    "intersect",
    "label_mix",
    "label_shift",
    "preview",
    "previews",
    "run_trial",
    "settings_for",
    "side_by_side",
    "times_kept",
    "votes_of",
    "votes_shift",
    "with_greater_k",
]
