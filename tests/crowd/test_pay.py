"""Sittings become money once, and only by a decision."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from annotation.models import Assignment, Protocol, Sitting, SittingState, StageCode
from annotation.services.sittings import begin_sitting, open_sitting
from annotation.services.votes import Answer, correct_vote
from crowd.models import Dispute, EntryKind, LedgerEntry, PayRules, SittingReview
from crowd.queries.earnings import forecast, people_pay, person_pay
from crowd.queries.pay import prescreening_reward, sitting_rows, sittings_of
from crowd.services.ledger import EntryRefused, add_entry, pay_screen_out
from crowd.services.pay import ReviewRefused, answer_dispute, approve, dispute, reinstate
from crowd.services.pay_rules import change_rules, settle_by_time
from tests.cast import make_cast
from tests.crowd.paying import approved, ended_sitting, rejected, votes_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting(cast, batch):
    return ended_sitting(cast.study, "ada")


def long_ago(sitting, days):
    """Move a sitting and its votes into the past."""
    moment = timezone.now() - timedelta(days=days)
    Assignment.objects.filter(sitting=sitting).update(opened_at=moment, ended_at=moment)
    ended_at = None if sitting.ended_at is None else moment
    Sitting.objects.filter(pk=sitting.pk).update(opened_at=moment, ended_at=ended_at)


def state_of(sitting):
    study = sitting.member.study
    return sittings_of(study).get(pk=sitting.pk).pay_state


def test_an_approved_sitting_is_one_entry_of_its_votes_at_the_reward_of_its_beginning(
    cast, sitting
):
    Protocol.objects.filter(study=cast.study).update(reward="9.00")
    assert state_of(sitting) == "waiting"
    (entry,) = approved(cast.study, sitting)
    assert (entry.kind, entry.amount, entry.currency) == (EntryKind.SITTING, Decimal("0.36"), "USD")
    assert entry.member == sitting.member and state_of(sitting) == "approved"


def test_approving_again_adds_nothing(cast, sitting):
    approved(cast.study, sitting)
    assert approve(by=cast.owner.user, study=cast.study, sittings=[sitting.pk]) == 0
    assert LedgerEntry.objects.count() == SittingReview.objects.count() == 1


def test_a_sitting_that_goes_on_is_not_decided_on(cast, batch, worker):
    votes_of(worker, 1)
    going_on = open_sitting(by=worker, stage=StageCode.CROWD)
    assert approve(by=None, study=cast.study, sittings=[going_on.pk]) == 0
    with pytest.raises(ReviewRefused, match="goes on still"):
        rejected(cast, going_on)
    assert state_of(going_on) == "under_way"


def test_a_sitting_without_reward_is_nothing_to_decide_on(cast, batch):
    Protocol.objects.filter(study=cast.study).update(reward=0)
    cast.study.protocol.refresh_from_db()
    unpaid = ended_sitting(cast.study, "ada")
    assert approve(by=None, study=cast.study, sittings=[unpaid.pk]) == 0
    with pytest.raises(ReviewRefused, match="nothing to pay"):
        rejected(cast, unpaid)
    assert state_of(unpaid) == "nothing"


def test_a_sitting_of_another_study_is_not_approved_through_this_one(cast, sitting):
    other = make_cast("elsewhere")
    assert approve(by=other.owner.user, study=other.study, sittings=[sitting.pk]) == 0
    assert state_of(sitting) == "waiting"


def test_a_rejected_sitting_is_paid_only_when_it_is_reinstated(cast, sitting):
    rejected(cast, sitting)
    assert state_of(sitting) == "rejected"
    assert approve(by=None, study=cast.study, sittings=[sitting.pk]) == 0
    assert not LedgerEntry.objects.exists()
    reinstate(by=cast.owner.user, sitting=sitting, words="We looked again.")
    assert LedgerEntry.objects.get().amount == Decimal("0.36")
    assert state_of(sitting) == "approved"
    with pytest.raises(ReviewRefused, match="is not rejected"):
        reinstate(by=cast.owner.user, sitting=sitting)


def test_an_approval_is_final(cast, sitting):
    approved(cast.study, sitting)
    with pytest.raises(ReviewRefused, match="decided on already: approved"):
        rejected(cast, sitting)
    with pytest.raises(ReviewRefused, match="is not rejected"):
        reinstate(by=cast.owner.user, sitting=sitting)


def test_a_rejection_is_disputed_once_by_the_person_and_answered_once(cast, sitting, worker):
    with pytest.raises(ReviewRefused, match="nothing to dispute"):
        dispute(by=sitting.member, sitting=sitting, text="But I read them.")
    rejected(cast, sitting)
    with pytest.raises(ReviewRefused, match="nothing to dispute"):
        dispute(by=worker, sitting=sitting, text="Not mine.")
    first = dispute(by=sitting.member, sitting=sitting, text="But I read them.")
    again = dispute(by=sitting.member, sitting=sitting, text="And again.")
    assert first == again and Dispute.objects.get().text == "But I read them."
    with pytest.raises(ReviewRefused, match="decide by answering"):
        reinstate(by=cast.owner.user, sitting=sitting)
    answer_dispute(by=cast.researcher.user, dispute=first, answer="You are right.", is_paid=True)
    assert state_of(sitting) == "approved"
    with pytest.raises(ReviewRefused, match="its answer already"):
        answer_dispute(by=cast.researcher.user, dispute=first, answer="No.", is_paid=False)
    assert LedgerEntry.objects.count() == 1


def test_a_dispute_that_changes_nothing_leaves_the_sitting_rejected(cast, sitting):
    rejected(cast, sitting)
    said = dispute(by=sitting.member, sitting=sitting, text="But I read them.")
    answer_dispute(by=cast.researcher.user, dispute=said, answer="Not so.", is_paid=False)
    assert state_of(sitting) == "rejected" and not LedgerEntry.objects.exists()


def test_time_approves_what_has_waited_long_enough(cast, batch):
    fresh, old = ended_sitting(cast.study, "ada"), ended_sitting(cast.study, "ben")
    long_ago(fresh, 2.9)
    long_ago(old, 3.1)
    assert settle_by_time() == 1
    assert (state_of(fresh), state_of(old)) == ("waiting", "approved")
    assert LedgerEntry.objects.get().created_by is None
    assert settle_by_time() == 0


def test_time_approves_neither_rejected_sittings_nor_any_where_it_is_done_by_hand(cast, batch):
    bad, good = ended_sitting(cast.study, "ada"), ended_sitting(cast.study, "ben")
    rejected(cast, bad)
    change_rules(by=cast.owner.user, study=cast.study, approval="by_hand")
    for sitting in (bad, good):
        long_ago(sitting, 30)
    assert settle_by_time() == 0
    assert (state_of(bad), state_of(good)) == ("rejected", "waiting")


def test_a_sitting_nobody_came_back_to_ends_and_its_votes_are_paid(cast, batch, worker):
    votes_of(worker, 2)
    going_on = open_sitting(by=worker, stage=StageCode.CROWD)
    assert settle_by_time() == 0
    long_ago(going_on, 4)
    assert settle_by_time() == 1
    going_on.refresh_from_db()
    assert (going_on.state, state_of(going_on)) == (SittingState.LEFT, "waiting")


def test_an_open_sitting_without_votes_stays_open(cast, batch, worker):
    going_on = open_sitting(by=worker, stage=StageCode.CROWD)
    long_ago(going_on, 40)
    assert settle_by_time() == 0


def test_bonuses_add_and_only_corrections_take_away(cast, worker):
    by = cast.owner.user
    with pytest.raises(EntryRefused, match="Only a correction"):
        add_entry(by=by, member=worker, kind="bonus", amount=Decimal(-1), reason="?")
    with pytest.raises(EntryRefused, match="give an amount"):
        add_entry(by=by, member=worker, kind="bonus", amount=Decimal("0.004"), reason="?")
    with pytest.raises(EntryRefused, match="only bonuses and corrections"):
        add_entry(by=by, member=worker, kind="sitting", amount=Decimal(1), reason="?")
    add_entry(by=by, member=worker, kind="bonus", amount=Decimal("2.005"), reason="Thank you.")
    add_entry(by=by, member=worker, kind="correction", amount=Decimal("-0.50"), reason="Twice.")
    assert person_pay(worker, "USD").entered == Decimal("1.50")


def test_a_screen_out_is_paid_once_a_person(cast, worker):
    first = pay_screen_out(by=None, member=worker)
    assert first.amount == Decimal("0.18")
    assert pay_screen_out(by=None, member=worker) == first
    change_rules(by=cast.owner.user, study=cast.study, screen_out=Decimal(0))
    assert pay_screen_out(by=None, member=cast.expert) is None
    assert LedgerEntry.objects.count() == 1


def test_a_test_is_paid_by_the_rules_of_the_day_it_began(cast):
    assert prescreening_reward(cast.study) == Decimal("0.18")
    change_rules(by=cast.owner.user, study=cast.study, prescreening_is_paid=False)
    assert prescreening_reward(cast.study) == 0
    unpaid = begin_sitting(
        by=cast.worker, stage="prescreening", size=10, reward=prescreening_reward(cast.study)
    )
    assert unpaid.reward == 0


def test_no_past_entry_or_decision_can_be_changed(cast, sitting):
    (entry,) = approved(cast.study, sitting)
    for rows in (LedgerEntry.objects.all(), SittingReview.objects.all()):
        with pytest.raises(DatabaseError), transaction.atomic():
            rows.update(created_at=timezone.now())
        with pytest.raises(DatabaseError), transaction.atomic():
            rows.first().delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        LedgerEntry.objects.create(
            study=cast.study,
            member=entry.member,
            kind="sitting",
            amount=1,
            currency="USD",
            sitting=sitting,
        )


def test_earnings_are_sums_of_sittings_and_entries(cast, batch, worker):
    done, bad = ended_sitting(cast.study, "ada", votes=3), ended_sitting(cast.study, "ben", votes=1)
    votes_of(worker, 2, seconds=4.0)
    approved(cast.study, done)
    rejected(cast, bad)
    ended_sitting(cast.study, "cleo", votes=1)
    found = {mine.member.pk: mine for mine in people_pay(cast.study.members.all(), "USD")}
    sums = found[done.member_id]
    assert (sums.votes, sums.entered, sums.seconds) == (3, Decimal("0.54"), 30.0)
    assert sums.hourly == Decimal("64.80")
    assert found[bad.member_id].rejected == Decimal("0.18") and not found[bad.member_id].in_all
    assert found[worker.pk].under_way == Decimal("0.36") and found[worker.pk].seconds == 8.0
    assert sum(mine.waiting for mine in found.values()) == Decimal("0.18")


def test_a_corrected_vote_counts_its_newest_seconds(cast, batch, worker):
    votes_of(worker, 1, seconds=5.0)
    held = Assignment.objects.get(member=worker, state="submitted")
    correct_vote(by=worker, assignment_id=held.pk, answer=Answer("checkworthy", seconds=12.0))
    going_on = sittings_of(cast.study).get(member=worker)
    (row,) = sitting_rows(cast.study, [going_on])
    assert row.seconds == person_pay(worker, "USD").seconds == 12.0


def test_whoever_earns_too_little_by_the_hour_is_under_the_floor(cast, batch, worker):
    votes_of(worker, 2, seconds=100.0)
    mine = person_pay(worker, "USD")
    assert mine.hourly == Decimal("6.48")
    assert mine.is_under(Decimal("6.49")) and not mine.is_under(Decimal("6.48"))
    assert not mine.is_under(None)
    assert not person_pay(cast.expert, "USD").is_under(Decimal(100))


def test_the_forecast_counts_open_places_at_todays_reward(cast, batch):
    assert forecast(cast.study).running_cost == 12 * Decimal("0.18")
    ended_sitting(cast.study, "ada", votes=3)
    found = forecast(cast.study)
    assert (found.running, found.drafts, found.running_cost) == (9, 0, Decimal("1.62"))


def test_changes_of_the_rules_are_kept(cast):
    change_rules(by=cast.owner.user, study=cast.study, hourly_floor=Decimal("9.50"))
    change_rules(by=cast.owner.user, study=cast.study, hourly_floor=Decimal(12))
    assert PayRules.objects.get().events.count() == 3
