"""The tables of the crowd stage: label sets, instructions and who has read them, gold."""

from crowd.models.gold import GoldLabel, GoldSource
from crowd.models.instructions import Acknowledgement, Instructions
from crowd.models.labels import CrowdRound, Label, LabelSet

__all__ = [
    "Acknowledgement",
    "CrowdRound",
    "GoldLabel",
    "GoldSource",
    "Instructions",
    "Label",
    "LabelSet",
]
