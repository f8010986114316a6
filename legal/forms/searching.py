"""What an expert looks for among their own answers."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from legal.models import Misinformation

MOST_WORDS = 200


class OwnSearchForm(forms.Form):
    """Words, answer, issue, and the mark for another look. What cannot be read filters nothing."""

    q = forms.CharField(
        label=_("Words in post or comment"),
        required=False,
        max_length=MOST_WORDS,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    label = forms.ChoiceField(
        label=_("Answer"), required=False, choices=[("", _("any")), *Misinformation.choices]
    )
    issue = forms.ChoiceField(label=_("Issue"), required=False)
    discuss = forms.BooleanField(label=_("To look at together"), required=False)

    def __init__(self, data: QueryDict, *, issues: Iterable[tuple[str, str]]) -> None:
        super().__init__(data)
        self.fields["issue"] = forms.ChoiceField(
            label=_("Issue"), required=False, choices=[("", _("any")), *issues]
        )

    def wanted(self) -> dict[str, Any]:
        """Return what is looked for, by name; what was left empty or cannot be read is not."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}
