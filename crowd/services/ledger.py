"""Writes entries that no sitting earns: bonuses, screen-outs, corrections."""

import uuid
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Member, Sitting, User
from crowd.algorithms.pay import to_cents
from crowd.models import EntryKind, LedgerEntry
from crowd.services.errands import have_paid
from crowd.services.pay_rules import locked_rules


class EntryRefused(Exception):
    """An entry that cannot be; its text is a sentence for the person."""


@transaction.atomic
def add_entry(
    *,
    by: User,
    member: Member,
    kind: str,
    amount: Decimal,
    reason: str,
    sitting: Sitting | None = None,
    form: uuid.UUID | None = None,
) -> LedgerEntry:
    """Give a bonus, or correct what was entered wrongly. The same form sent twice enters once."""
    locked_rules(member.study)
    known = LedgerEntry.objects.filter(study=member.study_id, form=form).first() if form else None
    if known:
        return known
    amount = to_cents(amount)
    if not amount:
        raise EntryRefused(_("An entry of nothing changes nothing; give an amount."))
    if kind not in (EntryKind.BONUS, EntryKind.CORRECTION):
        raise EntryRefused(_("By hand only bonuses and corrections are entered."))
    if amount < 0 and kind != EntryKind.CORRECTION:
        raise EntryRefused(_("Only a correction can take something away."))
    return write(by, member, kind, amount, reason=reason, sitting=sitting, form=form)


@transaction.atomic
def pay_screen_out(*, by: User | None, member: Member) -> LedgerEntry | None:
    """Pay somebody who was turned away before the work, once; None where the rules pay nothing."""
    amount = locked_rules(member.study).screen_out
    known = LedgerEntry.objects.filter(member=member, kind=EntryKind.SCREEN_OUT).first()
    if known or not amount:
        return known
    return write(by, member, EntryKind.SCREEN_OUT, amount)


def write(
    by: User | None,
    member: Member,
    kind: str,
    amount: Decimal,
    *,
    reason: str = "",
    sitting: Sitting | None = None,
    form: uuid.UUID | None = None,
) -> LedgerEntry:
    """Write an entry in the study's currency of today; a platform is asked to pay it."""
    entry = LedgerEntry.objects.create(
        study=member.study,
        member=member,
        kind=kind,
        amount=amount,
        currency=member.study.protocol.currency,
        reason=reason,
        sitting=sitting,
        form=form or uuid.uuid4(),
        created_by=by,
    )
    have_paid(by=by, study=member.study, entries=[entry])
    return entry
