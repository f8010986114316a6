"""Changes a study's labels: in place until a batch is opened with them, then as a new version."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Batch, BatchState, Origin, Study, User
from annotation.services.archive import lock_study
from crowd.models import Label, LabelSet
from crowd.models.defaults import AMBIGUOUS
from crowd.queries.labels import round_codes
from crowd.services.defaults import own_label_set

FEWEST, MOST = 2, 20
# What the labelling screen itself listens to: skip, guideline, last vote, and the list of keys.
TAKEN_KEYS = frozenset("sgu?")
CODE = re.compile(r"[a-z0-9][a-z0-9_]{0,49}")
KEY = re.compile(r"[a-z0-9]")


class LabelsRefused(Exception):
    """Labels that cannot be used; its text is a sentence for the person."""


class LabelsChanged(LabelsRefused):
    """Somebody changed the labels meanwhile."""


@dataclass(frozen=True)
class NewLabel:
    """A label as somebody wants it; its place in the list is its place in the vectors."""

    code: str
    name: str
    key: str
    description: str = ""


@transaction.atomic
def write_labels(
    *,
    by: User | None,
    study: Study,
    question: str,
    labels: Sequence[NewLabel],
    seen_version: int | None = None,
) -> LabelSet:
    """Change the labels in force; drafts take the change, rounds that were opened keep theirs.

    `seen_version` is the version that the person changed; refused when there is a newer one.
    """
    refuse_bad_labels(labels)
    with pghistory.context(user=by.pk if by else None, action="write labels"):
        lock_study(study.pk)
        newest = own_label_set(study)
        if seen_version is not None and newest.version != seen_version:
            raise LabelsChanged(
                _("Somebody made version %s meanwhile. Open this page anew.") % newest.version
            )
        if newest.question == question and labels_of(newest) == list(labels):
            return newest
        batches = list(Batch.objects.select_for_update().filter(crowd_round__label_set=newest))
        if any(batch.state != BatchState.DRAFT for batch in batches):
            return new_version(newest, question, labels)
        return change_in_place(newest, question, labels, batches)


def new_version(newest: LabelSet, question: str, labels: Sequence[NewLabel]) -> LabelSet:
    """Make the next version, for the batches that are made from now on."""
    made = LabelSet.objects.create(
        study=newest.study,
        name=newest.name,
        origin=Origin.HERE,
        version=newest.version + 1,
        question=question,
    )
    put_labels(made, labels)
    return made


def change_in_place(
    label_set: LabelSet, question: str, labels: Sequence[NewLabel], drafts: Sequence[Batch]
) -> LabelSet:
    """Change labels that nobody has voted with."""
    label_set.question = question
    label_set.save(update_fields=["question"])
    Label.objects.filter(label_set=label_set).delete()
    put_labels(label_set, labels)
    for batch in drafts:
        batch.labels = list(round_codes(batch.stage, [label.code for label in labels]))
        batch.save(update_fields=["labels"])
    return label_set


def put_labels(label_set: LabelSet, labels: Sequence[NewLabel]) -> None:
    """Write the labels of a set."""
    Label.objects.bulk_create(
        Label(
            label_set=label_set,
            code=label.code,
            name=label.name,
            key=label.key,
            description=label.description,
            order=order,
        )
        for order, label in enumerate(labels)
    )


def labels_of(label_set: LabelSet) -> list[NewLabel]:
    """Return the labels of a set as somebody would write them."""
    found = Label.objects.filter(label_set=label_set).order_by("order")
    return [NewLabel(one.code, one.name, one.key, one.description) for one in found]


def refuse_bad_labels(labels: Sequence[NewLabel]) -> None:
    """Refuse labels that a worker could not choose, or that figures could not tell apart."""
    problem = next(label_problems(labels), "")
    if problem:
        raise LabelsRefused(problem)


def label_problems(labels: Sequence[NewLabel]) -> Iterator[str]:
    """Yield a sentence for each thing that is wrong with labels."""
    if not FEWEST <= len(labels) <= MOST:
        words = {"fewest": FEWEST, "most": MOST, "now": len(labels)}
        yield _("A study needs %(fewest)s to %(most)s labels; these are %(now)s.") % words
    for label in labels:
        yield from problems_of(label)
    yield from twice([label.code for label in labels], _("Two labels have the code “%s”."))
    names = [label.name.casefold() for label in labels]
    yield from twice(names, _("Two labels have the name “%s”."))
    yield from twice([label.key for label in labels], _("Two labels have the key “%s”."))


def problems_of(label: NewLabel) -> Iterator[str]:
    """Yield a sentence for each thing that is wrong with one label."""
    if not CODE.fullmatch(label.code):
        yield (
            _("“%s” cannot be a code: use up to 50 small letters a to z, digits and _.")
            % label.code
        )
    if label.code == AMBIGUOUS:
        yield _("The code “%s” is kept for researchers who label gold.") % AMBIGUOUS
    if not label.name:
        yield _("The label “%s” has no name.") % label.code
    if label.key in TAKEN_KEYS:
        words = {"key": label.key.upper(), "name": label.name}
        yield (
            _("“%(name)s” cannot have the key %(key)s: S, G, U and ? do something else already.")
            % words
        )
    elif not KEY.fullmatch(label.key):
        yield _("The key of “%s” must be one digit or one letter a to z.") % label.name


def twice(values: Sequence[str], sentence: str) -> Iterator[str]:
    """Yield the sentence for each value that stands there more than once."""
    for value, times in Counter(values).items():
        if times > 1:
            yield sentence % value
