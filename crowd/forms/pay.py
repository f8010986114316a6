"""Parses what people send to the pages of pay."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinLengthValidator, MinValueValidator
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from crowd.forms import whole
from crowd.models import EntryKind, PayApproval, PayRules, RejectionReason

# Prolific takes no shorter words with a rejection, Mechanical Turk no longer ones.
FEWEST_CHARACTERS, MOST_CHARACTERS = 100, 1_000
MOST_MONEY = Decimal(1_000_000)


class RulesForm(forms.ModelForm):
    """How a study pays."""

    approval = forms.ChoiceField(
        label=gettext_lazy("Approval"), choices=PayApproval.choices, widget=forms.RadioSelect
    )

    class Meta:
        model = PayRules
        fields = [
            "hourly_floor",
            "approval",
            "approve_after_days",
            "end_after_days",
            "screen_out",
            "prescreening_is_paid",
        ]


class ApproveForm(forms.Form):
    """Which sittings are approved: some, or all that had ended when the person looked."""

    all = forms.BooleanField(required=False)
    seen_at = forms.DateTimeField(required=False)

    def sittings(self) -> list[int]:
        """Return the sittings that are ticked; what is no number is none."""
        assert isinstance(self.data, QueryDict)
        ticked = (whole(text) for text in self.data.getlist("sitting"))
        return [one for one in ticked if one is not None]


class RejectForm(forms.Form):
    """Why a sitting is not paid."""

    reason = forms.ChoiceField(
        label=gettext_lazy("Reason"),
        choices=RejectionReason.choices,
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose a reason.")},
    )
    words = forms.CharField(
        label=gettext_lazy("In your words, to the person"),
        max_length=MOST_CHARACTERS,
        validators=[
            MinLengthValidator(
                FEWEST_CHARACTERS,
                gettext_lazy(
                    "Write at least %(limit_value)s characters; these are %(show_value)s."
                ),
            )
        ],
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=gettext_lazy(
            "100 to 1,000 characters, as platforms ask for: what was wrong, and how it shows."
        ),
    )


class ReinstateForm(forms.Form):
    """Why a rejected sitting is paid after all."""

    words = forms.CharField(
        label=gettext_lazy("In your words, to the person"),
        required=False,
        max_length=MOST_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class DisputeForm(forms.Form):
    """What somebody says against a rejection."""

    text = forms.CharField(
        label=gettext_lazy("Why is the rejection wrong?"),
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("You can say it once. A researcher reads it and answers you here."),
    )


class AnswerForm(forms.Form):
    """What a researcher answers to a dispute."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        choices=[
            ("paid", gettext_lazy("The sitting is paid after all")),
            ("rejected", gettext_lazy("The sitting stays rejected")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose one of the two.")},
    )
    answer = forms.CharField(
        label=gettext_lazy("Answer to the person"),
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 5}),
    )


class EntryForm(forms.Form):
    """A bonus or a correction. `form` tells one form from another, so that one enters once."""

    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"),
        choices=[
            (EntryKind.BONUS.value, EntryKind.BONUS.label),
            (EntryKind.CORRECTION.value, EntryKind.CORRECTION.label),
        ],
        widget=forms.RadioSelect,
        initial=EntryKind.BONUS,
    )
    amount = forms.DecimalField(
        label=gettext_lazy("Amount"),
        max_digits=12,
        decimal_places=2,
        validators=[MinValueValidator(-MOST_MONEY), MaxValueValidator(MOST_MONEY)],
        help_text=gettext_lazy("A correction may be negative: it takes something away."),
    )
    reason = forms.CharField(
        label=gettext_lazy("What for"),
        max_length=1_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("The person reads it beside the amount."),
    )
    form = forms.UUIDField(widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Refuse a bonus that takes something away."""
        cleaned: dict[str, Any] = super().clean() or {}
        amount = cleaned.get("amount")
        if amount is not None and amount <= 0 and cleaned.get("kind") == EntryKind.BONUS:
            self.add_error("amount", _("A bonus is more than nothing."))
        return cleaned


class PayoutForm(forms.Form):
    """What somebody has seen in the preview of a payout; no people means everybody."""

    currency = forms.CharField(max_length=3)
    people = forms.CharField(required=False)
    last_entry = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    expected = forms.DecimalField(max_digits=14, decimal_places=2)

    def pseudonyms(self) -> list[str]:
        """Return whom the payout is for; none for everybody."""
        return [name for name in self.cleaned_data["people"].split(",") if name]


class TryAgainForm(forms.Form):
    """What Prolific is asked for once more: one thing, or all that was not done."""

    errand = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class ErrandForm(forms.Form):
    """What became of something that Prolific did not do, or perhaps did."""

    outcome = forms.ChoiceField(
        choices=[
            ("done", gettext_lazy("Prolific did it")),
            ("again", gettext_lazy("It did not: ask again")),
            ("set_aside", gettext_lazy("Set aside")),
        ]
    )
