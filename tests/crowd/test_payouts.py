"""Nobody is paid twice: by payouts in order, at once, or in any order of things."""

import threading
import uuid
from decimal import Decimal

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import BatchState, Role
from annotation.services.batches import move_batch
from crowd.models import LedgerEntry, Payout, PayoutLine, SittingReview
from crowd.queries.earnings import people_pay, person_pay, total_of
from crowd.queries.payouts import paid_people
from crowd.services.batches import create_batch
from crowd.services.ledger import add_entry, pay_screen_out
from crowd.services.pay import ReviewRefused, approve, reinstate, reject
from crowd.services.payouts import PayoutRefused, make_payout
from tests.cast import add_posts, join, make_cast
from tests.crowd.paying import WORDS, approved, ended_sitting, pay_all


@pytest.fixture
def entries(cast, batch):
    return approved(cast.study, *(ended_sitting(cast.study, name) for name in ("ada", "ben")))


@pytest.mark.django_db
class TestInOrder:
    """One payout after the other."""

    def test_a_payout_holds_what_is_approved_and_the_next_one_finds_nothing(self, cast, entries):
        payout = pay_all(cast)
        assert (payout.number, payout.total) == (1, Decimal("0.72"))
        assert {one.amount for one in paid_people(payout)} == {Decimal("0.36")}
        with pytest.raises(PayoutRefused, match="Nothing is left to pay"):
            pay_all(cast)
        assert Payout.objects.count() == 1

    def test_only_chosen_people_are_paid(self, cast, entries):
        first, second = entries
        payout = pay_all(cast, people=[first.member_id])
        assert payout.lines.get().entry == first
        assert person_pay(second.member, "USD").to_pay == Decimal("0.36")

    def test_what_came_after_the_preview_waits(self, cast, entries):
        add_entry(
            by=cast.owner.user,
            member=entries[0].member,
            kind="bonus",
            amount=Decimal(5),
            reason="Thank you.",
        )
        payout = make_payout(
            by=cast.owner.user,
            study=cast.study,
            currency="USD",
            last_entry=entries[1].pk,
            expected=Decimal("0.72"),
        )
        assert payout.total == Decimal("0.72")

    def test_nothing_is_paid_where_the_amounts_are_no_longer_those_of_the_preview(
        self, cast, entries
    ):
        with pytest.raises(PayoutRefused, match="Something changed"):
            make_payout(
                by=cast.owner.user,
                study=cast.study,
                currency="USD",
                last_entry=entries[1].pk,
                expected=Decimal("0.71"),
            )
        assert not Payout.objects.exists()

    def test_what_a_correction_took_away_waits_until_more_is_earned(self, cast, entries):
        member = entries[0].member
        taken = {"by": cast.owner.user, "member": member, "kind": "correction", "reason": "Twice."}
        add_entry(**taken, amount=Decimal("-1.00"))
        assert [one.entry for one in pay_all(cast).lines.all()] == [entries[1]]
        add_entry(**taken, amount=Decimal("2.00"))
        assert pay_all(cast).total == Decimal("1.36")
        assert person_pay(member, "USD").to_pay == 0

    def test_currencies_are_paid_apart(self, cast, entries):
        cast.study.protocol.currency = "EUR"
        cast.study.protocol.save()
        pay_screen_out(by=None, member=cast.worker)
        assert pay_all(cast).total == Decimal("0.72")
        assert pay_all(cast, currency="EUR").total == Decimal("0.18")

    def test_the_database_refuses_a_second_line_and_any_change(self, cast, entries):
        payout = pay_all(cast)
        with pytest.raises(IntegrityError), transaction.atomic():
            PayoutLine.objects.create(payout=payout, entry=entries[0])
        for rows in (Payout.objects.all(), PayoutLine.objects.all()):
            with pytest.raises(DatabaseError), transaction.atomic():
                rows.first().delete()
        with pytest.raises(DatabaseError), transaction.atomic():
            Payout.objects.update(total=1)

    def test_the_same_form_sent_twice_enters_once(self, cast, worker):
        form = uuid.uuid4()
        more = {"by": cast.owner.user, "member": worker, "kind": "bonus", "reason": "Thank you."}
        first = add_entry(**more, amount=Decimal(1), form=form)
        assert add_entry(**more, amount=Decimal(1), form=form) == first
        assert LedgerEntry.objects.count() == 1


