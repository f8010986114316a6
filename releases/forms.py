"""Parses what people choose for a release."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Batch
from filtering.queries.voted_posts import label_sets_differ
from releases.choices import Texts
from releases.models import TEXTS
from releases.services.cards import LONGEST_SECTION


class RoundForm(forms.Form):
    """Which crowd round is counted, where one must be chosen."""

    crowd_round = forms.TypedChoiceField(
        label=gettext_lazy("Crowd round"), coerce=int, empty_value=None
    )

    def __init__(self, *args: Any, rounds: list[Batch], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not label_sets_differ(rounds):
            del self.fields["crowd_round"]
            return
        field = self.fields["crowd_round"]
        assert isinstance(field, forms.TypedChoiceField)
        field.help_text = _("The rounds have different labels, so one of them is counted.")
        field.choices = [
            (batch.number, f"{batch.number}: {', '.join(batch.labels)}") for batch in rounds
        ]


class ReleaseForm(RoundForm):
    """What of the texts is released, and which crowd round where one must be chosen."""

    field_order = ("texts", "crowd_round")
    texts = forms.ChoiceField(
        label=gettext_lazy("Texts"),
        choices=TEXTS,
        initial=Texts.CLEANED,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Some platforms allow only ids to be passed on."),
    )


class SectionForm(forms.Form):
    """A researcher's own text of a section; `seen` marks the one that was there before."""

    text = forms.CharField(
        label=gettext_lazy("Text"),
        widget=forms.Textarea(attrs={"rows": 14}),
        max_length=LONGEST_SECTION,
        help_text=gettext_lazy("Markdown, in English: a release is read far from here."),
    )
    seen = forms.CharField(widget=forms.HiddenInput)


class TermsForm(forms.Form):
    """Licence and citation, which a new release begins with."""

    licence = forms.CharField(
        label=gettext_lazy("Licence"),
        max_length=200,
        required=False,
        help_text=gettext_lazy(
            "An SPDX identifier such as CC-BY-4.0, CC-BY-NC-4.0 or ODbL-1.0, or words of your own."
        ),
    )
    citation = forms.CharField(
        label=gettext_lazy("Citation"),
        max_length=5_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("How to cite the dataset, best as BibTeX."),
    )
