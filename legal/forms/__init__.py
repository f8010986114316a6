"""Parses what experts and researchers send; what may be stored is the services' decision."""

from legal.forms.adjudication import DecisionForm, RemarkForm
from legal.forms.batches import MoveForm
from legal.forms.evidence import AttachmentForm, EvidenceFilter
from legal.forms.expert import QUESTION_ORDER, ExpertForm
from legal.forms.practice import ChooseForm, ModelAnswerForm, WriteForm
from legal.forms.said import cited_lines, revision_in
from legal.forms.said import told as spans_told
from legal.forms.searching import OwnSearchForm
from legal.forms.settings import SettingsForm
from legal.forms.skipping import SkipForm

__all__ = [
    "QUESTION_ORDER",
    "AttachmentForm",
    "ChooseForm",
    "DecisionForm",
    "EvidenceFilter",
    "ExpertForm",
    "ModelAnswerForm",
    "MoveForm",
    "OwnSearchForm",
    "RemarkForm",
    "SettingsForm",
    "SkipForm",
    "WriteForm",
    "cited_lines",
    "revision_in",
    "spans_told",
]
