"""Parses what people choose for a filter run."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Batch, Pooling, Protocol, Study
from embeddings.encoders import OFFLINE_ENCODER
from filtering.algorithms import (
    AFLiteSettings,
    Direction,
    FilterSettings,
    MajoritySettings,
    Method,
    Schedule,
    Target,
)
from filtering.models import FilterRun
from filtering.queries.comparison import LabelsDiffer, refuse_other_labels
from filtering.queries.voted_posts import label_sets_differ
from filtering.services.runs import MOST_TRIALS, SEEDS, names_a_folder

# The settings that a method has besides k, as the form names them; what is left empty is default.
OF_METHOD = {
    Method.KL: (
        "learning_rate",
        "schedule",
        "epochs",
        "most_steps",
        "batch_size",
        "weight_decay",
        "max_rounds",
        "standardise",
        "target",
        "direction",
    ),
    Method.AFLITE: ("classifiers", "train_size", "slice_size", "tau", "standardise"),
    Method.MAJORITY: ("share",),
    Method.RANDOM: (),
}
SETTINGS = tuple(dict.fromkeys(name for names in OF_METHOD.values() for name in names))


class RunForm(forms.Form):
    """The settings of a run, filled with the protocol's."""

    method = forms.ChoiceField(
        label=gettext_lazy("Method"),
        choices=[
            (Method.KL, gettext_lazy("KL filter: the inconsistent posts leave")),
            (Method.AFLITE, gettext_lazy("AFLite: the easy posts leave")),
            (Method.MAJORITY, gettext_lazy("Agreement: posts without a clear majority leave")),
            (Method.RANDOM, gettext_lazy("Chance: k posts stay")),
        ],
        help_text=gettext_lazy("The last three are there to compare the first one with."),
    )
    k = forms.IntegerField(
        label=gettext_lazy("Keep at least (k)"),
        min_value=1,
        help_text=gettext_lazy(
            "A trial stops before fewer than k posts would be left. A preview tells what this k "
            "and others would keep."
        ),
    )
    trials = forms.IntegerField(label=gettext_lazy("Trials"), min_value=1, max_value=MOST_TRIALS)
    at_least = forms.IntegerField(
        label=gettext_lazy("Kept in at least"),
        required=False,
        min_value=1,
        help_text=gettext_lazy("So many trials must keep a post. Left empty: every one of them."),
    )
    encoder = forms.CharField(
        label=gettext_lazy("Encoder"),
        max_length=200,
        widget=forms.TextInput(attrs={"list": "encoders"}),
    )
    revision = forms.CharField(
        label=gettext_lazy("Revision of the encoder"),
        max_length=80,
        required=False,
        help_text=gettext_lazy(
            "A commit, branch or tag of the hub. Left empty: the protocol's for its own encoder, "
            "else the newest. What was found is written down."
        ),
    )
    pooling = forms.ChoiceField(label=gettext_lazy("Pooling"), choices=Pooling.choices)
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        required=False,
        min_value=0,
        max_value=SEEDS - 1,
        help_text=gettext_lazy("Left empty, one is drawn and written down."),
    )
    round = forms.TypedChoiceField(
        label=gettext_lazy("Crowd round"), coerce=int, empty_value=None, required=False
    )
    learning_rate = forms.FloatField(
        label=gettext_lazy("Learning rate"),
        required=False,
        help_text=gettext_lazy("Left empty, it follows the features and the steps."),
    )
    schedule = forms.ChoiceField(
        label=gettext_lazy("Over a training, the rate"),
        required=False,
        choices=[
            (Schedule.LINEAR, gettext_lazy("falls to 0")),
            (Schedule.CONSTANT, gettext_lazy("stays")),
        ],
    )
    epochs = forms.IntegerField(label=gettext_lazy("Epochs in a round"), required=False)
    most_steps = forms.IntegerField(label=gettext_lazy("Steps in a round, at most"), required=False)
    batch_size = forms.IntegerField(label=gettext_lazy("Posts in a batch"), required=False)
    weight_decay = forms.FloatField(label=gettext_lazy("Weight decay"), required=False)
    max_rounds = forms.IntegerField(label=gettext_lazy("Rounds, at most"), required=False)
    standardise = forms.TypedChoiceField(
        label=gettext_lazy("Features"),
        required=False,
        coerce=lambda word: word == "yes",
        empty_value=None,
        choices=[
            ("yes", gettext_lazy("standardised: mean 0 and deviation 1 over all posts")),
            ("no", gettext_lazy("as the encoder gives them")),
        ],
    )
    target = forms.ChoiceField(
        label=gettext_lazy("Target: softmax over"),
        required=False,
        choices=[
            (Target.COUNTS, gettext_lazy("the counts of votes (as published)")),
            (Target.PROPORTIONS, gettext_lazy("the shares of votes")),
        ],
    )
    direction = forms.ChoiceField(
        label=gettext_lazy("Loss"),
        required=False,
        choices=[
            (Direction.FORWARD, gettext_lazy("KL(classifier || votes), as Equation 2 prints it")),
            (Direction.REVERSE, gettext_lazy("KL(votes || classifier)")),
        ],
    )
    classifiers = forms.IntegerField(label=gettext_lazy("AFLite: classifiers"), required=False)
    train_size = forms.IntegerField(
        label=gettext_lazy("AFLite: posts that each learns from"), required=False
    )
    slice_size = forms.IntegerField(
        label=gettext_lazy("AFLite: posts removed at a time, at most"), required=False
    )
    tau = forms.FloatField(
        label=gettext_lazy("AFLite: predictability above which a post may leave"), required=False
    )
    share = forms.FloatField(
        label=gettext_lazy("Agreement: share of the votes that the top label needs"),
        required=False,
    )

    def __init__(self, *args: Any, study: Study, rounds: list[Batch], **kwargs: Any) -> None:
        kwargs["initial"] = (
            defaults() | told_by_protocol(study.protocol) | kwargs.get("initial", {})
        )
        super().__init__(*args, **kwargs)
        self.fields["encoder"].help_text = _(
            "A name on the Hugging Face hub, or %s, which works without network."
        ) % (OFFLINE_ENCODER,)
        self.choose_round(rounds)

    def choose_round(self, rounds: list[Batch]) -> None:
        """Ask for a round only where rounds cannot be counted together."""
        if not label_sets_differ(rounds):
            del self.fields["round"]
            return
        field = self.fields["round"]
        assert isinstance(field, forms.TypedChoiceField)
        field.required = True
        field.help_text = _("The rounds have different labels, so a run takes the votes of one.")
        field.choices = [
            (batch.number, f"{batch.number}: {', '.join(batch.labels)}") for batch in rounds
        ]

    def clean_encoder(self) -> str:
        """Refuse folders: what lies on the server is nothing that a page opens."""
        encoder: str = self.cleaned_data["encoder"]
        if names_a_folder(encoder):
            raise forms.ValidationError(
                _("Name an encoder of the hub. A folder can only be named to manage.py run_filter.")
            )
        return encoder

    def usual(self) -> list[forms.BoundField]:
        """Return the fields that everybody looks at."""
        return [field for field in self if field.name not in SETTINGS]

    def special(self) -> list[forms.BoundField]:
        """Return the settings of the methods."""
        return [self[name] for name in SETTINGS]

    def special_is_at_fault(self) -> bool:
        """Say whether one of these is not as it must be."""
        return any(name in self.errors for name in SETTINGS)

    def settings(self) -> dict[str, Any]:
        """Return what was chosen, as the service takes it; a method gets its own settings only."""
        told = {name: self.cleaned_data[name] for name in SETTINGS}
        chosen = {name: value for name, value in self.cleaned_data.items() if name not in SETTINGS}
        method = Method(chosen.pop("method"))
        return {
            **{name: value for name, value in chosen.items() if name != "round"},
            "revision": chosen["revision"] or None,
            "round_number": chosen.get("round"),
            "method": method,
            "settings": {
                name: told[name] for name in OF_METHOD[method] if told[name] not in (None, "")
            },
        }


