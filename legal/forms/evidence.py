"""Parses what is sent about evidence: a file, and which pages of the archive are listed."""

from django import forms
from django.utils.translation import gettext_lazy as _

from legal.models import PageState


class AttachmentForm(forms.Form):
    """A file that is given as evidence; what is taken is the service's decision."""

    file = forms.FileField(
        label=_("File"),
        allow_empty_file=True,
        error_messages={"required": _("Choose a file."), "missing": _("Choose a file.")},
    )


class EvidenceFilter(forms.Form):
    """Which pages of the archive are listed; what is no state or site is passed over."""

    state = forms.ChoiceField(
        label=_("Show"), choices=[("", _("All pages")), *PageState.choices], required=False
    )
    domain = forms.CharField(label=_("Site"), max_length=253, required=False)

    def chosen(self) -> dict[str, str]:
        """Return what is asked for, by the name of the query's filter."""
        self.is_valid()
        given = self.cleaned_data
        return {name: given.get(name, "") for name in ("state", "domain")}
