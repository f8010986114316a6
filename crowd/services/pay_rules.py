"""Changes how a study pays, and does by time what the rules say."""

from datetime import timedelta
from typing import Any

import pghistory
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from annotation.models import Sitting, SittingState, Study, User
from annotation.services.assignments import lock_standing
from annotation.services.sittings import end_sitting
from crowd.models import PayApproval, PayRules
from crowd.queries.pay import idle_sittings, rules_of, waiting_sittings
from crowd.services.pay import approve

MOST_AT_ONCE = 500


@transaction.atomic
def locked_rules(study: Study) -> PayRules:
    """Return a study's rules, made on first need, and locked: who writes about money queues up."""
    PayRules.objects.get_or_create(study=study)
    return PayRules.objects.select_for_update().get(study=study)


@transaction.atomic
def change_rules(*, by: User, study: Study, **rules: Any) -> PayRules:
    """Change a study's rules. Nothing that was decided or entered before changes with them."""
    with pghistory.context(user=by.pk, action="change pay rules"):
        found = locked_rules(study)
        for name, value in rules.items():
            setattr(found, name, value)
        found.save()
    return found


def settle_by_time() -> int:
    """End sittings that nobody came back to, and approve what has waited long enough.

    Returns how many. Several workers may do this at once: each sitting is locked before.
    """
    going_on = Sitting.objects.filter(state=SittingState.OPEN, votes__gt=0)
    ended = sum(end_idle(study) for study in studies_with(going_on))
    return ended + sum(approve_due(study) for study in studies_with(waiting_sittings()))


def studies_with(sittings: QuerySet[Sitting]) -> list[Study]:
    """Return the studies of some sittings."""
    return list(Study.objects.filter(pk__in=sittings.values("member__study")).order_by("pk"))


def end_idle(study: Study) -> int:
    """End a study's sittings without a vote for too many days; the votes given in them are paid."""
    found = idle_sittings(study, rules_of(study).end_after_days)[:MOST_AT_ONCE]
    return sum(end_if_idle(study, sitting) for sitting in found)


@transaction.atomic
def end_if_idle(study: Study, sitting: Sitting) -> bool:
    """End a sitting, unless the person came back at this moment."""
    lock_standing(sitting.member, sitting.stage)
    if not idle_sittings(study, rules_of(study).end_after_days).filter(pk=sitting.pk).exists():
        return False
    end_sitting(by=sitting.member, stage=sitting.stage, state=SittingState.LEFT)
    return True


def approve_due(study: Study) -> int:
    """Approve a study's sittings that have waited for as many days as its rules say."""
    rules = rules_of(study)
    if rules.approval != PayApproval.AUTOMATIC:
        return 0
    limit = Now() - timedelta(days=rules.approve_after_days)
    due = waiting_sittings(study).filter(ended_at__lte=limit).order_by("ended_at")
    sittings = list(due.values_list("pk", flat=True)[:MOST_AT_ONCE])
    return approve(by=None, study=study, sittings=sittings)
