"""Parses what experts and researchers send; what may be stored is the services' decision."""

import math
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import BatchState, SkipReason
from annotation.services.votes import VoteRefused
from legal.models import LegalAnswer, Misinformation
from legal.services.answers import AnswerRefused, ExpertAnswer

QUESTION_ORDER = (Misinformation.YES, Misinformation.NO, Misinformation.UNCLEAR)
MOST_TYPED = 100_000


class CodesField(forms.MultipleChoiceField):
    """Any codes; the service knows which the catalogue has."""

    def valid_value(self, value: Any) -> bool:
        """Take every text."""
        return isinstance(value, str)


class ExpertForm(forms.Form):
    """An expert's answer to one post. `version` is that of the answer being corrected."""

    label = forms.ChoiceField(
        label=_("Question 1"),
        choices=[(choice.value, choice.label) for choice in QUESTION_ORDER],
        required=False,
        widget=forms.RadioSelect,
    )
    issues = CodesField(label=_("Legal issues"), required=False)
    no_claim = forms.BooleanField(label=_("No factual claim"), required=False)
    defence = forms.BooleanField(label=_("A defence applies"), required=False)
    evidence = forms.CharField(
        label=_("Evidence"),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 3, "maxlength": MOST_TYPED, "inputmode": "url", "spellcheck": "false"}
        ),
        help_text=_("Addresses of web pages, one on each line."),
    )
    comment = forms.CharField(
        label=_("Comment"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3, "maxlength": MOST_TYPED}),
    )
    seconds = forms.CharField(required=False, widget=forms.HiddenInput)
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def clean_seconds(self) -> float | None:
        """Return active seconds; whatever is no number is none."""
        try:
            seconds = float(self.cleaned_data["seconds"])
        except ValueError:
            return None
        return seconds if math.isfinite(seconds) else None

    def answer(self) -> ExpertAnswer:
        """Return what was sent, for the service."""
        given = self.cleaned_data
        return ExpertAnswer(
            label=given["label"],
            issues=tuple(given["issues"]),
            no_claim=given["no_claim"],
            defence=given["defence"],
            evidence=tuple(given["evidence"].splitlines()),
            comment=given["comment"],
            seconds=given["seconds"],
        )

    def refuse(self, refusal: VoteRefused) -> None:
        """Put a refusal's sentences beside the fields that they are about."""
        if not isinstance(refusal, AnswerRefused):
            self.add_error(None, str(refusal))
            return
        for name, sentences in refusal.problems.items():
            for sentence in sentences:
                self.add_error(name, sentence)


def initial_of(answer: LegalAnswer) -> dict[str, Any]:
    """Return a stored answer as the form shows it."""
    return {
        "label": answer.vote.label,
        "issues": [raised.issue.code for raised in answer.raised.all()],
        "no_claim": answer.no_claim,
        "defence": answer.defence,
        "evidence": "\n".join(evidence.url for evidence in answer.evidence.all()),
        "comment": answer.comment,
        "version": answer.vote.version,
    }


class SkipForm(forms.Form):
    """Why a post is passed on."""

    reason = forms.ChoiceField(
        label=_("Reason"),
        choices=SkipReason.choices,
        error_messages={"required": _("Choose a reason.")},
    )


class MoveForm(forms.Form):
    """What a batch is to become."""

    to = forms.ChoiceField(choices=BatchState.choices)
