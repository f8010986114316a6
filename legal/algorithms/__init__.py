"""Pure rules of the legal stage: three-valued findings, the formal definition, what is said."""

from legal.algorithms.definition import derived_label
from legal.algorithms.logic import Finding, Group, IssueRules, Leaf, contradiction, finding_of
from legal.algorithms.said import (
    EvidenceSaid,
    ExpertAnswer,
    IssueSaid,
    plain_lines,
)

__all__ = [
    "EvidenceSaid",
    "ExpertAnswer",
    "Finding",
    "Group",
    "IssueRules",
    "IssueSaid",
    "Leaf",
    "contradiction",
    "derived_label",
    "finding_of",
    "plain_lines",
]
