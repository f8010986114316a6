"""A worker's own earnings, and a word against a rejection. Nobody else's figures are here."""

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.fields import Moment
from crowd.api.pay_shapes import Sums, money
from crowd.models import EntryKind, PayState
from crowd.queries.earnings import OwnSitting, own_extras, own_rows, own_sittings, own_sums
from crowd.services.pay import ReviewRefused, dispute

OWN = {"GET": Permission.WORK_CROWD, "POST": Permission.WORK_CROWD}


class OwnSums(serializers.Serializer):
    """What your work comes to in one currency."""

    currency = serializers.CharField()
    sums = Sums()


class OwnDispute(serializers.Serializer):
    """What you said against a rejection, and what was answered."""

    text = serializers.CharField()
    created_at = Moment()
    answer = serializers.CharField()
    answered_at = Moment(allow_null=True)


class OwnSittingRow(serializers.Serializer):
    """A sitting of yours: what it earns, where that stands, and the code that it ended with."""

    id = serializers.IntegerField(source="sitting.pk")
    state = serializers.ChoiceField(source="sitting.pay_state", choices=PayState.choices)
    votes = serializers.IntegerField(source="sitting.votes")
    size = serializers.IntegerField(source="sitting.size")
    amount = money()
    currency = serializers.CharField(source="sitting.currency")
    seconds = serializers.FloatField()
    hourly = money(allow_null=True)
    opened_at = Moment(source="sitting.opened_at")
    ended_at = Moment(source="sitting.ended_at", allow_null=True)
    approved_by_itself_at = Moment(allow_null=True)
    completion_code = serializers.CharField(source="completion.code", default="")
    rejected_because = serializers.CharField(source="review.reason", default="")
    words = serializers.CharField(source="review.words", default="")
    paid_because = serializers.CharField(
        source="reinstatement.words", default="", help_text="Why it is paid after all."
    )
    dispute = OwnDispute(allow_null=True)


class OwnEntry(serializers.Serializer):
    """A bonus, a correction, or what you got for coming."""

    kind = serializers.ChoiceField(choices=EntryKind.choices)
    amount = money()
    currency = serializers.CharField()
    reason = serializers.CharField()
    created_at = Moment()


class Objection(serializers.Serializer):
    """Why the rejection is wrong."""

    text = serializers.CharField(max_length=5_000)


class Earnings(StudyEndpoint):
    """What somebody earned."""

    needs = OWN

    @operation(OwnSums, is_list=True)
    def get(self, request: Request) -> Response:
        """Tell what you earned, approved, paid, waiting and rejected, in each currency."""
        known = own_sums(self.access.member)
        return self.answer([{"currency": currency, "sums": mine} for currency, mine in known])


class EarningsSittings(StudyEndpoint):
    """Somebody's own sittings."""

    needs = OWN

    @operation(OwnSittingRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List your sittings, newest first, with what each earns and where that stands."""
        member = self.access.member
        return self.page(own_sittings(member), ("-pk",), lambda found: own_rows(member, found))


class OwnSittingEndpoint(StudyEndpoint):
    """An address of one of somebody's own sittings."""

    needs = OWN

    def row(self, sitting_id: int) -> OwnSitting:
        """Return a sitting of the person; anybody else's is not there."""
        member = self.access.member
        found = own_sittings(member).filter(pk=sitting_id).first()
        if found is None:
            raise Http404(_("There is no such sitting of yours."))
        return own_rows(member, [found])[0]


class EarningsSitting(OwnSittingEndpoint):
    """One sitting."""

    @operation(OwnSittingRow)
    def get(self, request: Request, sitting_id: int) -> Response:
        """Tell what one of your sittings earns, and what was decided on it and why."""
        return self.answer(self.row(sitting_id))


class EarningsDispute(OwnSittingEndpoint):
    """A word against a rejection."""

    @operation(OwnSittingRow, sends=Objection, refusals={ReviewRefused: CONFLICT})
    def post(self, request: Request, sitting_id: int) -> Response:
        """Say once why a rejection is wrong; a researcher reads it and answers."""
        sitting = self.row(sitting_id).sitting
        dispute(by=self.access.member, sitting=sitting, **self.sent)
        return self.answer(self.row(sitting_id))


class EarningsEntries(StudyEndpoint):
    """Somebody's own entries besides their sittings."""

    needs = OWN

    @operation(OwnEntry, is_page=True)
    def get(self, request: Request) -> Response:
        """List what you got besides the pay of sittings, newest first."""
        return self.page(own_extras(self.access.member), ("-pk",))
