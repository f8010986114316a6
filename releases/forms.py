"""Parses what people choose for a release, and what they say of one."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Batch
from filtering.queries.voted_posts import label_sets_differ
from releases.choices import ReleaseChoices, Splits, Stage, Texts, Versions
from releases.models import TEXTS, Release
from releases.services.cards import LONGEST_SECTION

STAGES = [
    (Stage.CROWD.value, gettext_lazy("The crowd's votes")),
    (Stage.LEGAL.value, gettext_lazy("The experts' votes, verdicts and evidence")),
]
VERSIONS = [
    (Versions.CURRENT.value, gettext_lazy("The newest version of each vote")),
    (Versions.ALL.value, gettext_lazy("Every version, also of corrected votes")),
]
MOST_SEED = 2**31 - 1


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
    """What is released, and how. Only an owner is asked for a reason to insist."""

    field_order = ("stages", "crowd_round")
    stages = forms.MultipleChoiceField(
        label=gettext_lazy("Whose work"),
        choices=STAGES,
        initial=[stage.value for stage in Stage],
        widget=forms.CheckboxSelectMultiple,
    )
    texts = forms.ChoiceField(
        label=gettext_lazy("Texts"),
        choices=TEXTS,
        initial=Texts.CLEANED,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Some platforms allow only ids to be passed on. Ids only leaves out the posts' texts; "
            "what else people wrote stays: imported columns that annotators are shown, and the "
            "experts' comments, reasoning and evidence."
        ),
    )
    versions = forms.ChoiceField(
        label=gettext_lazy("Versions of votes"),
        choices=VERSIONS,
        initial=Versions.CURRENT,
        widget=forms.RadioSelect,
    )
    train = forms.IntegerField(
        label=gettext_lazy("Share for training, in percent"),
        initial=0,
        min_value=0,
        max_value=100,
        help_text=gettext_lazy("What neither this nor the next share takes is the test split."),
    )
    validation = forms.IntegerField(
        label=gettext_lazy("Share for validation, in percent"),
        initial=0,
        min_value=0,
        max_value=100,
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed of the splits"),
        initial=0,
        min_value=0,
        max_value=MOST_SEED,
        help_text=gettext_lazy("The same seed puts a post into the same split, always."),
    )
    licence = forms.CharField(
        label=gettext_lazy("Licence"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("An SPDX identifier such as CC-BY-4.0, or a few words."),
    )
    citation = forms.CharField(
        label=gettext_lazy("How to cite it"),
        max_length=5_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    insists = forms.CharField(
        label=gettext_lazy("Release in spite of the scan"),
        max_length=1_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy(
            "The tables are searched for e-mail addresses, ids of people and user mentions, and "
            "nothing is released where there are any. A reason given here is kept in the manifest."
        ),
    )

    def __init__(self, *args: Any, may_insist: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not may_insist:
            del self.fields["insists"]

    def clean(self) -> dict[str, Any]:
        """Refuse shares that exceed the whole."""
        found = super().clean() or {}
        if found.get("train", 0) + found.get("validation", 0) > 100:
            self.add_error("validation", _("Both shares together are more than 100 percent."))
        return found

    def choices(self) -> ReleaseChoices:
        """Return what was chosen."""
        chosen = self.cleaned_data
        train, validation = chosen["train"], chosen["validation"]
        return ReleaseChoices(
            stages=tuple(stage.value for stage in Stage if stage in chosen["stages"]),
            texts=chosen["texts"],
            versions=chosen["versions"],
            crowd_round=chosen.get("crowd_round"),
            splits=Splits(
                train=train,
                validation=validation,
                test=100 - train - validation,
                seed=chosen["seed"],
            ),
            licence=chosen["licence"].strip(),
            citation=chosen["citation"].strip(),
            insists=chosen.get("insists", "").strip(),
        )


class FlagForm(forms.Form):
    """What is wrong with a release."""

    reason = forms.CharField(
        label=gettext_lazy("What is wrong with it?"),
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("It stands above the release from now on and cannot be taken back."),
    )


class ReleaseField(forms.ModelChoiceField):
    """One of some releases, by its number."""

    def label_from_instance(self, obj: Any) -> str:
        """Return what a release is called."""
        return str(_("Release %s") % obj.number)


class CompareForm(forms.Form):
    """Which earlier release to compare with."""

    other = ReleaseField(
        label=gettext_lazy("Compare with"),
        queryset=Release.objects.none(),
        to_field_name="number",
        empty_label=None,
    )

    def __init__(self, *args: Any, release: Release, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["other"]
        assert isinstance(field, ReleaseField)
        field.queryset = Release.objects.filter(study=release.study_id, number__lt=release.number)


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
