"""The tables of the legal stage: the catalogue, which round uses it, and what experts answered."""

from legal.models.answers import Evidence, LegalAnswer, RaisedIssue
from legal.models.catalogues import Catalogue, Criterion, CriterionKind, Issue, Rule, Topic
from legal.models.drafts import CatalogueDraft
from legal.models.rounds import LABELS, GuideRead, LegalRound, Misinformation, Y

__all__ = [
    "LABELS",
    "Catalogue",
    "CatalogueDraft",
    "Criterion",
    "CriterionKind",
    "Evidence",
    "GuideRead",
    "Issue",
    "LegalAnswer",
    "LegalRound",
    "Misinformation",
    "RaisedIssue",
    "Rule",
    "Topic",
    "Y",
]
