"""What researchers do by the API about pay, ways in, consent and withdrawals."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Role
from crowd.models import BackgroundQuestion, ConsentText, Errand, LedgerEntry, Payout, Recruitment
from crowd.services.consent import give_consent, withdraw, write_consent_text
from crowd.services.pay import dispute
from tests.api import caller, refusal_of
from tests.cast import join, make_cast
from tests.crowd.paying import WORDS, approved, ended_sitting, rejected

pytestmark = pytest.mark.django_db


@pytest.fixture
def api(cast):
    return caller(cast.researcher)


@pytest.fixture
def owner(cast):
    return caller(cast.owner)


@pytest.fixture
def sitting(cast, batch):
    return ended_sitting(cast.study, "ada")


def refused(answer, code, *words):
    """Say whether a refusal has the one shape, with these words in it."""
    assert refusal_of(answer)[0] == code
    return all(word in str(answer.json()) for word in words)


# Sittings


def test_sittings_are_listed_approved_and_become_entries(cast, sitting, api):
    (row,) = api.get("pay_sittings", state="waiting").json()["results"]
    assert (row["id"], row["pseudonym"]) == (sitting.pk, sitting.member.pseudonym)
    assert (row["amount"], row["state"], row["rejected_because"]) == ("0.36", "waiting", "")
    sent = {"sittings": [sitting.pk, 999_999]}
    assert api.post("pay_approve", body=sent).json() == {"approved": 1}
    assert api.post("pay_approve", body=sent).json() == {"approved": 0}
    (entry,) = api.get("pay_entries").json()["results"]
    assert (entry["kind"], entry["amount"], entry["sitting"]) == ("sitting", "0.36", sitting.pk)
    assert (entry["payout"], entry["at_prolific"]) == (None, None)
    assert api.get("pay_sittings", state="waiting").json()["results"] == []
    assert refused(api.get("pay_sittings", state="bad"), 422, "state")


def test_a_rejection_needs_what_platforms_take_and_can_be_taken_back(cast, sitting, api):
    short = api.post("pay_reject", sitting.pk, body={"reason": "other", "words": "Bad."})
    assert refused(short, 422, "words")
    assert refused(
        api.post("pay_reject", sitting.pk, body={"reason": "dull", "words": WORDS}), 422, "reason"
    )
    found = api.post("pay_reject", sitting.pk, body={"reason": "low_effort", "words": WORDS})
    assert (found.json()["state"], found.json()["rejected_because"]) == ("rejected", "low_effort")
    again = api.post("pay_reject", sitting.pk, body={"reason": "other", "words": WORDS})
    assert refused(again, 409, "decided on already")
    assert not LedgerEntry.objects.exists()
    assert api.post("pay_reinstate", sitting.pk).json()["state"] == "approved"
    assert refused(api.post("pay_reinstate", sitting.pk), 409, "is not rejected")


def test_sittings_of_another_study_are_not_there(cast, sitting, api):
    stranger = caller(make_cast("elsewhere").owner)
    body = {"reason": "other", "words": WORDS}
    assert stranger.get("pay_sitting", sitting.pk).status_code == 404
    assert stranger.post("pay_reject", sitting.pk, body=body).status_code == 404
    assert stranger.post("pay_approve", body={"sittings": [sitting.pk]}).json()["approved"] == 0


def test_a_dispute_is_answered_once(cast, sitting, api):
    rejected(cast, sitting)
    said = dispute(by=sitting.member, sitting=sitting, text="I read them.")
    (row,) = api.get("pay_disputes").json()["results"]
    assert (row["id"], row["text"], row["answered_at"]) == (said.pk, "I read them.", None)
    answer = {"answer": "You are right.", "is_paid": True}
    told = api.post("pay_dispute_answer", said.pk, body=answer).json()
    assert told["answer"] == "You are right." and LedgerEntry.objects.count() == 1
    assert refused(api.post("pay_dispute_answer", said.pk, body=answer), 409, "answer already")


# The ledger, rules and payouts


def test_a_bonus_is_entered_once_by_its_form_and_by_owners_only(cast, worker, api, owner):
    body = {
        "pseudonym": worker.pseudonym,
        "kind": "bonus",
        "amount": "1.50",
        "reason": "Thank you.",
        "form": str(uuid.uuid4()),
    }
    assert api.post("pay_entries", body=body).status_code == 403
    first, again = (owner.post("pay_entries", body=body) for _time in range(2))
    assert first.status_code == 201 and first.json()["id"] == again.json()["id"]
    less = body | {"amount": "-1", "form": str(uuid.uuid4())}
    assert refused(owner.post("pay_entries", body=less), 409, "Only a correction")
    assert refused(owner.post("pay_entries", body=body | {"kind": "sitting"}), 422, "kind")
    assert refused(owner.post("pay_entries", body=body | {"pseudonym": "w-no"}), 422, "pseudonym")
    listed = owner.get("pay_entries", pseudonym=worker.pseudonym).json()["results"]
    assert [row["amount"] for row in listed] == ["1.50"]
    assert owner.get("pay_entries", pseudonym="w-no").json()["results"] == []


def test_rules_are_read_and_changed_in_parts(cast, api, owner):
    assert api.get("pay_rules").json()["approve_after_days"] == 3
    assert api.patch("pay_rules", body={"approve_after_days": 5}).status_code == 403
    changed = owner.patch("pay_rules", body={"approve_after_days": 5, "hourly_floor": "9.50"})
    assert (changed.json()["approve_after_days"], changed.json()["end_after_days"]) == (5, 3)
    assert refused(owner.patch("pay_rules", body={"approve_after_days": 0}), 422, "approve_after")
    assert api.get("pay_rules").json()["hourly_floor"] == "9.50"


def test_a_payout_is_previewed_made_once_and_read(cast, sitting, owner, api):
    approved(cast.study, sitting)
    seen = owner.get("pay_payout_next").json()
    assert seen["total"] == "0.36"
    assert [row["payee"] for row in seen["people"]] == ["ada"]
    body = {"currency": "USD", "last_entry": seen["last_entry"], "expected": seen["total"]}
    assert refused(owner.post("pay_payouts", body=body | {"expected": "0.35"}), 409, "changed")
    assert api.post("pay_payouts", body=body).status_code == 403
    made = owner.post("pay_payouts", body=body)
    assert (made.status_code, made.json()["number"], made.json()["people"]) == (201, 1, 1)
    assert refused(owner.post("pay_payouts", body=body), 409, "Nothing is left")
    shown = owner.get("pay_payout", 1).json()
    assert [(row["payee"], row["known_at"]) for row in shown["paid"]] == [("ada", "account")]
    assert shown["mturk_approvals"] == [] and Payout.objects.count() == 1
    assert owner.get("pay_entries").json()["results"][0]["payout"] == 1


def test_an_empty_list_of_people_pays_nobody(cast, sitting, owner):
    approved(cast.study, sitting)
    seen = owner.get("pay_payout_next").json()
    body = {"currency": "USD", "last_entry": seen["last_entry"], "expected": "0.36"}
    answer = owner.post("pay_payouts", body=body | {"pseudonyms": []})
    assert refused(answer, 409, "Nothing is left") and not Payout.objects.exists()


def test_sums_and_people_say_what_the_pages_say(cast, sitting, api):
    approved(cast.study, sitting)
    bad = ended_sitting(cast.study, "ben", votes=1)
    rejected(cast, bad)
    found = api.get("pay").json()
    assert (found["total"]["entered"], found["total"]["rejected"]) == ("0.36", "0.18")
    assert (found["sittings_waiting"], found["disputes_open"], found["prolific"]) == (0, 0, {})
    people = {row["pseudonym"]: row for row in api.get("pay_people").json()["results"]}
    assert people[sitting.member.pseudonym]["to_pay"] == "0.36"
    assert people[bad.member.pseudonym]["rejected"] == "0.18"
    assert refused(api.get("pay", currency="XXX"), 422, "currency")


def test_lists_cost_as_many_queries_with_more_rows(cast, sitting, api):
    names = ("pay_people", "pay_sittings", "pay_entries", "recruitments", "withdrawals")

    def costs():
        found = {}
        for name in names:
            with CaptureQueriesContext(connection) as captured:
                assert api.get(name).status_code == 200
            found[name] = len(captured)
        return found

    approved(cast.study, sitting)
    costs()
    few = costs()
    for name in ("ben", "cleo"):
        approved(cast.study, ended_sitting(cast.study, name, votes=1))
    assert costs() == few


def test_what_prolific_is_asked_for_is_listed_and_settled(cast, api, owner):
    assert api.get("pay_errands", state="failed").json()["results"] == []
    assert api.post("pay_errands_retry").json() == {"errands": 0}
    assert owner.post("pay_errand_settle", 1, body={"outcome": "done"}).status_code == 404
    assert not Errand.objects.exists()


# Ways in


def test_a_way_in_is_made_opened_and_closed_for_good(cast, api):
    made = api.post("recruitments", body={"kind": "prolific", "name": "Spring", "places": 20})
    told = made.json()
    assert made.status_code == 201 and told["state"] == "paused" and told["arrived"] == 0
    assert "PROLIFIC_PID" in told["link"] and told["completion_code"] != told["screen_out_code"]
    assert api.post("recruitment_move", 1, body={"to": "open"}).json()["state"] == "open"
    assert api.post("recruitment_move", 1, body={"to": "closed"}).json()["state"] == "closed"
    assert refused(api.post("recruitment_move", 1, body={"to": "open"}), 409, "closed for good")
    assert [row["number"] for row in api.get("recruitments").json()["results"]] == [1]
    assert refused(api.post("recruitments", body={"kind": "post", "name": "x"}), 422, "kind")
    same = {"kind": "panel", "name": "x", "completion_code": "ABC123", "screen_out_code": "ABC123"}
    assert refused(api.post("recruitments", body=same), 422, "must differ")
    assert Recruitment.objects.count() == 1
    other = caller(make_cast("elsewhere").researcher)
    assert other.get("recruitment", 1).status_code == 404


def test_without_a_token_the_platform_says_what_is_missing(cast, owner, settings):
    settings.PROLIFIC_TOKEN = ""
    owner.post("recruitments", body={"kind": "prolific", "name": "Spring"})
    assert refused(owner.get("recruitment_platform", 1), 409, "JURYROOM_PROLIFIC_TOKEN")
    bad = owner.post("recruitment_platform", 1, body={"action": "change_places"})
    assert refused(bad, 422, "places")


# Consent


def test_consent_is_written_in_versions(cast, api):
    made = api.post("consent", body={"markdown": "We keep it.", "seen_version": 0})
    assert (made.status_code, made.json()["version"]) == (201, 1)
    late = api.post("consent", body={"markdown": "Other.", "seen_version": 0})
    assert refused(late, 409, "was written meanwhile") and ConsentText.objects.count() == 1
    assert [row["given"] for row in api.get("consent").json()["results"]] == [0]


def test_questions_are_asked_and_retired(cast, api):
    body = {"question": "Well?", "kind": "choice", "choices": ["Yes", "No"], "turns_away": ["No"]}
    made = api.post("questions", body=body)
    assert made.status_code == 201 and made.json()["turns_away"] == ["No"]
    assert refused(api.post("questions", body=body | {"turns_away": ["Perhaps"]}), 409, "Only")
    retired = api.post("question_retire", made.json()["id"]).json()
    assert retired["retired_at"] and BackgroundQuestion.objects.count() == 1
    stranger = caller(make_cast("elsewhere").researcher)
    assert stranger.post("question_retire", made.json()["id"]).status_code == 404


def test_withdrawals_are_listed_by_pseudonym(cast, api):
    write_consent_text(by=None, study=cast.study, markdown="We keep it.")
    member = join(cast.study, "ada", Role.CROWD_WORKER)
    give_consent(by=member, version=1)
    assert api.get("withdrawals").json()["results"] == []
    withdraw(by=member)
    rows = api.get("withdrawals").json()["results"]
    assert {row["pseudonym"] for row in rows} == {member.pseudonym}
    assert {row["stage"] for row in rows} == {"crowd", "prescreening"}
    assert "ada" not in str(rows)
