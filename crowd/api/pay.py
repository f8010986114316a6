"""Pay: what everybody earned, sittings to decide on, the ledger, the rules, disputes."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import bad_fields
from annotation.models import Member, Sitting
from crowd.api.pay_shapes import (
    Approve,
    Approved,
    DisputeAnswer,
    DisputeRow,
    EntriesQuery,
    EntryRow,
    NewEntry,
    PayQuery,
    PaySummary,
    PersonPayRow,
    Reinstate,
    Reject,
    RulesShown,
    SittingRow,
    SittingsQuery,
)
from crowd.models import LedgerEntry
from crowd.queries.earnings import currencies_of, forecast, pay_of, people_pay, total_of
from crowd.queries.errands import errand_counts
from crowd.queries.pay import (
    disputes_of,
    in_pay_state,
    open_disputes,
    rules_of,
    sitting_rows,
    sittings_of,
    waiting_sittings,
)
from crowd.services.ledger import EntryRefused, add_entry
from crowd.services.pay import ReviewRefused, answer_dispute, approve, reinstate, reject
from crowd.services.pay_rules import change_rules

REVIEWED = {"GET": Permission.REVIEW_PAY, "POST": Permission.REVIEW_PAY}


class PayEndpoint(StudyEndpoint):
    """An address of a study's money."""

    def currency(self) -> str:
        """Return the currency that is asked for; the one of today without one."""
        study = self.access.study
        known = currencies_of(study.members.all(), study.protocol.currency)
        wanted: str = self.query.get("currency", known[0])
        if wanted not in known:
            raise bad_fields({"currency": [_("Nobody earned anything in “%s”.") % wanted]})
        return wanted

    def member(self, pseudonym: str) -> Member:
        """Return the member with a pseudonym."""
        return of_study(Member.objects.all(), self.access, pseudonym=pseudonym)

    def sitting(self, sitting_id: int) -> Any:
        """Return a sitting of the study with its figures."""
        found = get_object_or_404(sittings_of(self.access.study), pk=sitting_id)
        return sitting_rows(self.access.study, [found])[0]


class Pay(PayEndpoint):
    """The study's money in one currency."""

    needs = {"GET": Permission.REVIEW_PAY}

    @operation(PaySummary, query=PayQuery)
    def get(self, request: Request) -> Response:
        """Tell what was earned, approved and paid in all, and what waits for somebody."""
        study, currency = self.access.study, self.currency()
        counts = errand_counts(study)
        return self.answer(
            {
                "currency": currency,
                "total": total_of(people_pay(study.members.all(), currency)),
                "still_to_come": forecast(study).running_cost,
                "sittings_waiting": waiting_sittings(study).count(),
                "disputes_open": open_disputes(study).count(),
                "prolific": counts,
            }
        )


class PayPeople(PayEndpoint):
    """What each person earned."""

    needs = {"GET": Permission.REVIEW_PAY}

    @operation(PersonPayRow, is_page=True, query=PayQuery)
    def get(self, request: Request) -> Response:
        """List people by pseudonym with what they earned in one currency."""
        currency = self.currency()

        def earnings(members: list[Member]) -> list[Any]:
            which = {"member__in": [one.pk for one in members], "currency": currency}
            found = pay_of(which)
            for member in members:
                if (member.pk, currency) in found:
                    found[member.pk, currency].member = member
            keys = ((member.pk, currency) for member in members)
            return [found[key] for key in keys if key in found]

        return self.page(self.access.study.members.all(), ("pseudonym", "pk"), earnings)


class PayRulesEndpoint(PayEndpoint):
    """How the study pays."""

    needs = {"GET": Permission.REVIEW_PAY, "PATCH": Permission.MANAGE_PAY}

    @operation(RulesShown)
    def get(self, request: Request) -> Response:
        """Tell the rules of pay."""
        return self.answer(rules_of(self.access.study))

    @operation(RulesShown, sends=RulesShown, is_partial=True)
    def patch(self, request: Request) -> Response:
        """Change some rules; what was decided or entered before stays as it is."""
        study = self.access.study
        return self.answer(change_rules(by=self.access.user, study=study, **self.sent))


