"""The tables of the crowd stage: ways in, labels, instructions, gold, tests, quality, pay."""

from crowd.models.checks import Check
from crowd.models.consent import (
    BackgroundAnswer,
    BackgroundQuestion,
    Consent,
    ConsentText,
    QuestionKind,
)
from crowd.models.errands import Errand, ErrandKind, ErrandState
from crowd.models.estimates import Estimate, LikelyLabel, Reliability
from crowd.models.gold import GoldLabel, GoldSource
from crowd.models.instructions import Acknowledgement, Instructions
from crowd.models.labels import CrowdRound, Label, LabelSet
from crowd.models.ledger import EARNINGS, EntryKind, LedgerEntry, Payout, PayoutLine
from crowd.models.pay import (
    Decision,
    Dispute,
    PayApproval,
    PayRules,
    PayState,
    RejectionReason,
    SittingReview,
)
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
from crowd.models.recruitment import (
    Arrival,
    Recruit,
    Recruitment,
    RecruitmentKind,
    RecruitmentState,
    ReturnCode,
)

__all__ = [
    "EARNINGS",
    "AcceptedQualification",
    "Acknowledgement",
    "Action",
    "Approval",
    "Arrival",
    "BackgroundAnswer",
    "BackgroundQuestion",
    "Check",
    "Consent",
    "ConsentText",
    "CrowdRound",
    "Decision",
    "Dispute",
    "EntryKind",
    "Errand",
    "ErrandKind",
    "ErrandState",
    "Estimate",
    "Flag",
    "GoldLabel",
    "GoldSource",
    "Instructions",
    "Label",
    "LabelSet",
    "LedgerEntry",
    "LikelyLabel",
    "PayApproval",
    "PayRules",
    "PayState",
    "Payout",
    "PayoutLine",
    "PrescreeningOutcome",
    "PrescreeningRules",
    "PrescreeningTest",
    "Qualification",
    "Qualified",
    "QualifiedState",
    "QualityRule",
    "QuestionKind",
    "Recruit",
    "Recruitment",
    "RecruitmentKind",
    "RecruitmentState",
    "RejectionReason",
    "Reliability",
    "ReturnCode",
    "SittingReview",
    "Watched",
]
