"""What is decided here about people of Prolific is carried out there, once, and seen when not."""

import logging
import threading
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from annotation.models import Job, Role, SittingState, StageCode
from annotation.services.jobs import run_job
from annotation.services.sittings import end_sitting
from annotation.services.votes import Answer, submit_vote
from crowd.models import Arrival, Errand, LedgerEntry, RejectionReason
from crowd.queries.earnings import person_pay
from crowd.queries.payouts import newest_unpaid
from crowd.services.arrivals import arrive
from crowd.services.asking import CATEGORIES
from crowd.services.errands import (
    MOST_TRIES,
    ErrandRefused,
    queue_due,
    see_to_errands,
    settle_errand,
    try_again,
)
from crowd.services.ledger import add_entry, pay_screen_out
from crowd.services.links import Identity
from crowd.services.pay import ReviewRefused, approve, reinstate, reject
from crowd.services.prolific import REJECTIONS
from crowd.services.recruitment import create_recruitment, move_recruitment
from infra.jobs import no_report
from tests.cast import join, make_cast
from tests.crowd.conftest import begin, held_by
from tests.crowd.paying import WORDS, pay_all
from tests.crowd.platforms import TOKEN, prolific_server
from tests.crowd.test_pay_pages import text
from tests.crowd.test_payouts import study_at_work

pytestmark = pytest.mark.django_db

STUDY, SESSION, PID = "77aa", "64ab01", "5f0c01"


@pytest.fixture
def server(settings):
    with prolific_server() as server:
        server.studies[STUDY] = {"id": STUDY, "presentment_currency_code": "USD"}
        server.submissions[SESSION] = {
            "id": SESSION,
            "participant": PID,
            "study_id": STUDY,
            "status": "AWAITING REVIEW",
        }
        settings.PROLIFIC_API, settings.PROLIFIC_TOKEN = server.address, TOKEN
        yield server


def sent_by_prolific(study, pid=PID, session=SESSION, size=2):
    """Let Prolific send somebody; return them as a member."""
    known = study.recruitments.filter(kind="prolific").first()
    way = known or move_recruitment(
        by=None,
        recruitment=create_recruitment(
            by=None, study=study, kind="prolific", name="Prolific", sitting_size=size
        ),
        to="open",
    )
    arrival = arrive(recruitment=way, identity=Identity(pid, session))
    return study.members.get(user=arrival.user)


def sitting_of(member, votes=2):
    """Let somebody do a sitting, or leave it after some votes."""
    sitting = begin(member)
    for _vote in range(votes):
        submit_vote(by=member, assignment_id=held_by(member), answer=Answer("no_claim", 5.0))
    sitting.refresh_from_db()
    if sitting.state == SittingState.OPEN:
        sitting = end_sitting(by=member, stage=StageCode.CROWD, state=SittingState.LEFT)
    return sitting


@pytest.fixture
def member(cast, batch, server):
    return sent_by_prolific(cast.study)


@pytest.fixture
def sitting(member):
    return sitting_of(member)


def run_errands(study):
    """Run what was queued, as a worker does."""
    for job in Job.objects.filter(study=study, kind="ask_prolific", state="queued"):
        run_job(job_id=job.pk)


def asked(server, method="POST"):
    return [path for used, path, _body in server.asked if used == method]


def bonus(cast, member, amount="1.50"):
    return add_entry(
        by=cast.owner.user, member=member, kind="bonus", amount=Decimal(amount), reason="Thanks."
    )