def defaults() -> dict[str, Any]:
    """Return what the methods do when nothing else is chosen, as the form shows it."""
    known = (FilterSettings(k=1), AFLiteSettings(k=1), MajoritySettings())
    found = {
        name: getattr(settings, name) for settings in known for name in OF_METHOD[settings.method]
    }
    return found | {"standardise": "yes", "share": round(found["share"], 4)}


def told_by_protocol(protocol: Protocol) -> dict[str, Any]:
    """Return what the protocol says of a run."""
    return {
        "k": protocol.filter_k,
        "trials": protocol.filter_trials,
        "encoder": protocol.encoder,
        "pooling": protocol.pooling,
    }


def told_by_run(run: FilterRun) -> dict[str, Any]:
    """Return what a run was told, so that another one does the same."""
    settings = run.settings
    if "standardise" in settings:
        settings = settings | {"standardise": "yes" if settings["standardise"] else "no"}
    told = {
        "method": run.method,
        "k": run.asked_k,
        "trials": run.trial_count,
        "at_least": run.at_least,
        "encoder": run.encoder,
        "revision": run.encoder_revision,
        "pooling": run.pooling,
        "seed": run.seed,
        "round": run.round_number,
        **settings,
    }
    return {name: value for name, value in told.items() if value is not None}


class LikeForm(forms.Form):
    """The run whose settings another one starts with, and the k that it gets instead."""

    like = forms.IntegerField(min_value=1)
    k = forms.IntegerField(min_value=1, required=False)


class PromotionForm(forms.Form):
    """How many of the dropped posts go to the experts with the kept ones, in per cent."""

    control = forms.FloatField(min_value=0, max_value=100, required=False)

    def share(self) -> float:
        """Return the share."""
        return (self.cleaned_data["control"] or 0.0) / 100


class RunChoice(forms.ModelChoiceField):
    """A finished run, by its number and what it did."""

    def label_from_instance(self, obj: Any) -> str:
        """Return how a run is named in a list."""
        words = _("Run %(number)s: %(method)s, seed %(seed)s, %(kept)s of %(posts)s kept")
        return words % {
            "number": obj.number,
            "method": obj.get_method_display(),
            "seed": obj.seed,
            "kept": obj.kept_count,
            "posts": obj.post_count,
        }


class ComparisonForm(forms.Form):
    """Which two runs are compared."""

    first = RunChoice(
        FilterRun.objects.none(), to_field_name="number", label=gettext_lazy("One run")
    )
    second = RunChoice(
        FilterRun.objects.none(), to_field_name="number", label=gettext_lazy("The other")
    )

    def __init__(self, *args: Any, runs: QuerySet[FilterRun], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "second"):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = runs

    def clean(self) -> dict[str, Any]:
        """Refuse runs with other labels: their votes cannot be laid side by side."""
        chosen: dict[str, Any] = super().clean() or {}
        first, second = chosen.get("first"), chosen.get("second")
        if first and second:
            try:
                refuse_other_labels(first, second)
            except LabelsDiffer as refusal:
                raise forms.ValidationError(str(refusal)) from None
        return chosen

    def chosen(self) -> tuple[FilterRun, FilterRun]:
        """Return the two runs."""
        return self.cleaned_data["first"], self.cleaned_data["second"]
