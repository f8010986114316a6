"""A study's own rules for its legal stage, as a researcher types them."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from legal.models import LegalSettings, Wanted

MOST_KINDS = 30


class LinesField(forms.CharField):
    """A list of short texts, one on each line."""

    widget = forms.Textarea(attrs={"rows": 7})

    def prepare_value(self, value: Any) -> Any:
        """Return a list as lines."""
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        """Return the lines that say something, each once."""
        lines = [line.strip() for line in super().clean(value).splitlines()]
        return list(dict.fromkeys(line for line in lines if line))


class SettingsForm(forms.ModelForm):
    """What a study asks of its experts."""

    kinds = LinesField(
        label=gettext_lazy("Kinds of misinformation"),
        required=False,
        help_text=gettext_lazy("One on each line. Left empty, experts are not asked for the kind."),
    )
    wanted = forms.MultipleChoiceField(
        label=gettext_lazy("Required of each answer"),
        required=False,
        choices=Wanted.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Question 1 and the ticks always are. Whatever else you require takes experts time."
        ),
    )
    shown_metadata = LinesField(
        label=gettext_lazy("Columns shown beside the post"),
        required=False,
        help_text=gettext_lazy("Names of columns, one on each line, such as the post's date."),
    )

    class Meta:
        model = LegalSettings
        fields = [
            "kinds",
            "wanted",
            "shown_metadata",
            "tie_rule",
            "ceiling_votes",
            "weekly_hours",
            "parked_posts",
            "parking_days",
        ]

    def clean_kinds(self) -> list[str]:
        """Refuse kinds too many or too long."""
        kinds: list[str] = self.cleaned_data["kinds"]
        if len(kinds) > MOST_KINDS:
            raise forms.ValidationError(_("Give at most %s kinds.") % MOST_KINDS)
        long = [kind for kind in kinds if len(kind) > 100]
        if long:
            raise forms.ValidationError(
                _("“%s…” has more than 100 characters; a kind is a few words.") % long[0][:40]
            )
        return kinds