class TestDecisions:
    """What is asked for, after the decision is committed."""

    def test_an_approval_approves_the_submission_and_the_entry_is_paid(
        self, cast, member, sitting, server
    ):
        approve(by=cast.researcher.user, study=cast.study, sittings=[sitting.pk])
        assert asked(server) == [], "nothing is asked inside the request"
        assert person_pay(member, "USD").paid == 0
        run_errands(cast.study)
        assert server.submissions[SESSION]["status"] == "APPROVED"
        assert Errand.objects.get().state == "done"
        assert person_pay(member, "USD").paid == Decimal("0.36")

    def test_what_prolific_pays_is_in_no_payout(self, cast, sitting):
        approve(by=None, study=cast.study, sittings=[sitting.pk])
        assert newest_unpaid(cast.study, "USD") == 0
        run_errands(cast.study)
        assert newest_unpaid(cast.study, "USD") == 0

    @pytest.mark.parametrize("reason", RejectionReason.values)
    def test_a_rejection_rejects_the_submission_for_a_reason_that_prolific_takes(
        self, reason, cast, sitting, server
    ):
        reject(by=cast.researcher.user, sitting=sitting, reason=reason, words=WORDS)
        run_errands(cast.study)
        assert server.asked[-1][2] == {
            "action": "REJECT",
            "message": WORDS,
            "rejection_category": CATEGORIES[reason],
        }
        assert CATEGORIES[reason] in REJECTIONS
        assert not LedgerEntry.objects.exists()

    def test_a_rejection_taken_back_before_it_was_sent_is_never_sent(self, cast, sitting, server):
        reject(by=cast.owner.user, sitting=sitting, reason="other", words=WORDS)
        reinstate(by=cast.owner.user, sitting=sitting)
        run_errands(cast.study)
        assert server.submissions[SESSION]["status"] == "APPROVED"
        assert [body["action"] for _m, _p, body in server.asked if body] == ["APPROVE"]
        assert set(Errand.objects.values_list("kind", "state")) == {
            ("reject", "set_aside"),
            ("approve", "done"),
        }

    def test_a_bonus_is_prepared_and_paid_once(self, cast, member, server):
        bonus(cast, member)
        run_errands(cast.study)
        see_to_errands(study=cast.study, report=no_report)
        (paid,) = server.bonuses.values()
        assert (paid["csv_bonuses"], paid["study_id"], paid["paid"]) == (f"{PID},1.50", STUDY, 1)

    def test_who_came_otherwise_is_paid_by_payouts_and_so_is_all_without_a_token(
        self, cast, sitting, server, settings
    ):
        bonus(cast, cast.worker)
        settings.PROLIFIC_TOKEN = ""
        approve(by=None, study=cast.study, sittings=[sitting.pk])
        assert not Errand.objects.exists() and not Job.objects.filter(kind="ask_prolific").exists()
        assert pay_all(cast).total == Decimal("1.86")

    def test_a_correction_that_takes_away_asks_for_nothing(self, cast, member, server):
        add_entry(
            by=cast.owner.user,
            member=member,
            kind="correction",
            amount=Decimal("-0.10"),
            reason="Counted twice.",
        )
        assert not Errand.objects.exists()

    @pytest.mark.parametrize("status", ["RETURNED", "TIMED-OUT"])
    def test_votes_of_a_place_that_was_given_back_are_paid_as_a_bonus(
        self, status, cast, member, server
    ):
        left = sitting_of(member, votes=1)
        server.submissions[SESSION]["status"] = status
        approve(by=None, study=cast.study, sittings=[left.pk])
        run_errands(cast.study)
        assert server.bonuses["pay1"]["csv_bonuses"] == f"{PID},0.18"
        assert person_pay(member, "USD").paid == Decimal("0.18")

    def test_a_place_handed_in_after_leaving_early_is_not_paid_in_full(self, cast, member, server):
        left = sitting_of(member, votes=1)
        approve(by=None, study=cast.study, sittings=[left.pk])
        run_errands(cast.study)
        assert server.submissions[SESSION]["status"] == "AWAITING REVIEW"
        assert "return it on Prolific" in Errand.objects.get().reason

    def test_a_screen_out_that_prolific_pays_by_its_code_is_not_paid_again(
        self, cast, member, server
    ):
        server.submissions[SESSION]["status"] = "SCREENED OUT"
        pay_screen_out(by=None, member=member)
        run_errands(cast.study)
        assert Errand.objects.get().state == "done" and not server.bonuses

    def test_what_was_done_on_prolific_by_hand_is_seen_and_not_asked_for(
        self, cast, sitting, server
    ):
        server.submissions[SESSION]["status"] = "APPROVED"
        approve(by=None, study=cast.study, sittings=[sitting.pk])
        run_errands(cast.study)
        assert Errand.objects.get().state == "done" and asked(server) == []

    def test_an_entry_has_one_errand(self, cast, member):
        bonus(cast, member)
        known = Errand.objects.get()
        with pytest.raises(IntegrityError), transaction.atomic():
            Errand.objects.create(
                study=cast.study, arrival=known.arrival, kind="bonus", entry=known.entry
            )


