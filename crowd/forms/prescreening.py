"""Parses the rules of prescreening, and decisions on candidates."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from crowd.models import PrescreeningRules, Qualification


class PrescreeningForm(forms.ModelForm):
    """The rules of a study's prescreening, and whose qualifications count here, too."""

    accepted = forms.MultipleChoiceField(
        label=gettext_lazy("Also qualified"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Whoever qualified in these studies needs no test here."),
    )

    class Meta:
        model = PrescreeningRules
        fields = (
            "pass_share",
            "min_votes",
            "min_per_label",
            "test_size",
            "max_tests",
            "approval",
        )

    def __init__(
        self,
        posted: Mapping[str, Any] | None,
        *,
        rules: PrescreeningRules,
        acceptable: Sequence[Qualification],
    ) -> None:
        super().__init__(posted, instance=rules)
        self.initial["pass_share"] = rules.pass_share.normalize()
        field = self.fields["accepted"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(str(one.pk), one.study.title) for one in acceptable]
        if rules.pk:
            field.initial = [str(one.qualification_id) for one in rules.accepted.all()]
        if not acceptable:
            del self.fields["accepted"]

    def clean_accepted(self) -> list[int]:
        """Return the ids of the qualifications."""
        return [int(number) for number in self.cleaned_data["accepted"]]

    def rules(self) -> dict[str, Any]:
        """Return the rules as the service takes them; nothing to accept is nothing accepted."""
        return {"accepted": (), **self.cleaned_data}


class DecisionForm(forms.Form):
    """Whether a candidate is approved, and why."""

    decision = forms.ChoiceField(choices=[("approve", ""), ("refuse", "")])
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=500,
        help_text=gettext_lazy("Kept on record; the candidate does not see it."),
    )

    def words(self) -> dict[str, Any]:
        """Return the decision as the service takes it."""
        return {
            "is_approved": self.cleaned_data["decision"] == "approve",
            "reason": self.cleaned_data["reason"],
        }
