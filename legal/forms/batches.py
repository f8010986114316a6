"""What a researcher wants of a batch of the legal stage."""

from django import forms

from annotation.models import BatchState


class MoveForm(forms.Form):
    """What a batch is to become."""

    to = forms.ChoiceField(choices=BatchState.choices)
