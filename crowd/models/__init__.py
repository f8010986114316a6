"""The tables of the crowd stage: labels, instructions, gold, prescreening, checks, and quality."""

from crowd.models.checks import Check
from crowd.models.estimates import Estimate, LikelyLabel, Reliability
from crowd.models.gold import GoldLabel, GoldSource
from crowd.models.instructions import Acknowledgement, Instructions
from crowd.models.labels import CrowdRound, Label, LabelSet
from crowd.models.prescreening import (
    AcceptedQualification,
    Approval,
    PrescreeningOutcome,
    PrescreeningRules,
    PrescreeningTest,
    Qualification,
    Qualified,
    QualifiedState,
)
from crowd.models.quality import Action, Flag, QualityRule, Watched

__all__ = [
    "AcceptedQualification",
    "Acknowledgement",
    "Action",
    "Approval",
    "Check",
    "CrowdRound",
    "Estimate",
    "Flag",
    "GoldLabel",
    "GoldSource",
    "Instructions",
    "Label",
    "LabelSet",
    "LikelyLabel",
    "PrescreeningOutcome",
    "PrescreeningRules",
    "PrescreeningTest",
    "Qualification",
    "Qualified",
    "QualifiedState",
    "QualityRule",
    "Reliability",
    "Watched",
]
