"""The label sets of a study: which is in force, and what each of them says."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.models import BatchState, Origin, StageCode, Study
from crowd.models import Label, LabelSet
from crowd.models.defaults import (
    AMBIGUOUS,
    AMBIGUOUS_DESCRIPTION,
    AMBIGUOUS_KEYS,
    AMBIGUOUS_NAME,
    DEFAULT_CODES,
)


def codes_of(label_set: LabelSet) -> tuple[str, ...]:
    """Return the codes of a label set in the order of its vectors."""
    codes = Label.objects.filter(label_set=label_set).order_by("order")
    return tuple(codes.values_list("code", flat=True))


def own_codes(study: Study) -> tuple[str, ...]:
    """Return the codes in force in a study; the method's until it has labels of its own."""
    newest = own_label_sets(study)[:1]
    return codes_of(newest[0]) if newest else DEFAULT_CODES


def round_codes(stage: str, codes: Sequence[str]) -> tuple[str, ...]:
    """Return what a vote may say in a round: researchers who label gold have one answer more."""
    return (*codes, AMBIGUOUS) if stage == StageCode.GOLD else tuple(codes)


def own_label_sets(study: Study) -> list[LabelSet]:
    """Return the versions of a study's own labels, newest first, with their labels and rounds.

    `opened` counts the rounds that keep a version as it is: all but drafts.
    """
    opened = Count("rounds", filter=~Q(rounds__batch__state=BatchState.DRAFT))
    return list(
        LabelSet.objects.filter(study=study, origin=Origin.HERE)
        .annotate(opened=opened)
        .prefetch_related("labels")
        .order_by("-version")
    )


def label_names(study: Study) -> dict[str, str]:
    """Return the names of all labels that some round of a study used; the newest own names win."""
    labels = Label.objects.filter(label_set__study=study)
    ordered = labels.order_by("-label_set__origin", "label_set__version", "pk")
    return dict(ordered.values_list("code", "name"))


def gold_codes(study: Study) -> tuple[str, ...]:
    """Return all codes that a gold label of a study may have, in the order of their rounds."""
    sets = study.batches.filter(stage=StageCode.GOLD).order_by("number")
    met = [code for labels in sets.values_list("labels", flat=True) for code in labels]
    codes = dict.fromkeys(code for code in met or own_codes(study) if code != AMBIGUOUS)
    return (*codes, AMBIGUOUS)


@dataclass(frozen=True)
class Choice:
    """An answer as the screen shows it, with the key that chooses it."""

    code: str
    name: str
    description: str
    key: str


def choices_of(stage: str, labels: Sequence[Label]) -> list[Choice]:
    """Return the answers that are taken at a stage in a batch with these labels."""
    choices = [choice_of(label) for label in labels]
    if stage == StageCode.GOLD:
        used = {choice.key for choice in choices}
        free = next((key for key in AMBIGUOUS_KEYS if key not in used), "")
        choices.append(Choice(AMBIGUOUS, str(AMBIGUOUS_NAME), str(AMBIGUOUS_DESCRIPTION), free))
    return choices


def choice_of(label: Label) -> Choice:
    """Return a label as an answer."""
    return Choice(label.code, label.name, label.description, label.key.upper())
