"""The tables of the crowd stage: labels, instructions and who has read them, gold, prescreening."""

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

__all__ = [
    "AcceptedQualification",
    "Acknowledgement",
    "Approval",
    "CrowdRound",
    "GoldLabel",
    "GoldSource",
    "Instructions",
    "Label",
    "LabelSet",
    "PrescreeningOutcome",
    "PrescreeningRules",
    "PrescreeningTest",
    "Qualification",
    "Qualified",
    "QualifiedState",
]
