"""The shapes of money in the API. Amounts are decimals written as text."""

from decimal import Decimal
from typing import Any

from django.core.validators import MaxValueValidator, MinLengthValidator, MinValueValidator
from rest_framework import serializers

from annotation.api.fields import Moment
from annotation.api.pages import PageQuery
from annotation.models import StageCode
from crowd.forms.pay import FEWEST_CHARACTERS, MOST_CHARACTERS, MOST_MONEY
from crowd.models import (
    EntryKind,
    ErrandKind,
    ErrandState,
    PayApproval,
    PayState,
    RejectionReason,
)
from crowd.models.pay import MOST_DAYS

BIGGEST = 2**63 - 1
OUTCOMES = [(outcome, outcome) for outcome in ("done", "again", "set_aside")]
BY_HAND = [(kind.value, kind.label) for kind in (EntryKind.BONUS, EntryKind.CORRECTION)]


def money(**more: Any) -> serializers.DecimalField:
    """Return the field of an amount."""
    return serializers.DecimalField(max_digits=14, decimal_places=2, **more)


class PayQuery(PageQuery):
    """In which currency; without one in that of today."""

    currency = serializers.CharField(required=False, max_length=3)


class Sums(serializers.Serializer):
    """What work comes to: `entered` is approved, of which `paid` was paid and `to_pay` was not."""

    sittings = serializers.IntegerField()
    votes = serializers.IntegerField()
    seconds = serializers.FloatField()
    entered = money()
    paid = money()
    to_pay = money()
    waiting = money()
    under_way = money()
    rejected = money()
    hourly = money(allow_null=True)


class PersonPayRow(Sums):
    """What one person earned."""

    pseudonym = serializers.CharField(source="member.pseudonym")


class PaySummary(serializers.Serializer):
    """The study's money; `prolific` counts what Prolific is asked for, by state."""

    currency = serializers.CharField()
    total = Sums()
    still_to_come = money(help_text="What places of open batches cost at today's reward.")
    sittings_waiting = serializers.IntegerField()
    disputes_open = serializers.IntegerField()
    prolific = serializers.DictField(child=serializers.IntegerField())


class RulesShown(serializers.Serializer):
    """How a study pays. What a vote earns stands in the protocol."""

    hourly_floor = serializers.DecimalField(
        max_digits=8, decimal_places=2, min_value=Decimal("0.01"), allow_null=True
    )
    approval = serializers.ChoiceField(choices=PayApproval.choices)
    approve_after_days = serializers.IntegerField(min_value=1, max_value=MOST_DAYS)
    end_after_days = serializers.IntegerField(min_value=1, max_value=MOST_DAYS)
    screen_out = serializers.DecimalField(max_digits=8, decimal_places=2, min_value=Decimal(0))
    prescreening_is_paid = serializers.BooleanField()


class EntriesQuery(PageQuery):
    """Whose entries; everybody's without a pseudonym."""

    pseudonym = serializers.CharField(default="", allow_blank=True, max_length=40)


class EntryRow(serializers.Serializer):
    """An entry of the ledger, with the payout that holds it or what Prolific is asked for."""

    id = serializers.IntegerField()
    pseudonym = serializers.CharField(source="member.pseudonym")
    kind = serializers.ChoiceField(choices=EntryKind.choices)
    amount = money()
    currency = serializers.CharField()
    reason = serializers.CharField()
    sitting = serializers.IntegerField(source="sitting_id", allow_null=True)
    payout = serializers.IntegerField(source="line.payout.number", default=None, allow_null=True)
    at_prolific = serializers.ChoiceField(
        source="errand.state", choices=ErrandState.choices, default=None, allow_null=True
    )
    created_at = Moment()


class NewEntry(serializers.Serializer):
    """A bonus, or a correction, which may be negative; `form` is a UUID of yours."""

    pseudonym = serializers.CharField(max_length=40)
    kind = serializers.ChoiceField(choices=BY_HAND)
    amount = money(validators=[MinValueValidator(-MOST_MONEY), MaxValueValidator(MOST_MONEY)])
    reason = serializers.CharField(max_length=1_000, help_text="The person reads it.")
    form = serializers.UUIDField(required=False, help_text="Sent twice, it enters once.")


class SittingsQuery(PageQuery):
    """Sittings of which state, or of whom."""

    state = serializers.ChoiceField(default="", choices=PayState.choices, allow_blank=True)
    pseudonym = serializers.CharField(default="", allow_blank=True, max_length=40)


class SittingRow(serializers.Serializer):
    """A sitting, what its votes earn, and what was decided."""

    id = serializers.IntegerField(source="sitting.pk")
    pseudonym = serializers.CharField(source="sitting.member.pseudonym")
    stage = serializers.ChoiceField(source="sitting.stage", choices=StageCode.choices)
    state = serializers.ChoiceField(source="sitting.pay_state", choices=PayState.choices)
    votes = serializers.IntegerField(source="sitting.votes")
    size = serializers.IntegerField(source="sitting.size")
    amount = money()
    currency = serializers.CharField(source="sitting.currency")
    seconds = serializers.FloatField()
    hourly = money(allow_null=True)
    opened_at = Moment(source="sitting.opened_at")
    ended_at = Moment(source="sitting.ended_at", allow_null=True)
    rejected_because = serializers.CharField(source="review.reason", default="")
    words = serializers.CharField(source="review.words", default="")
    at_prolific = serializers.ChoiceField(
        source="review.errand.state", choices=ErrandState.choices, default=None, allow_null=True
    )


