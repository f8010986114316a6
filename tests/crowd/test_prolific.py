"""Prolific's API, against a server that answers as it documents."""

import logging
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from crowd.models import Arrival, Recruit
from crowd.services.prolific import Prolific, ProlificRefused
from crowd.services.recruitment import create_recruitment, move_recruitment
from tests.crowd.platforms import TOKEN, prolific_server

pytestmark = pytest.mark.django_db

STUDY, SESSION, PID = "77aa", "64ab01", "5f0c01"
REASON = (
    "You judged forty posts within ten seconds, which leaves no time to read any one of them. " * 2
)


@pytest.fixture
def server(settings):
    with prolific_server() as server:
        server.studies[STUDY] = {
            "id": STUDY,
            "name": "Rumours",
            "status": "UNPUBLISHED",
            "total_available_places": 30,
            "places_taken": 4,
        }
        server.submissions[SESSION] = {
            "id": SESSION,
            "participant": PID,
            "study_id": STUDY,
            "status": "ACTIVE",
        }
        settings.PROLIFIC_API, settings.PROLIFIC_TOKEN = server.address, TOKEN
        yield server


@pytest.fixture
def api(server):
    return Prolific.of_site()


@pytest.fixture
def way(cast):
    made = create_recruitment(
        by=None, study=cast.study, kind="prolific", name="Spring", external_study_id=STUDY
    )
    return move_recruitment(by=None, recruitment=made, to="open")


def enter(way, pid=PID, session=SESSION):
    query = {"PROLIFIC_PID": pid, "STUDY_ID": STUDY, "SESSION_ID": session}
    return Client().get(reverse("join", args=[way.token]), query)


def test_without_a_token_there_is_no_client(settings):
    settings.PROLIFIC_TOKEN = ""
    assert Prolific.of_site() is None


def test_a_study_is_read_published_paused_and_given_more_places(api, server):
    assert (api.study(STUDY).status, api.study(STUDY).places_taken) == ("UNPUBLISHED", 4)
    api.publish(STUDY)
    assert api.study(STUDY).status == "ACTIVE"
    api.pause(STUDY)
    assert api.study(STUDY).status == "PAUSED"
    api.go_on(STUDY)
    api.change_places(STUDY, 40)
    assert (api.study(STUDY).status, api.study(STUDY).places) == ("ACTIVE", 40)
    assert {path for _method, path, _body in server.asked} == {
        f"/api/v1/studies/{STUDY}/",
        f"/api/v1/studies/{STUDY}/transition/",
    }


def test_submissions_are_approved_and_rejected_with_a_reason_that_prolific_takes(api, server):
    api.approve(SESSION)
    assert server.submissions[SESSION]["status"] == "APPROVED"
    with pytest.raises(ProlificRefused, match="100 characters"):
        api.reject(SESSION, category="TOO_QUICKLY", reason="Too quick.")
    with pytest.raises(ProlificRefused, match="categories"):
        api.reject(SESSION, category="BORING", reason=REASON)
    assert len(server.asked) == 1
    api.reject(SESSION, category="TOO_QUICKLY", reason=REASON)
    assert server.asked[-1][2] == {
        "action": "REJECT",
        "message": REASON,
        "rejection_category": "TOO_QUICKLY",
    }


def test_bonuses_are_prepared_first_and_paid_by_their_id(api, server):
    payment = api.prepare_bonuses(STUDY, {PID: Decimal("1.5"), "5f0c02": Decimal("0.36")})
    assert server.bonuses[payment]["csv_bonuses"] == "5f0c01,1.50\n5f0c02,0.36"
    assert server.bonuses[payment]["paid"] == 0
    api.pay_bonuses(payment)
    assert server.bonuses[payment]["paid"] == 1


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "No such luck"),
        (403, "token"),
        (404, "nothing by this id"),
        (429, "too often"),
        (500, "trouble"),
        (302, "refuses"),
    ],
)
def test_each_refusal_is_a_sentence(api, server, status, words):
    server.status = status
    with pytest.raises(ProlificRefused, match=words):
        api.study(STUDY)


