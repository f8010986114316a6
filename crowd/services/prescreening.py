"""Sets the rules of a study's prescreening, opens it over the closed gold pool, and closes it."""

from collections.abc import Sequence
from typing import Any

import pghistory
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import BatchState, StageCode, Study, Task, TaskKind, User
from annotation.services.archive import lock_study
from annotation.services.batches import add_tasks, move_batch
from crowd.algorithms.prescreening import Requirements
from crowd.models import (
    AcceptedQualification,
    GoldLabel,
    GoldSource,
    PrescreeningRules,
    Qualification,
)
from crowd.queries.prescreening import (
    acceptable_qualifications,
    pool_labels,
    requirements_of,
)
from crowd.services.batches import start_round


class PrescreeningRefused(Exception):
    """What prescreening cannot do; the text is a sentence for the person."""


@transaction.atomic
def change_rules(
    *, by: User | None, study: Study, accepted: Sequence[int] | None = None, **values: Any
) -> PrescreeningRules:
    """Set the rules; tests that were decided stay as they were.

    `accepted` are the qualifications of other studies of the group that count here, too; without
    it they stay as they are.
    """
    with pghistory.context(user=by.pk if by else None, action="change prescreening"):
        rules = own_rules(study)
        for name, value in values.items():
            setattr(rules, name, value)
        refuse_impossible(rules)
        rules.save()
        if accepted is not None:
            accept(rules, accepted)
    return rules


def own_rules(study: Study) -> PrescreeningRules:
    """Return the rules of a study for changing them; the first are the defaults."""
    lock_study(study.pk)
    rules, _is_new = PrescreeningRules.objects.get_or_create(study=study)
    rules.study = study
    return rules


def refuse_impossible(rules: PrescreeningRules) -> None:
    """Refuse rules that nobody can meet."""
    try:
        rules.clean_fields(exclude=["study"])
        rules.validate_constraints()
    except ValidationError as error:
        raise PrescreeningRefused(" ".join(error.messages)) from error
    wanted = requirements_of(rules)
    if len(wanted.labels) * wanted.min_per_label > rules.test_size:
        raise PrescreeningRefused(
            _(
                "%(each)s posts of each of %(labels)s labels do not fit into a test of "
                "%(size)s posts."
            )
            % {
                "each": wanted.min_per_label,
                "labels": len(wanted.labels),
                "size": rules.test_size,
            }
        )
    if rules.is_open:
        refuse_small_pool(rules.study, wanted)


def refuse_small_pool(study: Study, wanted: Requirements) -> None:
    """Refuse rules that the closed pool has too few posts for."""
    golds = [gold for gold in pool_labels(study) if gold is not None]
    strange = sorted({*golds} - {*wanted.labels})
    if strange:
        raise PrescreeningRefused(
            _("The pool was labelled with labels that are no longer in force: %s.")
            % ", ".join(strange)
        )
    if len(golds) < wanted.min_votes:
        raise PrescreeningRefused(
            _(
                "The closed gold pool has %(posts)s unambiguous posts, and passing takes "
                "%(votes)s votes on such posts. Close a gold batch with more of them."
            )
            % {"posts": len(golds), "votes": wanted.min_votes}
        )
    for label in wanted.labels:
        if golds.count(label) < wanted.min_per_label:
            raise PrescreeningRefused(
                _("The closed gold pool has %(posts)s posts of “%(label)s”, too few for a test.")
                % {"posts": golds.count(label), "label": label}
            )


def accept(rules: PrescreeningRules, accepted: Sequence[int]) -> None:
    """Accept the qualifications named, no others, and none of another group."""
    known = {one.pk for one in acceptable_qualifications(rules.study)}
    if not set(accepted) <= known:
        raise PrescreeningRefused(
            _("Only qualifications of studies that share an owner with this one can be accepted.")
        )
    AcceptedQualification.objects.filter(rules=rules).exclude(qualification__in=accepted).delete()
    for qualification in accepted:
        AcceptedQualification.objects.get_or_create(rules=rules, qualification_id=qualification)


@transaction.atomic
def open_prescreening(*, by: User | None, study: Study) -> PrescreeningRules:
    """Let candidates take tests; from now on nobody begins to work without the qualification."""
    with pghistory.context(user=by.pk if by else None, action="open prescreening"):
        rules = own_rules(study)
        rules.is_open = True
        refuse_impossible(rules)
        rules.save()
        Qualification.objects.get_or_create(study=study)
        offer_pool(by, study)
    return rules


def offer_pool(by: User | None, study: Study) -> None:
    """Make an open task of each post of the closed pool that has none in prescreening."""
    tasks = Task.objects.filter(batch__study=study, stage=StageCode.PRESCREENING)
    labels = GoldLabel.objects.filter(post__study=study, source=GoldSource.POOL)
    fresh = labels.exclude(post__in=tasks.values("post")).order_by("pk")
    posts = list(fresh.values_list("post_id", flat=True))
    if posts:
        batch = start_round(study=study, stage=StageCode.PRESCREENING, votes_wanted=None, seed=None)
        add_tasks(batch=batch, post_ids=posts, kind=TaskKind.OPEN)
        move_batch(by=by, batch=batch, to=BatchState.OPEN)


@transaction.atomic
def close_prescreening(*, by: User | None, study: Study) -> PrescreeningRules:
    """Begin no more tests; those that were begun can be finished. Newcomers work without one."""
    with pghistory.context(user=by.pk if by else None, action="close prescreening"):
        rules = own_rules(study)
        rules.is_open = False
        rules.save()
    return rules
