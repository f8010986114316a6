"""Pay of the month: decided by time and by hand, paid out, and counted again in cents."""

from collections.abc import Collection
from contextlib import suppress
from decimal import Decimal

from annotation.models import Sitting, SittingState
from crowd.models import EntryKind, RejectionReason
from crowd.queries.payouts import newest_unpaid
from crowd.services.ledger import add_entry
from crowd.services.pay import answer_dispute, approve, dispute, reject
from crowd.services.pay_rules import settle_by_time
from crowd.services.payouts import PayoutRefused, make_payout
from tests.acceptance.ground import Month
from tests.acceptance.shifts import Worker, let_time_pass, run_sql

DAYS_UNTIL_APPROVED = 4
BONUS = Decimal("5.00")
LEDGER = """
    SELECT member_id, (sum(amount) * 100)::integer FROM crowd_ledgerentry
    WHERE study_id = %s GROUP BY member_id
"""
PAID_TWICE = """
    SELECT count(*) FROM (
        SELECT entry_id FROM crowd_payoutline GROUP BY entry_id HAVING count(*) > 1
    ) AS twice
"""
PAID = """
    SELECT coalesce((sum(entry.amount) * 100)::integer, 0)
    FROM crowd_payoutline AS line JOIN crowd_ledgerentry AS entry ON entry.id = line.entry_id
    WHERE entry.study_id = %s
"""


def settle(month: Month, people: list[Worker], title: str) -> None:
    """Let the days pass after which sittings end and are approved by themselves; pay all that."""
    for _pass in range(2):
        let_time_pass(month.study.pk, DAYS_UNTIL_APPROVED, month.log)
        settle_by_time()
    compare_ledger(month, people, title)
    pay_out(month, title)


def compare_ledger(month: Month, people: list[Worker], title: str) -> None:
    """Hold the ledger against each person's own count of their answers."""
    names = {worker.member.pk: worker.name for worker in people}
    rows: list[tuple[int, int]] = run_sql(LEDGER, [month.study.pk])  # type: ignore[assignment]
    found = {names[member]: cents for member, cents in rows}
    expected = {name: cents for name, cents in month.log.earned().items() if cents}
    month.findings.check(f"{title}: owed in cents", sum(found.values()), sum(expected.values()))
    month.findings.check_each(f"{title}: people whose pay is right to the cent", found, expected)


def pay_out(month: Month, title: str) -> None:
    """Pay what is unpaid; a second payout of the same must be refused."""
    owed = sum(month.log.earned().values()) - sum(month.paid.values())
    expected = Decimal(owed) / 100
    newest = newest_unpaid(month.study, "USD")
    for attempt in ("first", "second"):
        with suppress(PayoutRefused):
            payout = make_payout(
                by=month.by, study=month.study, currency="USD", last_entry=newest, expected=expected
            )
            month.paid[f"{title}, {attempt}"] = int(payout.total * 100)
    month.findings.check(f"{title}: paid out in cents", month.paid.get(f"{title}, first"), owed)
    month.findings.check(
        f"{title}: the same payout again", month.paid.get(f"{title}, second"), None
    )
    month.findings.check(f"{title}: entries paid twice", run_sql(PAID_TWICE, [])[0][0], 0)
    total = run_sql(PAID, [month.study.pk])[0][0]
    month.findings.check(f"{title}: all payouts in cents", total, sum(month.log.earned().values()))


def reject_one(month: Month, worker: Worker, *, is_disputed: bool) -> None:
    """Reject a complete sitting; whoever disputes it is paid after all."""
    sitting = complete_sittings(worker)[-1]
    reject(
        by=month.by,
        sitting=sitting,
        reason=RejectionReason.values[0],
        words="Your answers look as if you had not read the posts.",
    )
    if is_disputed:
        raised = dispute(by=worker.member, sitting=sitting, text="I read each of them.")
        answer_dispute(by=month.by, dispute=raised, answer="You are right.", is_paid=True)
    else:
        month.log.unpaid.add(sitting.pk)


def complete_sittings(worker: Worker) -> list[Sitting]:
    """Return the complete sittings of work of one person, oldest first."""
    found = Sitting.objects.filter(
        member=worker.member, stage="crowd", state=SittingState.COMPLETE, votes__gt=0
    )
    return list(found.order_by("pk"))


def approve_by_hand(month: Month, workers: Collection[Worker]) -> None:
    """Approve what waits of some people twice; the second time there must be nothing to do."""
    waiting = [sitting.pk for worker in workers for sitting in complete_sittings(worker)]
    first, second = (
        approve(by=month.by, study=month.study, sittings=waiting) for _click in range(2)
    )
    month.findings.note("sittings approved by hand", first)
    month.findings.check("approved by a second click", second, 0)


def give_bonus(month: Month, worker: Worker) -> None:
    """Give somebody a bonus."""
    add_entry(
        by=month.by,
        member=worker.member,
        kind=EntryKind.BONUS,
        amount=BONUS,
        reason="The most careful work of the month",
    )
    month.log.bonuses.append((worker.name, BONUS))
