"""What an adjudicator decides, and what is said in a discussion."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Study
from legal.forms.expert import QUESTION_ORDER
from legal.queries.catalogues import issue_names


class DecisionForm(forms.Form):
    """A decision on a post."""

    label = forms.ChoiceField(
        label=_("Is it misinformation?"),
        choices=[(choice.value, choice.label) for choice in QUESTION_ORDER],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose yes, no or unclear.")},
    )
    issues = forms.MultipleChoiceField(
        label=_("Legal issues"), required=False, widget=forms.CheckboxSelectMultiple
    )
    reason = forms.CharField(
        label=_("Why"),
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": _("Say why you decide so.")},
    )

    def __init__(self, *args: object, study: Study, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        field = self.fields["issues"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = list(issue_names(study).items())


class RemarkForm(forms.Form):
    """A remark."""

    text = forms.CharField(
        label=_("Your remark"),
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Write something first.")},
    )
