"""Parses what people choose for a release."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Batch
from filtering.queries.voted_posts import label_sets_differ
from releases.choices import Texts
from releases.models import TEXTS


class ReleaseForm(forms.Form):
    """What of the texts is released, and which crowd round where one must be chosen."""

    texts = forms.ChoiceField(
        label=gettext_lazy("Texts"),
        choices=TEXTS,
        initial=Texts.CLEANED,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Some platforms allow only ids to be passed on."),
    )
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
        field.help_text = _("The rounds have different labels, so the dataset shows one of them.")
        field.choices = [
            (batch.number, f"{batch.number}: {', '.join(batch.labels)}") for batch in rounds
        ]