class PayEntries(PayEndpoint):
    """The ledger."""

    needs = {"GET": Permission.REVIEW_PAY, "POST": Permission.MANAGE_PAY}

    @operation(EntryRow, is_page=True, query=EntriesQuery)
    def get(self, request: Request) -> Response:
        """List the entries of the ledger, newest first; of all, or of one person."""
        rows = entry_rows(self)
        pseudonym = self.query["pseudonym"]
        return self.page(rows.filter(member__pseudonym=pseudonym) if pseudonym else rows, ("-pk",))

    @operation(EntryRow, sends=NewEntry, code=201, refusals={EntryRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Give a bonus, or correct what was entered wrongly; the same `form` enters once."""
        sent = dict(self.sent)
        try:
            member = self.member(sent.pop("pseudonym"))
        except Http404:
            raise bad_fields({"pseudonym": [_("Nobody here is called so.")]}) from None
        entry = add_entry(by=self.access.user, member=member, **sent)
        return self.answer(entry_rows(self).get(pk=entry.pk))


def entry_rows(endpoint: PayEndpoint) -> Any:
    """Return a study's entries with what a row shows."""
    rows = LedgerEntry.objects.filter(study=endpoint.access.study)
    return rows.select_related("member", "line__payout", "errand")


class PaySittings(PayEndpoint):
    """Sittings and where each stands on its way to the person's money."""

    needs = {"GET": Permission.REVIEW_PAY}

    @operation(SittingRow, is_page=True, query=SittingsQuery)
    def get(self, request: Request) -> Response:
        """List sittings with votes, newest first; of one state, or of one person."""
        asked, study = self.query, self.access.study
        rows = sittings_of(study).filter(votes__gt=0)
        if asked["state"]:
            rows = in_pay_state(rows, asked["state"])
        if asked["pseudonym"]:
            rows = rows.filter(member__pseudonym=asked["pseudonym"])
        return self.page(rows, ("-pk",), lambda found: sitting_rows(study, found))


class OnePaySitting(PayEndpoint):
    """One sitting."""

    needs = {"GET": Permission.REVIEW_PAY}

    @operation(SittingRow)
    def get(self, request: Request, sitting_id: int) -> Response:
        """Tell what a sitting comes to, and what was decided on it."""
        return self.answer(self.sitting(sitting_id))


class PayApprove(PayEndpoint):
    """Approvals."""

    needs = {"POST": Permission.REVIEW_PAY}

    @operation(Approved, sends=Approve)
    def post(self, request: Request) -> Response:
        """Approve those of the sittings that wait for it; an approval is final."""
        study, user = self.access.study, self.access.user
        return self.answer(
            {"approved": approve(by=user, study=study, sittings=self.sent["sittings"])}
        )


class DecisionEndpoint(PayEndpoint):
    """A decision on one sitting."""

    needs = {"POST": Permission.REVIEW_PAY}

    def found(self, sitting_id: int) -> Sitting:
        """Return the sitting that is decided on."""
        sittings = Sitting.objects.filter(member__study=self.access.study)
        return get_object_or_404(sittings, pk=sitting_id)


class PayReject(DecisionEndpoint):
    """Rejections."""

    @operation(SittingRow, sends=Reject, refusals={ReviewRefused: CONFLICT})
    def post(self, request: Request, sitting_id: int) -> Response:
        """Reject a sitting that waits: it is not paid, its votes stay, the person reads why."""
        reject(by=self.access.user, sitting=self.found(sitting_id), **self.sent)
        return self.answer(self.sitting(sitting_id))


class PayReinstate(DecisionEndpoint):
    """Rejections taken back."""

    @operation(SittingRow, sends=Reinstate, refusals={ReviewRefused: CONFLICT})
    def post(self, request: Request, sitting_id: int) -> Response:
        """Pay a rejected sitting after all."""
        reinstate(by=self.access.user, sitting=self.found(sitting_id), **self.sent)
        return self.answer(self.sitting(sitting_id))


class PayDisputes(PayEndpoint):
    """What people say against rejections."""

    needs = {"GET": Permission.REVIEW_PAY}

    @operation(DisputeRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List disputes, the oldest first."""
        return self.page(disputes_of(self.access.study))


class PayDisputeAnswer(PayEndpoint):
    """The answer to a dispute."""

    needs = {"POST": Permission.REVIEW_PAY}

    @operation(DisputeRow, sends=DisputeAnswer, refusals={ReviewRefused: CONFLICT})
    def post(self, request: Request, dispute_id: int) -> Response:
        """Answer a dispute, once; `is_paid` pays the sitting after all."""
        disputes = disputes_of(self.access.study)
        found = get_object_or_404(disputes, pk=dispute_id)
        answer_dispute(by=self.access.user, dispute=found, **self.sent)
        return self.answer(disputes.get(pk=dispute_id))
