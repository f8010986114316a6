"""Why an expert passes a post on."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import SkipReason


class SkipForm(forms.Form):
    """Why a post is passed on."""

    reason = forms.ChoiceField(
        label=_("Reason"),
        choices=SkipReason.choices,
        error_messages={"required": _("Choose a reason.")},
    )
