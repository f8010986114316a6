"""Parses what people send about ways into a study."""

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from crowd.models import RecruitmentKind, RecruitmentState

MOST_PEOPLE = 1_000_000
PARAMETER = RegexValidator(
    r"\A[A-Za-z][A-Za-z0-9_-]{0,39}\Z", gettext_lazy("Letters, digits, _ and - only.")
)
CODE = RegexValidator(
    r"\A[A-Za-z0-9_-]{6,40}\Z", gettext_lazy("6 to 40 letters, digits, _ and - only.")
)
STUDY_ID = RegexValidator(r"\A[A-Za-z0-9]{1,64}\Z", gettext_lazy("Letters and digits only."))


class RecruitmentForm(forms.Form):
    """A new way into a study."""

    kind = forms.ChoiceField(
        label=gettext_lazy("Where the people come from"),
        choices=RecruitmentKind.choices,
        widget=forms.RadioSelect,
        initial=RecruitmentKind.LINK,
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=100,
        help_text=gettext_lazy("Only researchers see it."),
    )
    places = forms.IntegerField(
        label=gettext_lazy("Places"),
        required=False,
        min_value=1,
        max_value=MOST_PEOPLE,
        help_text=gettext_lazy("How many people at most. Left empty, there is no limit."),
    )
    sitting_size = forms.IntegerField(
        label=gettext_lazy("Posts in a sitting"),
        required=False,
        min_value=1,
        max_value=10_000,
        help_text=gettext_lazy("Left empty, as many as the protocol says."),
    )
    external_study_id = forms.CharField(
        label=gettext_lazy("Prolific: id of the study"),
        required=False,
        validators=[STUDY_ID],
        help_text=gettext_lazy(
            "Only links of that study are taken then, and it can be published and paused from here."
        ),
    )
    panel = forms.CharField(
        label=gettext_lazy("Panel: its name"),
        required=False,
        max_length=30,
        help_text=gettext_lazy("The same id in ways of the same panel is the same person."),
    )
    id_parameter = forms.CharField(
        label=gettext_lazy("Panel: parameter with the id"),
        required=False,
        initial="id",
        validators=[PARAMETER],
    )
    signature_parameter = forms.CharField(
        label=gettext_lazy("Panel: parameter with the signature"),
        required=False,
        validators=[PARAMETER],
        help_text=gettext_lazy(
            "For panels that can sign: HMAC-SHA-256 of the id, in hexadecimal, with the secret "
            "that the way's page shows. Without it, an id proves nothing about who opens the link."
        ),
    )
    completion_code = forms.CharField(
        label=gettext_lazy("Completion code"),
        required=False,
        validators=[CODE],
        help_text=gettext_lazy("Of the platform, if it gives one. Left empty, one is made."),
    )
    screen_out_code = forms.CharField(
        label=gettext_lazy("Screen-out code"),
        required=False,
        validators=[CODE],
        help_text=gettext_lazy("For who does not pass the prescreening. Left empty, one is made."),
    )

    def clean(self) -> dict[str, Any]:
        """Refuse one code for two outcomes."""
        codes = {self.cleaned_data.get(name) for name in ("completion_code", "screen_out_code")}
        if len(codes) == 1 and codes != {""} and codes != {None}:
            self.add_error("screen_out_code", _("The two codes must differ."))
        return self.cleaned_data


class RecruitmentMoveForm(forms.Form):
    """Whether a way in is opened, paused or closed."""

    to = forms.ChoiceField(choices=RecruitmentState.choices)


class PlatformForm(forms.Form):
    """What Prolific is asked to do with its study."""

    action = forms.ChoiceField(
        choices=[(name, name) for name in ("publish", "pause", "go_on", "change_places")]
    )
    places = forms.IntegerField(required=False, min_value=1, max_value=MOST_PEOPLE)

    def clean(self) -> dict[str, Any]:
        """Refuse a change of places without their number."""
        told = self.cleaned_data
        if told.get("action") == "change_places" and not told.get("places"):
            raise forms.ValidationError(_("Say how many places there should be."))
        return told


class ReturnForm(forms.Form):
    """The code with which somebody comes back."""

    code = forms.CharField(
        label=gettext_lazy("Return code"),
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
        help_text=gettext_lazy("As it was shown to you, such as 7KQ2-M4TX-9BNC-P3WD."),
    )
