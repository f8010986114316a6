"""What researchers give for practice: a text or a post of the study, and its model answer."""

from django import forms
from django.utils.translation import gettext_lazy as _

from legal.forms.expert import MOST_TYPED, ExpertForm


class ChooseForm(forms.Form):
    """A post of the study to practise on."""

    external_id = forms.CharField(
        label=_("Id of a post of this study"),
        max_length=500,
        help_text=_("One that did not come to the legal stage; it is not handed out there then."),
    )


class WriteForm(forms.Form):
    """A text written for practice."""

    text = forms.CharField(
        label=_("Text"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("It is cleaned like every post, and is no data: it is in no count or release."),
    )


class ModelAnswerForm(ExpertForm):
    """The expert's form, with why the answer is right and whether experts get it."""

    explanation = forms.CharField(
        label=_("Explanation"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "maxlength": MOST_TYPED}),
        help_text=_("Shown to the expert beside both answers, after they gave theirs."),
    )
    in_use = forms.BooleanField(
        label=_("Experts practise on it"),
        required=False,
        help_text=_("Before their first real post; who has begun already is not held up."),
    )
