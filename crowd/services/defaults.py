"""Gives a study its first label set and first instructions when they are first needed."""

from pathlib import Path

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Origin, Study
from crowd.models import Instructions, Label, LabelSet
from crowd.models.defaults import DEFAULT_LABELS, DEFAULT_QUESTION, DEFAULT_SET_NAME

INSTRUCTIONS_FILE = Path(__file__).resolve().parent.parent / "default_instructions.md"


@transaction.atomic
def own_label_set(study: Study) -> LabelSet:
    """Return the newest label set of a study's own rounds; the first is made on first need."""
    found = LabelSet.objects.filter(study=study, origin=Origin.HERE).order_by("version").last()
    if found:
        return found
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    label_set, is_new = LabelSet.objects.get_or_create(
        study=study,
        origin=Origin.HERE,
        version=1,
        defaults={"name": _(DEFAULT_SET_NAME), "question": _(DEFAULT_QUESTION)},
    )
    if is_new:
        Label.objects.bulk_create(
            Label(
                label_set=label_set,
                code=label.code,
                key=label.key,
                name=_(label.name),
                description=_(label.description),
                order=order,
            )
            for order, label in enumerate(DEFAULT_LABELS)
        )
    return label_set


@transaction.atomic
def current_instructions(study: Study) -> Instructions:
    """Return the newest instructions of a study; the first version is made on first need."""
    found = Instructions.objects.filter(study=study).first()
    if found:
        return found
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    text = INSTRUCTIONS_FILE.read_text(encoding="utf-8").strip()
    first, _is_new = Instructions.objects.get_or_create(
        study=study, version=1, defaults={"markdown": text}
    )
    return first
