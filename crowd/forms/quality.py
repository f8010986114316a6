"""Parses what researchers send about checks, rules, and the people whom they concern."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from annotation.models import StandingState
from crowd.models import QualityRule
from crowd.models.labels import MOST_CHECKS


class StandingForm(forms.Form):
    """Whether somebody may work, and why that changes."""

    state = forms.ChoiceField(
        choices=[(state, StandingState(state).label) for state in ("active", "paused")]
    )
    reason = forms.CharField(required=False, max_length=2_000)


class WhyForm(forms.Form):
    """Why somebody is dismissed, or qualifies anew."""

    reason = forms.CharField(
        label=gettext_lazy("Why?"),
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("It stays on record. Only researchers read it."),
    )


class RuleForm(forms.ModelForm):
    """A rule about the quality of work."""

    class Meta:
        model = QualityRule
        fields = ("watched", "over", "threshold", "action", "is_active")
        help_texts = {
            "over": gettext_lazy("Nothing follows before there are as many."),
            "threshold": gettext_lazy(
                "A share from 0 to 1 (0.7 is 70%), or seconds. The rule acts below it; for skips, "
                "above it."
            ),
        }


class FlagForm(forms.Form):
    """How a flag was settled."""

    note = forms.CharField(required=False, max_length=2_000)


class ChecksForm(forms.Form):
    """Which posts serve as checks."""

    checks = forms.TypedMultipleChoiceField(required=False, coerce=int)

    def __init__(self, *args: Any, known: Sequence[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["checks"]
        assert isinstance(field, forms.TypedMultipleChoiceField)
        field.choices = [(gold, gold) for gold in known]


class ShareForm(forms.Form):
    """What percentage of a sitting's posts are checks."""

    percent = forms.IntegerField(min_value=0, max_value=round(100 * MOST_CHECKS))


class AttentionForm(forms.Form):
    """A post that asks for a certain answer."""

    text = forms.CharField(
        label=gettext_lazy("Text"),
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy(
            "It reads like a post, and somewhere asks for one answer: “… if you read this, choose "
            "Not checkworthy”."
        ),
    )
    label = forms.ChoiceField(
        label=gettext_lazy("The answer that it asks for"), widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, labels: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["label"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(labels)
