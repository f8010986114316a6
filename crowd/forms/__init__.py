"""Parses what people send to the pages of the crowd stage."""

import math
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy

from annotation.models import BatchState, SkipReason
from annotation.services.votes import Answer
from crowd.services.labels import NewLabel

MOST_POSTS = 100_000
MOST_SEED = 2**63 - 1


class VoteForm(forms.Form):
    """An answer. What the page measures never costs anybody a vote, so only the label can be wrong;
    whether the batch has it is the engine's to say.
    """

    label = forms.CharField(
        label=gettext_lazy("Your answer"),
        max_length=1_000,
        error_messages={"required": gettext_lazy("Choose one of the answers.")},
    )
    seconds = forms.CharField(required=False, widget=forms.HiddenInput)
    guide_version = forms.CharField(required=False, widget=forms.HiddenInput)
    vote_version = forms.CharField(required=False, widget=forms.HiddenInput)

    def answer(self, newest_version: int) -> Answer:
        """Return the answer; a guide's version that cannot be is the newest."""
        version = whole(self.cleaned_data["guide_version"])
        is_possible = version is not None and 1 <= version <= newest_version
        return Answer(
            label=self.cleaned_data["label"],
            seconds=measured(self.cleaned_data["seconds"]),
            guide_version=version if is_possible else newest_version,
        )

    def seen_version(self) -> int:
        """Return the version of the vote that a correction saw; 0 when it is not told."""
        return whole(self.cleaned_data["vote_version"]) or 0


def whole(text: str) -> int | None:
    """Return a whole number, None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def measured(text: str) -> float | None:
    """Return measured seconds, None for anything that cannot be."""
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


class SkipForm(forms.Form):
    """Why somebody passes a post on."""

    reason = forms.ChoiceField(
        label=gettext_lazy("Why do you skip it?"),
        choices=SkipReason.choices,
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose a reason.")},
    )


class StartForm(forms.Form):
    """The version of the instructions that somebody has read."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**31 - 1)


class SampleForm(forms.Form):
    """How many posts to draw, and the seed that fixes which."""

    posts = forms.IntegerField(
        label=gettext_lazy("Posts"),
        validators=[MinValueValidator(1), MaxValueValidator(MOST_POSTS)],
        help_text=gettext_lazy("Drawn at random from the kept posts that are in no batch yet."),
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        required=False,
        validators=[MinValueValidator(0), MaxValueValidator(MOST_SEED)],
        help_text=gettext_lazy("The same seed draws the same posts. Left empty, one is drawn."),
    )


class BatchForm(SampleForm):
    """What a new batch for the crowd needs."""

    votes_wanted = forms.IntegerField(
        label=gettext_lazy("Votes a post"),
        validators=[MinValueValidator(1), MaxValueValidator(100)],
    )


class MoveForm(forms.Form):
    """Whether a batch is opened, paused or closed."""

    to = forms.ChoiceField(choices=BatchState.choices)


class LabelForm(forms.Form):
    """One label. What is wrong with a set of them, the service says."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=50,
        help_text=gettext_lazy("Stands in files: small letters, digits and _."),
    )
    key = forms.CharField(
        label=gettext_lazy("Key"),
        max_length=1,
        help_text=gettext_lazy("A digit or a letter, but not S, G or U."),
        widget=forms.TextInput(attrs={"size": 2, "autocapitalize": "none"}),
    )
    description = forms.CharField(
        label=gettext_lazy("Description"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("A few words below the name."),
    )

    def new_label(self) -> NewLabel:
        """Return the label."""
        found = {name: self.cleaned_data[name].strip() for name in self.declared_fields}
        return NewLabel(**found | {"key": found["key"].lower()})


class BaseLabelFormSet(forms.BaseFormSet):
    """The labels of a study; what is removed or left empty is none."""

    def new_labels(self) -> list[NewLabel]:
        """Return the labels in the order of their numbers."""
        return [form.new_label() for form in self.ordered_forms]


LabelFormSet = forms.formset_factory(
    LabelForm, formset=BaseLabelFormSet, extra=2, can_order=True, can_delete=True, max_num=30
)


class QuestionForm(forms.Form):
    """What is asked about each post."""

    question = forms.CharField(
        label=gettext_lazy("Question"),
        max_length=200,
        help_text=gettext_lazy("Stands above the answers of each post."),
    )
    seen_version = forms.IntegerField(widget=forms.HiddenInput)


class ClosePoolForm(forms.Form):
    """Whether a batch of the pool is closed although some of its posts lack a second label."""

    without_rest = forms.BooleanField(required=False)


class InstructionsForm(forms.Form):
    """A new version of the instructions."""

    introduction = forms.CharField(
        label=gettext_lazy("Before the first post"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("What is asked and by whom, what becomes of the answers. Markdown."),
    )
    markdown = forms.CharField(
        label=gettext_lazy("Guideline beside each post"),
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 18}),
        help_text=gettext_lazy("Markdown: # headings, **bold**, * lists."),
    )
    shown_metadata = forms.MultipleChoiceField(
        label=gettext_lazy("Columns shown beside a post"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Never show what others said about a post."),
    )
    seen_version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, columns: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["shown_metadata"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(column, column) for column in columns]
        if not columns:
            del self.fields["shown_metadata"]