def at_once(*acts):
    """Do things in threads that start together; return what came of each."""
    barrier = threading.Barrier(len(acts))
    outcomes = [None] * len(acts)

    def run(number, act):
        try:
            barrier.wait()
            outcomes[number] = act()
        except (PayoutRefused, ReviewRefused) as refusal:
            outcomes[number] = refusal
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def study_at_work(votes=4):
    cast = make_cast("paid")
    add_posts(cast.study, votes)
    batch = create_batch(by=None, study=cast.study, posts=votes, votes_wanted=8)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    return cast


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    """Two researchers click at the same moment."""

    def test_payouts_made_at_once_pay_once(self):
        cast = study_at_work()
        sittings = [ended_sitting(cast.study, f"w{number}") for number in range(4)]
        approved(cast.study, *sittings)
        outcomes = at_once(*[lambda: pay_all(cast)] * 6)
        paid = [one for one in outcomes if isinstance(one, Payout)]
        assert len(paid) == 1 and paid[0].total == Decimal("1.44")
        assert all("Nothing is left" in str(one) for one in outcomes if one not in paid)
        assert PayoutLine.objects.count() == 4

    def test_decisions_made_at_once_decide_once(self):
        cast = study_at_work()
        by = cast.owner.user
        for number in range(4):
            sitting = ended_sitting(cast.study, f"w{number}")
            outcomes = at_once(
                *[lambda one=sitting: approve(by=by, study=cast.study, sittings=[one.pk])] * 3,
                *[lambda one=sitting: reject(by=by, sitting=one, reason="other", words=WORDS)] * 3,
            )
            decided = [one for one in outcomes if one == 1 or isinstance(one, SittingReview)]
            assert len(decided) == 1, outcomes
            review = SittingReview.objects.get(sitting=sitting)
            entries = LedgerEntry.objects.filter(sitting=sitting).count()
            assert entries == (review.decision == "approved")

    def test_rejections_taken_back_at_once_pay_once(self):
        cast = study_at_work()
        sitting = ended_sitting(cast.study, "ada")
        reject(by=cast.owner.user, sitting=sitting, reason="other", words=WORDS)
        outcomes = at_once(*[lambda: reinstate(by=cast.owner.user, sitting=sitting)] * 4)
        assert sum(isinstance(one, SittingReview) for one in outcomes) == 1
        assert LedgerEntry.objects.count() == 1

    def test_screen_outs_at_once_pay_once(self):
        cast = study_at_work()
        outcomes = at_once(*[lambda: pay_screen_out(by=None, member=cast.worker)] * 4)
        assert len({one.pk for one in outcomes}) == 1 and LedgerEntry.objects.count() == 1


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("approve"), st.integers(0, 3)),
        st.tuples(st.just("reject"), st.integers(0, 3)),
        st.tuples(st.just("reinstate"), st.integers(0, 3)),
        st.tuples(st.just("bonus"), st.decimals("0.01", "9.99", places=2)),
        st.tuples(st.just("correct"), st.decimals("-9.99", "9.99", places=2)),
        st.tuples(st.just("pay"), st.none()),
    ),
    max_size=12,
)


@pytest.fixture
def sittings(cast, batch):
    return [ended_sitting(cast.study, f"w{n}", votes=n + 1) for n in range(3)]


@pytest.mark.django_db
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
def test_whatever_happens_sums_are_those_of_the_entries_and_each_is_paid_once(
    cast, sittings, steps
):
    with transaction.atomic():
        bonuses = Decimal(0)
        for step, value in steps:
            bonuses += take(cast, sittings, step, value)
        total = total_of(people_pay(cast.study.members.all(), "USD"))
        entries = list(LedgerEntry.objects.all())
        assert total.entered == sum((one.amount for one in entries), Decimal(0))
        lines = PayoutLine.objects.values_list("entry__amount", flat=True)
        assert (
            total.paid
            == sum(lines, Decimal(0))
            == sum((one.total for one in Payout.objects.all()), Decimal(0))
        )
        earned = sum((one.amount for one in entries if one.sitting_id), Decimal(0))
        assert earned + total.waiting + total.rejected == 6 * Decimal("0.18")
        assert total.entered == earned + bonuses
        assert all(one.total > 0 for one in Payout.objects.all())
        transaction.set_rollback(True)


def take(cast, sittings, step, value):
    """Do one thing; return what it adds besides the pay of sittings."""
    by = cast.owner.user
    sitting = sittings[value % len(sittings)] if isinstance(value, int) else sittings[0]
    try:
        if step == "approve":
            approve(by=by, study=cast.study, sittings=[sitting.pk])
        elif step == "reject":
            reject(by=by, sitting=sitting, reason="other", words=WORDS)
        elif step == "reinstate":
            reinstate(by=by, sitting=sitting)
        elif step == "pay":
            pay_all(cast)
        elif value:
            kind = "bonus" if step == "bonus" else "correction"
            add_entry(by=by, member=sitting.member, kind=kind, amount=value, reason="So.")
            return value
    except (PayoutRefused, ReviewRefused):
        pass
    return Decimal(0)


@pytest.mark.django_db
def test_a_person_of_another_study_is_not_paid_from_this_one(cast, entries):
    other = make_cast("elsewhere")
    stranger = join(other.study, "cleo", Role.CROWD_WORKER)
    add_entry(
        by=other.owner.user, member=stranger, kind="bonus", amount=Decimal(3), reason="Thanks."
    )
    assert pay_all(cast).total == Decimal("0.72")
    with pytest.raises(PayoutRefused):
        pay_all(cast, people=[stranger.pk])
