"""Payouts, what Mechanical Turk is told, and what Prolific is asked for."""

from decimal import Decimal
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.models import Member
from crowd.api.pay import PayEndpoint
from crowd.api.pay_shapes import (
    AskAgain,
    AskedAgain,
    ErrandOutcome,
    ErrandRow,
    ErrandsQuery,
    MturkRejections,
    NewPayout,
    PayoutPreview,
    PayoutRow,
    PayoutShown,
    PayQuery,
)
from crowd.models import Errand, ErrandState
from crowd.queries import mturk
from crowd.queries.errands import errands_of
from crowd.queries.payees import payees
from crowd.queries.payouts import newest_unpaid, paid_people, payable, payouts_of
from crowd.services.errands import ErrandRefused, settle_errand, try_again
from crowd.services.payouts import PayoutRefused, make_payout


def person_row(member: Member, payee: Any, amount: Decimal, entries: int) -> dict[str, Any]:
    """Return what one person is paid, and under which name."""
    return {
        "pseudonym": member.pseudonym,
        "payee": payee.name,
        "known_at": payee.known_at,
        "amount": amount,
        "entries": entries,
    }


class PayoutPreviewed(PayEndpoint):
    """What can be paid now."""

    needs = {"GET": Permission.MANAGE_PAY}

    @operation(PayoutPreview, query=PayQuery)
    def get(self, request: Request) -> Response:
        """Tell what a payout of everybody would hold, by the names that people are paid under."""
        study, currency = self.access.study, self.currency()
        last_entry = newest_unpaid(study, currency)
        found = payable(study, currency, last_entry=last_entry)
        members = Member.objects.select_related("user").in_bulk([one.member_id for one in found])
        names = payees(study, members.values())
        people = [
            person_row(members[one.member_id], names[one.member_id], one.amount, one.entries)
            for one in found
        ]
        total = sum((one.amount for one in found), Decimal(0))
        shown = {"currency": currency, "last_entry": last_entry, "total": total, "people": people}
        return self.answer(shown)


class Payouts(StudyEndpoint):
    """All payouts."""

    needs = {"GET": Permission.MANAGE_PAY, "POST": Permission.MANAGE_PAY}

    @operation(PayoutRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List the payouts, newest first."""
        return self.page(payouts_of(self.access.study), ("-number",))

    @operation(PayoutRow, sends=NewPayout, code=201, refusals={PayoutRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Make a payout of what you have seen: of everybody, or of some people."""
        study, sent = self.access.study, dict(self.sent)
        names = sent.pop("pseudonyms", None)
        people = study.members.filter(pseudonym__in=names or ()).values_list("pk", flat=True)
        chosen = None if names is None else list(people)
        made = make_payout(by=self.access.user, study=study, people=chosen, **sent)
        return self.answer(payouts_of(study).get(pk=made.pk))


class OnePayout(StudyEndpoint):
    """One payout."""

    needs = {"GET": Permission.MANAGE_PAY}

    @operation(PayoutShown)
    def get(self, request: Request, number: int) -> Response:
        """Tell whom a payout pays how much, and what Mechanical Turk is told of it."""
        payout: Any = of_study(payouts_of(self.access.study), self.access, number=number)
        payout.paid = [
            person_row(one.member, one.payee, one.amount, one.entries)
            for one in paid_people(payout)
        ]
        payout.mturk_approvals = reviews(mturk.approvals(payout))
        names = ("assignment", "worker", "amount", "reason", "token")
        rows = mturk.bonuses(payout)
        payout.mturk_bonuses = [dict(zip(names, cells, strict=True)) for cells in rows]
        return self.answer(payout)


def reviews(rows: Any) -> list[dict[str, Any]]:
    """Return rows of a file of reviews as objects."""
    return [
        {"assignment": assignment, "worker": worker, "words": words}
        for assignment, worker, _mark, words in rows
    ]


class PayMturk(StudyEndpoint):
    """Rejections at Mechanical Turk."""

    needs = {"GET": Permission.MANAGE_PAY}

    @operation(MturkRejections)
    def get(self, request: Request) -> Response:
        """List the assignments of sittings that stand rejected."""
        return self.answer({"rejections": reviews(mturk.rejections(self.access.study))})


class Errands(StudyEndpoint):
    """What Prolific is asked for."""

    needs = {"GET": Permission.REVIEW_PAY}

    @operation(ErrandRow, is_page=True, query=ErrandsQuery)
    def get(self, request: Request) -> Response:
        """List what Prolific is asked for, newest first."""
        rows, state = errands_of(self.access.study), self.query["state"]
        return self.page(rows.filter(state=state) if state else rows, ("-pk",))


class ErrandsRetry(StudyEndpoint):
    """Another attempt."""

    needs = {"POST": Permission.REVIEW_PAY}

    @operation(AskedAgain, sends=AskAgain)
    def post(self, request: Request) -> Response:
        """Ask Prolific once more for what was not done; what is doubtful is not among it."""
        study, chosen = self.access.study, self.sent.get("errands")
        if chosen is None:
            failed = Errand.objects.filter(study=study, state=ErrandState.FAILED)
            chosen = list(failed.values_list("pk", flat=True))
        return self.answer({"errands": try_again(by=self.access.user, study=study, errands=chosen)})


class ErrandSettle(StudyEndpoint):
    """What became of something that was not done, or is doubtful."""

    needs = {"POST": Permission.MANAGE_PAY}

    @operation(ErrandRow, sends=ErrandOutcome, refusals={ErrandRefused: CONFLICT})
    def post(self, request: Request, errand_id: int) -> Response:
        """Say after a look at Prolific what became of it."""
        errand = of_study(Errand.objects.all(), self.access, pk=errand_id)
        settle_errand(by=self.access.user, errand=errand, outcome=self.sent["outcome"])
        return self.answer(errands_of(self.access.study).get(pk=errand_id))