class TestTrouble:
    """What is not done is tried again, or shown."""

    def test_while_prolific_is_away_it_is_asked_again_by_itself_until_somebody_has_to_look(
        self, cast, sitting, server
    ):
        server.status = 500
        approve(by=None, study=cast.study, sittings=[sitting.pk])
        for tries in range(1, MOST_TRIES):
            run_errands(cast.study)
            errand = Errand.objects.get()
            assert (errand.state, errand.tries) == ("waiting", tries)
            assert queue_due() == 0, "not due yet"
            Errand.objects.update(due_at=timezone.now() - timedelta(minutes=1))
            assert queue_due() == 1
            assert queue_due() == 0, "a job waits already"
        run_errands(cast.study)
        errand.refresh_from_db()
        assert errand.state == "failed" and "has trouble" in errand.reason
        server.status = 200
        try_again(by=cast.researcher.user, study=cast.study, errands=[errand.pk])
        run_errands(cast.study)
        assert server.submissions[SESSION]["status"] == "APPROVED"

    def test_a_refusal_is_not_repeated_and_tells_no_id(self, cast, sitting, server):
        server.failing["transition"] = 400
        approve(by=None, study=cast.study, sittings=[sitting.pk])
        run_errands(cast.study)
        errand = Errand.objects.get()
        assert errand.state == "failed" and "Prolific refuses this" in errand.reason
        assert SESSION not in errand.reason and "…" in errand.reason

    def test_who_has_not_handed_in_is_waited_for(self, cast, sitting, server):
        server.submissions[SESSION]["status"] = "ACTIVE"
        approve(by=None, study=cast.study, sittings=[sitting.pk])
        run_errands(cast.study)
        errand = Errand.objects.get()
        assert errand.state == "waiting" and "not handed" in errand.reason and asked(server) == []

    def test_a_payment_without_an_answer_is_not_asked_for_again_before_somebody_looked(
        self, cast, member, server
    ):
        server.failing["/pay/"] = 502
        bonus(cast, member)
        run_errands(cast.study)
        errand = Errand.objects.get()
        assert errand.state == "doubtful" and "Look there first" in errand.reason
        assert try_again(by=cast.owner.user, study=cast.study, errands=[errand.pk]) == 0
        del server.failing["/pay/"]
        settle_errand(by=cast.owner.user, errand=errand, outcome="again")
        run_errands(cast.study)
        assert list(server.bonuses) == ["pay1"] and server.bonuses["pay1"]["paid"] == 1

    def test_a_process_that_died_while_paying_leaves_a_doubt(self, cast, member, server):
        bonus(cast, member)
        Errand.objects.update(paying_at=timezone.now(), payment_id="pay1")
        run_errands(cast.study)
        assert Errand.objects.get().state == "doubtful" and server.asked == []

    def test_a_bonus_in_another_currency_is_refused_before_anything_is_prepared(
        self, cast, member, server
    ):
        server.studies[STUDY]["presentment_currency_code"] = "GBP"
        bonus(cast, member)
        run_errands(cast.study)
        assert "in GBP, the entry is in USD" in Errand.objects.get().reason and not server.bonuses

    def test_what_is_set_aside_is_paid_by_a_payout(self, cast, member, server):
        server.failing["bonus-payments"] = 400
        bonus(cast, member)
        run_errands(cast.study)
        errand = Errand.objects.get()
        settle_errand(by=cast.owner.user, errand=errand, outcome="set_aside")
        assert pay_all(cast).total == Decimal("1.50")
        with pytest.raises(ErrandRefused, match="nothing to settle"):
            settle_errand(by=cast.owner.user, errand=errand, outcome="done")

    def test_errands_of_another_study_are_not_asked_for(self, cast, member, server):
        server.failing["bonus-payments"] = 400
        bonus(cast, member)
        run_errands(cast.study)
        other = make_cast("elsewhere")
        number = Errand.objects.get().pk
        assert try_again(by=other.owner.user, study=other.study, errands=[number]) == 0

    def test_neither_the_token_nor_ids_are_logged_or_in_jobs(self, cast, member, server, caplog):
        caplog.set_level(logging.DEBUG)
        server.failing["bonus-payments"] = 400
        bonus(cast, member)
        run_errands(cast.study)
        jobs = str(list(Job.objects.values()))
        assert not [word for word in (TOKEN, SESSION, PID) if word in caplog.text + jobs]


