"""Applies the study's rules to somebody's work, and settles what they saw.

Rules look at a fixed rhythm, whatever the last post was: a moment that follows a check by design
would tell it apart. They look after the vote is stored, in a transaction of their own.
"""

from typing import Any

import pghistory
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Member, StageCode, Standing, StandingState, Study, User
from annotation.services.archive import hold_open
from annotation.services.assignments import Offer, lock_standing
from annotation.services.standings import change_standing
from crowd.models import Action, Flag, QualityRule, Watched
from crowd.queries.quality import rules_of, seen_by

EVERY = 10


class RuleRefused(Exception):
    """A rule that cannot be; its text is a sentence for the person."""


def is_due(offer: Offer) -> bool:
    """Say whether rules look after a vote: every tenth of a sitting, and when no post follows."""
    if offer.assignment is None or offer.assignment.sitting is None:
        return True
    return offer.assignment.sitting.votes % EVERY == 0


@transaction.atomic
def apply_rules(*, member: Member) -> list[Flag]:
    """Look at somebody's last work by all rules in force; return what is new.

    Nobody is warned or paused twice for the same work. A flag that nobody settles does not silence
    its rule: a whole window later it looks again, at once where it asks for more by now.
    """
    rules = list(rules_of(member.study).filter(is_active=True))
    if not rules:
        return []
    lock_standing(member, StageCode.CROWD)
    flags = [flag for rule in rules if (flag := looked(rule, member))]
    if any(flag.action == Action.PAUSE for flag in flags):
        pause(member, next(flag for flag in flags if flag.action == Action.PAUSE))
    return flags


def looked(rule: QualityRule, member: Member) -> Flag | None:
    """Return the flag that a rule raises; None where all is well or too little is known."""
    value = seen_by(rule, member)
    if value is None or not rule.is_broken_by(value):
        return None
    with pghistory.context(user=None, action="apply quality rules"):
        # The newest flag of a rule stands for what it saw before.
        open_flags = Flag.objects.filter(member=member, rule=rule, settled_at=None)
        open_flags.update(settled_at=timezone.now())
        return Flag.objects.create(
            member=member,
            rule=rule,
            seen=value,
            over=rule.over,
            threshold=rule.threshold,
            action=rule.action,
        )


def pause(member: Member, flag: Flag) -> None:
    """Pause somebody who may work; the reason on record is what the rule saw."""
    standing = Standing.objects.get(member=member, stage=StageCode.CROWD)
    if standing.state == StandingState.ACTIVE:
        change_standing(
            by=None,
            member=member,
            stage=StageCode.CROWD,
            state=StandingState.PAUSED,
            reason=flag.in_words,
        )


def kind_words(flag: Flag) -> str:
    """Return what a person is told who is warned. It tells no check apart from other posts."""
    if flag.rule.watched == Watched.SECONDS:
        return _("You are quick. Take all the time that a post needs; it is paid the same.")
    if flag.rule.watched == Watched.SKIPS:
        return _("You skipped many of the last posts. If they are hard to judge, write to us.")
    return _(
        "Thank you for your work. Some of your last answers are not what the guideline asks for; "
        "please read it once more."
    )


@transaction.atomic
def write_rule(
    *, by: User | None, study: Study, rule: QualityRule | None = None, **values: Any
) -> QualityRule:
    """Make a rule, or change one; flags keep the threshold that they were raised by."""
    rule = rule or QualityRule(study=study)
    for name, value in values.items():
        setattr(rule, name, value)
    try:
        rule.full_clean()
    except ValidationError as error:
        raise RuleRefused(" ".join(error.messages)) from error
    with pghistory.context(user=by.pk if by else None, action="write quality rule"):
        hold_open(study.pk)
        rule.save()
    return rule


@transaction.atomic
def settle(*, by: User, flag: Flag, note: str = "") -> Flag:
    """Close a flag; the rule looks anew at what comes from now on."""
    with pghistory.context(user=by.pk, action="settle flag"):
        hold_open(flag.member.study_id)
        flag = Flag.objects.select_for_update().get(pk=flag.pk)
        if flag.settled_at is None:
            flag.settled_at, flag.settled_by, flag.note = timezone.now(), by, note
            flag.save(update_fields=["settled_at", "settled_by", "note"])
    return flag
