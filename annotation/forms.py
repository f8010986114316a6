"""Parses what people send to the pages of the shared ground."""

import zoneinfo
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib.postgres.forms import SimpleArrayField
from django.core.validators import validate_slug
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from annotation.access import GIVEN_ON_TOP
from annotation.models import (
    LONGEST_ADDRESS,
    UNDER_WAY,
    BadRows,
    JobState,
    Member,
    Protocol,
    Role,
    Scope,
    Study,
    StudyState,
    User,
    WebhookEvent,
)
from annotation.queries.activity import Asked
from annotation.queries.words import THINGS
from annotation.registry import ActKind, Importer, importers, job_kind
from annotation.services.tokens import USUAL_DAYS

MOST_OPTION_CHARACTERS = 20_000


class CloneForm(forms.Form):
    """What the clone of a study is called."""

    title = forms.CharField(label=_("Title"), max_length=200)
    slug = forms.CharField(
        label=_("Short name"),
        max_length=60,
        validators=[validate_slug],
        help_text=_("Stands in addresses and commands: letters, digits, hyphens."),
    )


class NewStudyForm(CloneForm):
    """What a new study needs."""

    description = forms.CharField(
        label=_("Description"), required=False, widget=forms.Textarea(attrs={"rows": 3})
    )


class StudyForm(forms.ModelForm):
    """A study's words, and whether its work goes on; the archive has a page of its own."""

    state = forms.ChoiceField(
        label=_("State"),
        choices=[(code, code.label) for code in (StudyState.ACTIVE, StudyState.PAUSED)],
        help_text=_("Paused, nobody gets new posts; what is in hand may still be answered."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.state == StudyState.ARCHIVED:
            del self.fields["state"]

    class Meta:
        model = Study
        fields = ["title", "description", "state"]
        widgets = {"description": forms.Textarea(attrs={"rows": 3})}


PROTOCOL_GROUPS = (
    (_("Posts"), ("sample_size", "languages", "mask_users", "non_ascii")),
    (
        _("Crowd"),
        (
            "crowd_posts",
            "batch_size",
            "crowd_votes",
            "tie_votes",
            "sitting_size",
            "person_limit",
            "daily_cap",
            "reward",
            "currency",
            "contact",
            "ethics_number",
            "content_warning",
        ),
    ),
    (_("Filter"), ("encoder", "encoder_revision", "pooling", "filter_k", "filter_trials")),
    (_("Legal experts"), ("expert_votes",)),
    (_("Work"), ("lease_minutes",)),
)


class ProtocolForm(forms.ModelForm):
    """A study's settings."""

    languages = SimpleArrayField(
        forms.CharField(max_length=8), label=_("Languages"), help_text=_("Codes, with commas.")
    )

    class Meta:
        model = Protocol
        fields = [name for _title, names in PROTOCOL_GROUPS for name in names]
        widgets = {"content_warning": forms.Textarea(attrs={"rows": 4})}
        help_texts = {"mask_users": _("Words that start with @ become &lt;user&gt;.")}

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the fields under the headings that they stand under on the page."""
        return [(str(title), [self[name] for name in names]) for title, names in PROTOCOL_GROUPS]


class MemberForm(forms.Form):
    """Whom to let in, and as what."""

    name_or_email = forms.CharField(
        label=_("User name or e-mail address"),
        max_length=150,
        help_text=_("Who has no account yet gets one, with a password that is shown to you once."),
    )
    name = forms.CharField(
        label=_("Name"),
        max_length=150,
        required=False,
        help_text=_("How pages greet this person; annotators never see each other's names."),
    )
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.CROWD_WORKER)


class MemberChangeForm(forms.Form):
    """What a member is from now on."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)
    is_active = forms.BooleanField(label=_("Takes part"), required=False)
    permissions = forms.MultipleChoiceField(
        label=_("May also"),
        choices=[(code.value, words) for code, words in GIVEN_ON_TOP.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Beyond what the role may do."),
    )


class UploadForm(forms.Form):
    """A file, and what it holds."""

    importer = forms.ChoiceField(label=_("What the file holds"), widget=forms.RadioSelect)
    file = forms.FileField(
        label=_("File"), help_text=_("CSV, TSV, JSON Lines or Parquet."), allow_empty_file=True
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["importer"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(kind.code, described(kind)) for kind in importers()]
        field.initial = field.choices[0][0] if field.choices else None


def described(kind: Importer) -> str:
    """Return an importer's title with its help, as a label."""
    return format_html(
        '<span class="choice-text"><b>{}</b> <small>{}</small></span>', kind.title, kind.help
    )


class LoadForm(forms.Form):
    """Which column is what, and what becomes of the good rows when some are bad."""

    bad_rows = forms.ChoiceField(
        label=_("If some rows are bad"),
        choices=BadRows.choices,
        initial=BadRows.REFUSE,
        widget=forms.RadioSelect,
    )

    def __init__(
        self,
        *args: Any,
        kind: Importer,
        columns: list[str],
        chosen: dict[str, str],
        told: dict[str, str],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        choices = [("", _("(none)")), *((column, column) for column in columns)]
        for thing, is_required in kind.wanted.items():
            self.fields[f"column_{thing}"] = forms.ChoiceField(
                label=THINGS.get(thing, thing),
                choices=choices,
                required=is_required,
                initial=chosen.get(thing),
            )
        for option in kind.options:
            self.fields[f"option_{option.name}"] = forms.CharField(
                label=str(option.label),
                help_text=str(option.help),
                required=False,
                max_length=MOST_OPTION_CHARACTERS,
                initial=told.get(option.name, ""),
                widget=forms.Textarea(attrs={"rows": 3}),
            )
        self.order_fields([name for name in self.fields if name != "bad_rows"])

    def columns(self) -> dict[str, str]:
        """Return the column chosen for each wanted thing."""
        return {thing: self.cleaned_data[f"column_{thing}"] for thing in self.kind.wanted}

    def told(self) -> dict[str, str]:
        """Return what was said about each option, as it was typed."""
        return {
            option.name: self.cleaned_data[f"option_{option.name}"] for option in self.kind.options
        }


class ProfileForm(forms.ModelForm):
    """What people may change about themselves."""

    time_zone = forms.ChoiceField(label=_("Time zone"))

    class Meta:
        model = User
        fields = ["name", "time_zone"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["time_zone"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(name, name) for name in sorted(zoneinfo.available_timezones())]


TOKEN_DAYS = [
    (7, _("a week")),
    (30, _("30 days")),
    (90, _("90 days")),
    (180, _("180 days")),
    (365, _("a year")),
]


class TokenForm(forms.Form):
    """What a new token for the API is for, how far it reaches and how long."""

    name = forms.CharField(
        label=_("What it is for"),
        max_length=100,
        help_text=_("So that you know later which one to revoke, such as: my laptop."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=Scope.choices,
        initial=[Scope.READ],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Never more than you may do yourself. Choose as little as the program needs."),
    )
    study = forms.ModelChoiceField(
        label=_("Where"),
        queryset=Study.objects.none(),
        required=False,
        empty_label=_("In all of your studies"),
    )
    days = forms.TypedChoiceField(
        label=_("How long"), choices=TOKEN_DAYS, coerce=int, initial=USUAL_DAYS
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = Study.objects.filter(members__user=user, members__is_active=True)
        field = self.fields["study"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = own.order_by("title")


class JobsForm(forms.Form):
    """Which jobs of a study to list; what does not fit is as if it were not asked for."""

    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[
            ("", _("All")),
            ("under_way", _("Under way")),
            *((code.value, code.label) for code in JobState if code not in UNDER_WAY),
        ],
    )

    def __init__(self, *args: Any, kinds: Iterable[str], **more: Any) -> None:
        super().__init__(*args, **more)
        titles = sorted((str(job_kind(kind).title), kind) for kind in kinds)
        choices = [("", _("All")), *((kind, title) for title, kind in titles)]
        self.fields["kind"] = forms.ChoiceField(label=_("Kind"), required=False, choices=choices)
        self.is_valid()

    @property
    def asked(self) -> dict[str, str]:
        """Return what was asked for and is there to be asked for."""
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def params(self) -> str:
        """Return the same for an address."""
        return urlencode(self.asked)


class ActivityForm(forms.Form):
    """Which acts to list; what does not fit is as if it were not asked for."""

    kind = forms.ChoiceField(
        label=_("About"), required=False, choices=[("", _("All")), *ActKind.choices]
    )
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(self, *args: Any, people: Iterable[Member], **more: Any) -> None:
        super().__init__(*args, **more)
        self.users = {member.pseudonym: member.user for member in people}
        names = [(name, user.get_full_name()) for name, user in self.users.items() if user]
        choices = [("", _("Everybody")), *names]
        self.fields["person"] = forms.ChoiceField(label=_("Who"), required=False, choices=choices)
        self.is_valid()

    @property
    def asked(self) -> Asked:
        """Return what was asked for."""
        wanted = {name: value for name, value in self.cleaned_data.items() if value}
        return Asked(person=self.users.get(wanted.pop("person", "")), **wanted)

    @property
    def params(self) -> str:
        """Return the same for an address."""
        wanted = {name: value for name, value in self.cleaned_data.items() if value}
        return urlencode(wanted)


class WebhookForm(forms.Form):
    """Where a study's events go, and which of them."""

    address = forms.CharField(
        label=_("Address"),
        max_length=LONGEST_ADDRESS,
        widget=forms.URLInput,
        help_text=_("Begins with https:// and takes POST requests."),
    )
    events = forms.MultipleChoiceField(
        label=_("Events"), choices=WebhookEvent.choices, widget=forms.CheckboxSelectMultiple
    )