def test_a_server_that_is_not_there_is_a_sentence_without_the_token(settings):
    settings.PROLIFIC_TOKEN, settings.PROLIFIC_API = TOKEN, "http://127.0.0.1:9"
    api = Prolific.of_site()
    with pytest.raises(ProlificRefused, match="cannot be reached") as refusal:
        api.study(STUDY)
    assert TOKEN not in str(refusal.value)


@pytest.mark.parametrize("wrong", ["", "../users/me", "77aa/", "77aa?x=1", "7\n7", "é"])
def test_what_is_no_id_is_never_sent(api, server, wrong):
    for ask in (api.study, api.submission, api.approve, api.pay_bonuses):
        with pytest.raises(ProlificRefused):
            ask(wrong)
    assert server.asked == []


def test_an_entry_is_checked_with_prolific_once(way, server):
    assert enter(way).status_code == 302
    assert enter(way).status_code == 302
    assert [path for _method, path, _body in server.asked] == [f"/api/v1/submissions/{SESSION}/"]


@pytest.mark.parametrize(
    "untrue",
    [
        {"participant": "somebodyelse"},
        {"study_id": "88bb"},
        {"status": "RETURNED"},
        {"status": "REJECTED"},
    ],
    ids=str,
)
def test_who_prolific_did_not_send_does_not_come_in(way, server, untrue):
    server.submissions[SESSION] |= untrue
    answer = enter(way)
    assert answer.status_code == 403 and "do not take part" in answer.content.decode()
    assert not Recruit.objects.exists()


def test_an_unknown_session_does_not_come_in(way, server):
    assert enter(way, session="64ab99").status_code == 503
    assert not Arrival.objects.exists()


def test_while_prolific_is_down_newcomers_wait_and_those_at_work_go_on(way, server):
    enter(way)
    server.status = 500
    assert enter(way).status_code == 302
    waiting = enter(way, pid="5f0c02", session="64ab02")
    assert waiting.status_code == 503 and "Try again in a minute" in waiting.content.decode()
    assert Recruit.objects.count() == 1


def test_neither_the_token_nor_sessions_are_logged(way, server, caplog):
    caplog.set_level(logging.DEBUG)
    enter(way)
    enter(way, session="64ab99")
    assert not [word for word in (TOKEN, SESSION, "64ab99", PID) if word in caplog.text]


def test_owners_see_and_move_the_study_on_prolific(cast, way, server, sign_in):
    page = reverse("recruitment_platform", args=[cast.study.slug, way.number])
    owner = sign_in(cast.owner)
    html = owner.get(page).content.decode()
    assert "UNPUBLISHED" in html and "4 of 30 taken" in html and TOKEN not in html
    owner.post(page, {"action": "publish"})
    assert server.studies[STUDY]["status"] == "ACTIVE"
    owner.post(page, {"action": "change_places", "places": "44"})
    assert server.studies[STUDY]["total_available_places"] == 44
    asked = len(server.asked)
    for nonsense in ({"action": "delete"}, {"action": "change_places", "places": "many"}):
        owner.post(page, nonsense)
    assert len(server.asked) == asked
    assert sign_in(cast.researcher).post(page, {"action": "pause"}).status_code == 403
    server.status = 400
    assert "No such luck" in owner.post(page, {"action": "pause"}, follow=True).content.decode()


def test_a_site_without_a_token_says_what_is_missing(cast, way, sign_in, settings):
    settings.PROLIFIC_TOKEN = ""
    page = reverse("recruitment_platform", args=[cast.study.slug, way.number])
    assert "JURYROOM_PROLIFIC_TOKEN" in sign_in(cast.owner).get(page).content.decode()
    assert enter(way).status_code == 302
