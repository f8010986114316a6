"""The expert's form: one answer to one post."""

import math
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotation.services.votes import VoteRefused
from legal.algorithms import ExpertAnswer
from legal.forms.said import citations_in, evidence_in, issues_in, spans_in
from legal.models import Confidence, Misinformation
from legal.services.checking import AnswerRefused

QUESTION_ORDER = (Misinformation.YES, Misinformation.NO, Misinformation.UNCLEAR)
MOST_TYPED = 100_000
NOT_SURE_SAID = -1
"""Stands for a confidence that cannot be read; the service refuses it."""


class ExpertForm(forms.Form):
    """An expert's answer to one post. `version` is that of the answer being corrected.

    `spent` are the active seconds before a draft was put aside; counting goes on from there.

    Issues, evidence and claims have names of their own (see `legal.forms.said`); their fields here
    only carry what is wrong with them.
    """

    label = forms.CharField(label=_("Question 1"), required=False)
    spans = forms.CharField(label=_("The claim"), required=False)
    issues = forms.CharField(label=_("Legal issues"), required=False)
    no_claim = forms.BooleanField(label=_("No factual claim"), required=False)
    defence = forms.BooleanField(label=_("A defence applies"), required=False)
    evidence = forms.CharField(label=_("Evidence"), required=False)
    citations = forms.CharField(label=_("Passages cited"), required=False)
    kind = forms.CharField(label=_("Kind of misinformation"), required=False)
    confidence = forms.CharField(label=_("How sure are you?"), required=False)
    discuss = forms.BooleanField(label=_("Look at this again together"), required=False)
    comment = forms.CharField(
        label=_("Comment"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3, "maxlength": MOST_TYPED}),
    )
    insists = forms.BooleanField(label=_("Keep my answer"), required=False)
    insistence = forms.CharField(
        label=_("Why do you keep it?"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 2, "maxlength": MOST_TYPED}),
    )
    seconds = forms.CharField(required=False, widget=forms.HiddenInput)
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        text: str,
        known: ExpertAnswer | None = None,
        version: int | None = None,
        spent: float | None = None,
    ) -> None:
        self.text = text
        self.known = known or ExpertAnswer(label="")
        initial = {
            "no_claim": self.known.no_claim,
            "defence": self.known.defence,
            "comment": self.known.comment,
            "discuss": self.known.discuss,
            "insists": self.known.insists,
            "insistence": self.known.insistence,
            "version": version,
            "seconds": spent,
        }
        super().__init__(data, initial=initial)

    def clean_seconds(self) -> float | None:
        """Return active seconds; whatever is no number is none."""
        try:
            seconds = float(self.cleaned_data["seconds"])
        except ValueError:
            return None
        return seconds if math.isfinite(seconds) else None

    @property
    def is_citing(self) -> bool:
        """Say whether the form was sent to cite a passage or to take one out, not to be stored."""
        return self.is_bound and not {"cite", "uncite"}.isdisjoint(self.data)

    def shown(self) -> ExpertAnswer:
        """Return the answer that the form shows: what was typed, else the stored one."""
        return self.typed() if self.is_bound else self.known

    def typed(self, seconds: float | None = None) -> ExpertAnswer:
        """Return what was typed, good or bad."""
        sent: Any = self.data
        return ExpertAnswer(
            label=sent.get("label", ""),
            issues=issues_in(sent),
            no_claim="no_claim" in sent,
            defence="defence" in sent,
            evidence=evidence_in(sent),
            spans=spans_in(sent, self.text),
            citations=citations_in(sent),
            kind=sent.get("kind", ""),
            confidence=confidence_in(sent.get("confidence", "")),
            comment=sent.get("comment", ""),
            discuss="discuss" in sent,
            insists="insists" in sent,
            insistence=sent.get("insistence", ""),
            seconds=seconds,
        )

    def draft(self) -> ExpertAnswer:
        """Return what was typed so far, whatever is wrong with it."""
        self.is_valid()
        return self.typed(self.cleaned_data.get("seconds"))

    def answer(self) -> ExpertAnswer:
        """Return what was sent, for the service."""
        return self.typed(self.cleaned_data["seconds"])

    def refuse(self, refusal: VoteRefused) -> None:
        """Put a refusal's sentences beside the fields that they are about."""
        if not isinstance(refusal, AnswerRefused):
            self.add_error(None, str(refusal))
            return
        for name, sentences in refusal.problems.items():
            for sentence in sentences:
                self.add_error(name, sentence)


def confidence_in(text: str) -> int | None:
    """Return how sure somebody is; None where it was not said."""
    if not text:
        return None
    known = {str(value): value for value in Confidence.values}
    return known.get(text, NOT_SURE_SAID)
