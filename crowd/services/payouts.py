"""Makes payouts: entries that are paid together. What one payout holds, no other can."""

from collections.abc import Collection
from decimal import Decimal

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.models import Study, User
from crowd.models import Payout, PayoutLine
from crowd.queries.payouts import payable, unpaid_entries
from crowd.services.pay_rules import locked_rules


class PayoutRefused(Exception):
    """A payout that cannot be; its text is a sentence for the person."""


@transaction.atomic
def make_payout(
    *,
    by: User,
    study: Study,
    currency: str,
    last_entry: int,
    expected: Decimal,
    people: Collection[int] | None = None,
) -> Payout:
    """Pay the entries up to `last_entry` of some people, or of all whose entries sum to something.

    `expected` is the total that the person has seen: where it is another by now, nothing is paid.
    """
    locked_rules(study)
    found = payable(study, currency, last_entry=last_entry, people=people)
    total = sum((one.amount for one in found), Decimal(0))
    if not found:
        raise PayoutRefused(_("Nothing is left to pay: it is in a payout already."))
    if total != expected:
        raise PayoutRefused(_("Something changed since you looked. Look at the amounts again."))
    last = Payout.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
    payout = Payout.objects.create(
        study=study, number=last + 1, currency=currency, total=total, created_by=by
    )
    paid = [one.member_id for one in found]
    entries = unpaid_entries(study, currency).filter(pk__lte=last_entry, member__in=paid)
    PayoutLine.objects.bulk_create(
        PayoutLine(payout=payout, entry_id=entry) for entry in entries.values_list("pk", flat=True)
    )
    return payout
