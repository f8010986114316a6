"""Parses what people choose for a filter run."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Batch, Pooling, Study
from embeddings.encoders import OFFLINE_ENCODER
from filtering.algorithms import Direction, FilterSettings, Target
from filtering.queries.voted_posts import label_sets_differ
from filtering.services.runs import MOST_TRIALS, SEEDS, TRAINING


class RunForm(forms.Form):
    """The settings of a run, filled with the protocol's."""

    k = forms.IntegerField(
        label=gettext_lazy("Keep at least (k)"),
        min_value=1,
        help_text=gettext_lazy("A trial stops before fewer than k posts would be left."),
    )
    trials = forms.IntegerField(
        label=gettext_lazy("Trials"),
        min_value=1,
        max_value=MOST_TRIALS,
    )
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
    pooling = forms.ChoiceField(label=gettext_lazy("Pooling"), choices=Pooling.choices)
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        required=False,
        min_value=0,
        max_value=SEEDS - 1,
        help_text=gettext_lazy("Left empty, one is drawn and written down."),
    )
    learning_rate = forms.FloatField(label=gettext_lazy("Learning rate"), required=False)
    epochs = forms.IntegerField(
        label=gettext_lazy("Epochs in a round"), required=False, min_value=1
    )
    batch_size = forms.IntegerField(
        label=gettext_lazy("Posts in a batch"), required=False, min_value=1
    )
    weight_decay = forms.FloatField(label=gettext_lazy("Weight decay"), required=False, min_value=0)
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
    round = forms.TypedChoiceField(
        label=gettext_lazy("Crowd round"), coerce=int, empty_value=None, required=False
    )

    def __init__(self, *args: Any, study: Study, rounds: list[Batch], **kwargs: Any) -> None:
        protocol = study.protocol
        kwargs["initial"] = {
            "k": protocol.filter_k,
            "trials": protocol.filter_trials,
            "encoder": protocol.encoder,
            "pooling": protocol.pooling,
            **{name: getattr(FilterSettings(k=1), name) for name in TRAINING},
            "standardise": "yes" if FilterSettings(k=1).standardise else "no",
        }
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
        if encoder.startswith(("/", "\\", "~", ".")):
            raise forms.ValidationError(
                _("Name an encoder of the hub. A folder can only be named to manage.py run_filter.")
            )
        return encoder

    def usual(self) -> list[forms.BoundField]:
        """Return the fields that everybody looks at."""
        return [field for field in self if field.name not in TRAINING]

    def training(self) -> list[forms.BoundField]:
        """Return the fields that say how the classifiers are trained."""
        return [self[name] for name in TRAINING]

    def training_is_at_fault(self) -> bool:
        """Say whether one of these fields is not as it must be."""
        return any(name in self.errors for name in TRAINING)

    def settings(self) -> dict[str, Any]:
        """Return what was chosen, as the service takes it."""
        chosen = dict(self.cleaned_data)
        round_number = chosen.pop("round", None)
        told = {name: chosen.pop(name) for name in TRAINING}
        training = {name: value for name, value in told.items() if value not in (None, "")}
        return chosen | {"round_number": round_number, "training": training}