class TestPages:
    """What reviewers and owners see and press."""

    def page(self, cast, client, **query):
        return client.get(reverse("pay_errands", args=[cast.study.slug]), query)

    def test_what_was_not_done_is_shown_with_its_reason_and_tried_again_by_a_reviewer(
        self, cast, sitting, server, sign_in
    ):
        client = sign_in(cast.researcher)
        server.failing["transition"] = 400
        address = reverse("pay_approve", args=[cast.study.slug])
        client.post(address, {"sitting": [sitting.pk]})
        run_errands(cast.study)
        assert "At Prolific: 1 not done, 0 in doubt" in text(
            client.get(reverse("pay", args=[cast.study.slug]))
        )
        shown = self.page(cast, client)
        assert "Prolific refuses this" in text(shown) and "Try again" in text(shown)
        assert "Set aside" not in re_table(text(shown))
        assert PID not in shown.content.decode() and SESSION not in shown.content.decode()
        sitting_page = client.get(reverse("pay_sitting", args=[cast.study.slug, sitting.pk]))
        assert "Prolific refuses this" in text(sitting_page)
        server.failing.clear()
        again = reverse("pay_errands_retry", args=[cast.study.slug])
        assert "asked once more for 1 thing" in text(client.post(again, follow=True))
        run_errands(cast.study)
        assert server.submissions[SESSION]["status"] == "APPROVED"
        assert "nothing to ask for" in text(client.post(again, follow=True))

    def test_only_owners_say_what_became_of_money(self, cast, member, server, sign_in):
        server.failing["/pay/"] = 502
        bonus(cast, member)
        run_errands(cast.study)
        address = reverse("pay_errand_settle", args=[cast.study.slug, Errand.objects.get().pk])
        assert sign_in(cast.researcher).post(address, {"outcome": "done"}).status_code == 403
        owner = sign_in(cast.owner)
        assert "Choose what became" in text(owner.post(address, {"outcome": "x"}, follow=True))
        assert Errand.objects.get().state == "doubtful"
        owner.post(address, {"outcome": "done"})
        assert person_pay(member, "USD").paid == Decimal("1.50")

    def test_the_new_payout_says_what_is_left_to_prolific(self, cast, member, server, sign_in):
        bonus(cast, member)
        page = sign_in(cast.owner).get(reverse("pay_payout_new", args=[cast.study.slug]))
        assert "1 entry is left to Prolific" in text(page)

    def test_a_worker_sees_when_prolific_has_paid(self, cast, member, server, client):
        bonus(cast, member)
        run_errands(cast.study)
        client.force_login(member.user)
        page = text(client.get(reverse("earnings", args=[cast.study.slug])))
        assert "Paid by Prolific" in page


def re_table(words):
    """Return the words of the page after its caption."""
    return words.split("the entry waits for the next payout.")[-1]


@pytest.mark.django_db(transaction=True)
def test_workers_who_ask_at_once_ask_once(server):
    cast = study_at_work()
    member = sent_by_prolific(cast.study)
    bonus(cast, member)
    barrier = threading.Barrier(4)

    def ask():
        try:
            barrier.wait()
            see_to_errands(study=cast.study, report=no_report)
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Errand.objects.get().state == "done"
    assert [paid["paid"] for paid in server.bonuses.values()] == [1]
    assert len([path for path in asked(server) if path.endswith("/pay/")]) == 1


@pytest.mark.django_db(transaction=True)
def test_decisions_made_at_once_ask_for_one_thing(server):
    cast = study_at_work()
    member = sent_by_prolific(cast.study)
    sitting = sitting_of(member)
    by = cast.owner.user
    acts = [
        lambda: approve(by=by, study=cast.study, sittings=[sitting.pk]),
        lambda: reject(by=by, sitting=sitting, reason="other", words=WORDS),
    ] * 3
    barrier = threading.Barrier(len(acts))

    def run(act):
        try:
            barrier.wait()
            act()
        except ReviewRefused:
            pass
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Errand.objects.count() == 1
    assert Arrival.objects.get().errands.get().kind in ("approve", "reject")


def test_somebody_who_came_by_a_panel_later_is_paid_by_payouts(cast, batch, server):
    panel = move_recruitment(
        by=None,
        recruitment=create_recruitment(by=None, study=cast.study, kind="panel", name="Panel"),
        to="open",
    )
    arrival = arrive(recruitment=panel, identity=Identity("p1"))
    bonus(cast, cast.study.members.get(user=arrival.user))
    bonus(cast, join(cast.study, "ada", Role.CROWD_WORKER))
    assert not Errand.objects.exists() and pay_all(cast).total == Decimal("3.00")