class Approve(serializers.Serializer):
    """Which sittings, by their ids."""

    sittings = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=BIGGEST), max_length=1_000
    )


class Approved(serializers.Serializer):
    """How many sittings were approved just now."""

    approved = serializers.IntegerField()


class Reject(serializers.Serializer):
    """Why a sitting is not paid, in the terms and at the length that platforms take."""

    reason = serializers.ChoiceField(choices=RejectionReason.choices)
    words = serializers.CharField(
        max_length=MOST_CHARACTERS, validators=[MinLengthValidator(FEWEST_CHARACTERS)]
    )


class Reinstate(serializers.Serializer):
    """Why it is paid after all."""

    words = serializers.CharField(max_length=MOST_CHARACTERS, default="", allow_blank=True)


class DisputeRow(serializers.Serializer):
    """What somebody says against a rejection, and the answer."""

    id = serializers.IntegerField()
    sitting = serializers.IntegerField(source="review.sitting_id")
    pseudonym = serializers.CharField(source="review.sitting.member.pseudonym")
    text = serializers.CharField()
    created_at = Moment()
    answer = serializers.CharField()
    answered_at = Moment(allow_null=True)


class DisputeAnswer(serializers.Serializer):
    """What the person reads, and whether the sitting is paid after all."""

    answer = serializers.CharField(max_length=5_000)
    is_paid = serializers.BooleanField()


class ErrandRow(serializers.Serializer):
    """One thing that Prolific is asked for."""

    id = serializers.IntegerField()
    pseudonym = serializers.CharField()
    kind = serializers.ChoiceField(choices=ErrandKind.choices)
    state = serializers.ChoiceField(choices=ErrandState.choices)
    reason = serializers.CharField()
    tries = serializers.IntegerField()
    entry = serializers.IntegerField(source="entry_id", allow_null=True)
    sitting = serializers.IntegerField(allow_null=True)
    created_at = Moment()
    ended_at = Moment(allow_null=True)


class ErrandsQuery(PageQuery):
    """Of which state."""

    state = serializers.ChoiceField(default="", choices=ErrandState.choices, allow_blank=True)


class AskAgain(serializers.Serializer):
    """What to ask for once more: these, or all that was not done."""

    errands = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=BIGGEST),
        required=False,
        max_length=1_000,
    )


class AskedAgain(serializers.Serializer):
    """How many things are asked for once more."""

    errands = serializers.IntegerField()


class ErrandOutcome(serializers.Serializer):
    """What became of it: Prolific did it, did not (ask again), or it is paid otherwise."""

    outcome = serializers.ChoiceField(choices=OUTCOMES)


class PayablePerson(serializers.Serializer):
    """What one person can be paid now."""

    pseudonym = serializers.CharField()
    payee = serializers.CharField()
    known_at = serializers.CharField()
    amount = money()
    entries = serializers.IntegerField()


class PayoutPreview(serializers.Serializer):
    """What a payout of everybody would hold; send `last_entry` and the sum to make it."""

    currency = serializers.CharField()
    last_entry = serializers.IntegerField()
    total = money()
    people = PayablePerson(many=True)


class NewPayout(serializers.Serializer):
    """What you have seen: where the sum is another by now, nothing is paid."""

    currency = serializers.CharField(max_length=3)
    last_entry = serializers.IntegerField(min_value=1, max_value=BIGGEST)
    expected = money()
    pseudonyms = serializers.ListField(
        child=serializers.CharField(max_length=40), required=False, max_length=10_000
    )


class PayoutRow(serializers.Serializer):
    """Entries that were paid together."""

    number = serializers.IntegerField()
    currency = serializers.CharField()
    total = money()
    entries = serializers.IntegerField()
    people = serializers.IntegerField()
    created_at = Moment()


class MturkReview(serializers.Serializer):
    """An assignment to approve, or to reject with words to the worker."""

    assignment = serializers.CharField()
    worker = serializers.CharField()
    words = serializers.CharField()


class MturkBonus(serializers.Serializer):
    """A bonus; the token lets it be paid once."""

    assignment = serializers.CharField()
    worker = serializers.CharField()
    amount = money()
    reason = serializers.CharField()
    token = serializers.CharField()


class PayoutShown(PayoutRow):
    """A payout with what each person gets of it, and what Mechanical Turk is told."""

    paid = PayablePerson(many=True)
    mturk_approvals = MturkReview(many=True)
    mturk_bonuses = MturkBonus(many=True)


class MturkRejections(serializers.Serializer):
    """What Mechanical Turk is told of sittings that stand rejected."""

    rejections = MturkReview(many=True)
