"""The tables of the legal stage: the catalogue, which round uses it, and what experts answered,
and the evidence that they named."""

from legal.models.adjudication import Decision, Remark
from legal.models.answer_drafts import AnswerDraft
from legal.models.answers import (
    FINDINGS,
    Citation,
    ClaimSpan,
    Confidence,
    CriterionAnswer,
    Evidence,
    IssueAnswer,
    LegalAnswer,
    Stance,
)
from legal.models.archive import MISSED, ArchivedPage, PageState
from legal.models.attachments import Attachment
from legal.models.catalogues import Catalogue, Criterion, CriterionKind, Issue, Rule, Topic
from legal.models.drafts import CatalogueDraft
from legal.models.library import (
    DocumentState,
    LibraryDocument,
    LibraryVersion,
    Passage,
    SourceType,
    VersionDocument,
)
from legal.models.practice import PracticePost, PracticeResult
from legal.models.rounds import LABELS, GuideRead, LegalRound, Misinformation, Y
from legal.models.settings import LegalSettings, TieRule, Wanted

__all__ = [
    "FINDINGS",
    "LABELS",
    "MISSED",
    "AnswerDraft",
    "ArchivedPage",
    "Attachment",
    "Catalogue",
    "CatalogueDraft",
    "Citation",
    "ClaimSpan",
    "Confidence",
    "Criterion",
    "CriterionAnswer",
    "CriterionKind",
    "Decision",
    "DocumentState",
    "Evidence",
    "GuideRead",
    "Issue",
    "IssueAnswer",
    "LegalAnswer",
    "LegalRound",
    "LegalSettings",
    "LibraryDocument",
    "LibraryVersion",
    "Misinformation",
    "PageState",
    "Passage",
    "PracticePost",
    "PracticeResult",
    "Remark",
    "Rule",
    "SourceType",
    "Stance",
    "TieRule",
    "Topic",
    "VersionDocument",
    "Wanted",
    "Y",
]
