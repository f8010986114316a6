"""Pure rules of the legal stage: three-valued findings, the formal definition, what is said."""

from legal.algorithms.comparison import Comparison, compare
from legal.algorithms.definition import derived_label
from legal.algorithms.logic import Finding, Group, IssueRules, Leaf, contradiction, finding_of
from legal.algorithms.said import (
    CitationSaid,
    EvidenceSaid,
    ExpertAnswer,
    IssueSaid,
    answer_from,
    plain_data,
    plain_lines,
)

__all__ = [
    "CitationSaid",
    "Comparison",
    "EvidenceSaid",
    "ExpertAnswer",
    "Finding",
    "Group",
    "IssueRules",
    "IssueSaid",
    "Leaf",
    "answer_from",
    "compare",
    "contradiction",
    "derived_label",
    "finding_of",
    "plain_data",
    "plain_lines",
]
