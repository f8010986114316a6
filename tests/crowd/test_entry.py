"""Ways in over HTTP: who comes through them, who does not, and what is never told."""

import hashlib
import hmac
import logging
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import ExclusionKind, Member, Role, Sitting, SittingState, StudyState, User
from annotation.services.assignments import next_task
from annotation.services.people import add_member, create_study
from annotation.services.sittings import begin_sitting, end_sitting
from annotation.services.standings import exclude
from annotation.services.votes import Answer, submit_vote
from crowd.models import (
    Arrival,
    BackgroundAnswer,
    Qualification,
    Qualified,
    Recruit,
    ReturnCode,
)
from crowd.queries.payees import Payee, payees
from crowd.queries.places import places_taken
from crowd.queries.recruitment import completion_of, platform_ids
from crowd.services.consent import add_question
from crowd.services.recruitment import create_recruitment, move_recruitment
from tests.cast import PASSWORD, make_user
from tests.crowd.conftest import begin

pytestmark = pytest.mark.django_db

PID, SESSION = "5f0c1a2b3c4d5e6f7a8b9c0d", "64ab00000000000000000001"
WORKER, ASSIGNMENT = "A2SECRETWORKER", "3SECRETASSIGNMENT1"
COMES_BACK = "Your return code brings you back"


@pytest.fixture(autouse=True)
def fresh_rates():
    cache.clear()
    yield
    cache.clear()


def way(study, kind, **more):
    made = create_recruitment(by=more.pop("by", None), study=study, kind=kind, name=kind, **more)
    return move_recruitment(by=None, recruitment=made, to="open")


def address(recruitment, name="join"):
    return reverse(name, args=[recruitment.token])


def prolific(pid=PID, session=SESSION, study="77aa"):
    return {"PROLIFIC_PID": pid, "STUDY_ID": study, "SESSION_ID": session}


def hit(worker=WORKER, assignment=ASSIGNMENT, submit_to="https://www.mturk.com"):
    return {
        "assignmentId": assignment,
        "hitId": "3HIT",
        "workerId": worker,
        "turkSubmitTo": submit_to,
    }


def nothing_is_stored():
    return (
        not (Recruit.objects.exists() or Arrival.objects.exists())
        and not User.objects.filter(username__startswith="guest-").exists()
    )


def work_through(member):
    """Do a whole sitting; return it."""
    sitting = begin(member)
    while held := next_task(by=member, stage="crowd").assignment:
        submit_vote(by=member, assignment_id=held.pk, answer=Answer("checkworthy", 5.0, 1))
    sitting.refresh_from_db()
    return sitting


def guest(study):
    return Member.objects.get(study=study, user__username__startswith="guest-")


# Links for everybody


def test_a_link_lets_somebody_in_after_a_click_and_gives_a_code_to_come_back(cast, batch):
    recruitment, client = way(cast.study, "link"), Client()
    assert b"Take part" in client.get(address(recruitment)).content
    assert nothing_is_stored()
    page = client.post(address(recruitment))
    member = guest(cast.study)
    assert (member.role, member.user.email) == (Role.CROWD_WORKER, None)
    assert not member.user.has_usable_password()
    code = page.context["code"]
    assert code in page.content.decode() and page["Cache-Control"].startswith("max-age=0")
    stored = ReturnCode.objects.get()
    assert code.replace("-", "") not in stored.code_hash
    assert client.get(reverse("work", args=[cast.study.slug])).status_code == 200

    elsewhere = Client()
    back = elsewhere.post(reverse("return_by_code"), {"code": code.lower().replace("-", " ")})
    assert back["Location"] == reverse("home")
    assert elsewhere.get(reverse("work", args=[cast.study.slug])).status_code == 200
    assert User.objects.filter(username__startswith="guest-").count() == 1


def test_clicking_twice_makes_one_person(cast):
    recruitment, client = way(cast.study, "link"), Client()
    client.post(address(recruitment))
    again = client.post(address(recruitment))
    assert again["Location"] == reverse("study", args=[cast.study.slug])
    assert Arrival.objects.count() == 1


def test_who_has_an_account_joins_with_it_and_a_researcher_stays_what_they_are(cast, sign_in):
    recruitment = way(cast.study, "link")
    sign_in(cast.stranger).post(address(recruitment))
    assert Member.objects.get(study=cast.study, user=cast.stranger).role == Role.CROWD_WORKER
    sign_in(cast.researcher).post(address(recruitment))
    cast.researcher.refresh_from_db()
    assert cast.researcher.role == Role.RESEARCHER
    assert Arrival.objects.count() == 1


def test_an_account_that_was_taken_out_is_told_so_and_takes_no_place(cast, sign_in):
    recruitment = way(cast.study, "link", places=1)
    Member.objects.filter(pk=cast.worker.pk).update(is_active=False)
    answer = sign_in(cast.worker).post(address(recruitment))
    assert answer.status_code == 403 and "has ended" in answer.content.decode()
    assert not Arrival.objects.exists()
    assert sign_in(cast.stranger).post(address(recruitment)).status_code == 302


def test_a_new_code_ends_the_old_one_and_people_with_passwords_have_none(cast, sign_in):
    recruitment, client = way(cast.study, "link"), Client()
    old = client.post(address(recruitment)).context["code"]
    new = client.post(reverse("work_return_code", args=[cast.study.slug])).context["code"]
    assert Client().post(reverse("return_by_code"), {"code": old}).status_code == 422
    assert Client().post(reverse("return_by_code"), {"code": new}).status_code == 302
    refused = sign_in(cast.worker).post(reverse("work_return_code", args=[cast.study.slug]))
    assert b"You have a password" in refused.content
    user = guest(cast.study).user
    user.set_password(PASSWORD)
    user.save()
    assert Client().post(reverse("return_by_code"), {"code": new}).status_code == 422


def test_guessing_return_codes_is_slowed_down(cast):
    client = Client()
    tries = [client.post(reverse("return_by_code"), {"code": f"GUESS-{n}"}) for n in range(12)]
    assert [answer.status_code for answer in tries] == [422] * 10 + [429] * 2


# The same id is the same person


@pytest.mark.parametrize(
    ("kind", "query", "name"),
    [
        ("panel", {"id": "sona-31"}, "join"),
        ("prolific", prolific(), "join"),
    ],
)
def test_the_same_id_is_the_same_person_on_any_device(cast, kind, query, name):
    recruitment = way(cast.study, kind)
    answers = [Client().get(address(recruitment, name), query) for _device in range(3)]
    assert {answer["Location"] for answer in answers} == {reverse("work", args=[cast.study.slug])}
    assert Recruit.objects.count() == Arrival.objects.count() == 1
    assert User.objects.filter(username__startswith="guest-").count() == 1


def test_the_same_id_is_the_same_person_through_another_way_of_the_platform(cast):
    first, second = way(cast.study, "prolific"), way(cast.study, "prolific")
    Client().get(address(first), prolific())
    Client().get(address(second), prolific(session="64ab00000000000000000002"))
    assert Recruit.objects.count() == 1 and Arrival.objects.count() == 2


def test_ids_of_different_panels_are_different_people(cast):
    for panel in ("SONA", "Own"):
        Client().get(address(way(cast.study, "panel", panel=panel)), {"id": "31"})
    assert Recruit.objects.values("user").distinct().count() == 2


def test_an_owner_meets_their_people_again_and_nobody_else_does(cast):
    """Without this a researcher could enter other studies under the ids of their people."""
    Client().get(address(way(cast.study, "prolific", by=cast.owner.user)), prolific())
    same = create_study(by=None, slug="second", owner=cast.owner.user)
    Client().get(address(way(same, "prolific", by=cast.owner.user)), prolific())
    assert Recruit.objects.values("user").distinct().count() == 1
    other = create_study(by=None, slug="third", owner=cast.stranger)
    client = Client()
    client.get(address(way(other, "prolific", by=cast.stranger)), prolific())
    assert Recruit.objects.values("user").distinct().count() == 2
    assert client.get(reverse("work", args=[cast.study.slug])).status_code == 404
    # Making somebody an owner of one's study does not make their people one's own.
    add_member(by=cast.stranger, study=other, user=cast.owner.user, role=Role.OWNER)
    late = Client()
    late.get(address(way(other, "prolific", by=cast.stranger)), prolific("5f0c99", "64ab77"))
    assert late.get(reverse("work", args=[cast.study.slug])).status_code == 404


def test_an_id_opens_no_account_that_has_rights(cast):
    recruitment = way(cast.study, "panel")
    Client().get(address(recruitment), {"id": "sona-31"})
    user = guest(cast.study).user
    other = create_study(by=None, slug="second")
    add_member(by=None, study=other, user=user, role=Role.RESEARCHER)
    refused = Client().get(address(recruitment), {"id": "sona-31"})
    assert refused.status_code == 403
    assert "Sign in with your password" in refused.content.decode()


def test_a_signed_in_researcher_is_not_signed_out_by_a_link(cast, sign_in):
    client = sign_in(cast.researcher)
    refused = client.get(address(way(cast.study, "prolific")), prolific())
    assert refused.status_code == 403 and nothing_is_stored()
    assert "Sign out first" in refused.content.decode()
    assert client.get(reverse("crowd", args=[cast.study.slug])).status_code == 200


def test_on_a_shared_computer_the_next_id_is_the_next_person(cast):
    recruitment, client = way(cast.study, "panel"), Client()
    client.get(address(recruitment), {"id": "one"})
    client.get(address(recruitment), {"id": "two"})
    second = Recruit.objects.get(platform_id="two")
    assert int(client.session["_auth_user_id"]) == second.user_id


# What is refused


@pytest.mark.parametrize("kind", ["panel", "prolific", "mturk", "link"])
def test_an_unknown_address_is_not_found(cast, kind):
    way(cast.study, kind)
    name = "join_hit" if kind == "mturk" else "join"
    answer = Client().get(reverse(name, args=["no-such-token"]), prolific())
    assert answer.status_code == 404 and nothing_is_stored()
    assert cast.study.title not in answer.content.decode()


BAD = {
    "nothing": {},
    "no session": {"PROLIFIC_PID": PID, "STUDY_ID": "77aa"},
    "placeholders": prolific("{{%PROLIFIC_PID%}}"),
    "empty": prolific(""),
    "too long": prolific("a" * 65),
    "NUL": prolific("5f0c\0"),
    "markup": prolific("<script>"),
    "newline": prolific(PID + "\n"),
    "twice": {**prolific(), "PROLIFIC_PID": [PID, "other"]},
}


@pytest.mark.parametrize("query", BAD.values(), ids=BAD)
def test_a_malformed_link_of_prolific_is_refused(cast, query):
    answer = Client().get(address(way(cast.study, "prolific")), query)
    assert answer.status_code == 400 and nothing_is_stored()
    assert "missing or malformed" in answer.content.decode()
    assert PID not in answer.content.decode() and "<script>alert" not in answer.content.decode()


@pytest.mark.parametrize("wrong", ["", "a" * 101, "x\0", "a b", "é", "a/b", "٣"])
def test_a_malformed_id_of_a_panel_is_refused(cast, wrong):
    answer = Client().get(address(way(cast.study, "panel")), {"id": wrong})
    assert answer.status_code == 400 and nothing_is_stored()


def test_a_link_of_another_study_on_prolific_is_refused(cast):
    recruitment = way(cast.study, "prolific", external_study_id="77aa")
    assert Client().get(address(recruitment), prolific(study="88bb")).status_code == 403
    assert nothing_is_stored()
    assert Client().get(address(recruitment), prolific(study="77aa")).status_code == 302


def test_a_session_belongs_to_one_person(cast):
    recruitment = way(cast.study, "prolific")
    Client().get(address(recruitment), prolific())
    stolen = Client()
    answer = stolen.get(address(recruitment), prolific("5f0c000000000000000000ff"))
    assert answer.status_code == 403 and Recruit.objects.count() == 1
    assert "_auth_user_id" not in stolen.session


def test_a_signed_link_is_taken_and_a_forged_one_is_not(cast):
    recruitment = way(cast.study, "panel", signature_parameter="sig")
    secret = recruitment.signing_secret.encode()
    good = hmac.new(secret, b"sona-31", hashlib.sha256).hexdigest()
    for id_, signature, status in [
        ("sona-31", "0" * 64, 403),
        ("sona-32", good, 403),
        ("sona-31", "", 400),
        ("sona-31", "é" * 64, 400),
    ]:
        query = {"id": id_, "sig": signature}
        assert Client().get(address(recruitment), query).status_code == status
    assert Client().get(address(recruitment), {"id": "sona-31"}).status_code == 400
    assert nothing_is_stored()
    taken = Client().get(address(recruitment), {"id": "sona-31", "sig": good.upper()})
    assert taken.status_code == 302


@pytest.mark.parametrize(("to", "status"), [("paused", 403), ("closed", 410)])
def test_a_way_that_is_shut_lets_nobody_new_in_but_who_is_at_work(cast, to, status):
    for kind, query in (("prolific", prolific()), ("panel", {"id": "31"})):
        recruitment = way(cast.study, kind)
        Client().get(address(recruitment), query)
        move_recruitment(by=None, recruitment=recruitment, to=to)
        assert Client().get(address(recruitment), query).status_code == 302
        known = Recruit.objects.count()
        newcomer = {name: f"{value}9" for name, value in query.items()}
        answer = Client().get(address(recruitment), newcomer)
        assert answer.status_code == status and COMES_BACK in answer.content.decode()
        assert Recruit.objects.count() == known
    link = move_recruitment(by=None, recruitment=way(cast.study, "link"), to=to)
    assert Client().post(address(link)).status_code == status


def test_an_archived_study_lets_nobody_in(cast):
    recruitment = way(cast.study, "panel")
    cast.study.state = StudyState.ARCHIVED
    cast.study.save()
    assert Client().get(address(recruitment), {"id": "31"}).status_code == 410
    assert nothing_is_stored()


def test_places_are_counted_and_who_leaves_early_frees_theirs(cast, batch):
    recruitment = way(cast.study, "panel", places=1)
    Client().get(address(recruitment), {"id": "31"})
    assert Client().get(address(recruitment), {"id": "32"}).status_code == 410
    assert Recruit.objects.count() == 1
    begin(guest(cast.study))
    end_sitting(by=guest(cast.study), stage="crowd", state=SittingState.LEFT)
    assert Client().get(address(recruitment), {"id": "32"}).status_code == 302


def test_three_who_got_no_work_take_no_place_from_the_next(cast, batch):
    recruitment = way(cast.study, "panel", places=3)
    for number, kind in ((31, ExclusionKind.DISMISSED), (32, ExclusionKind.WITHDRAWN)):
        Client().get(address(recruitment), {"id": str(number)})
        newest = Member.objects.filter(study=cast.study).latest("pk")
        exclude(by=None, member=newest, stage="crowd", kind=kind)
    Client().get(address(recruitment), {"id": "33"})
    assert places_taken(recruitment) == 1
    Arrival.objects.update(created_at=timezone.now() - timedelta(minutes=61))
    assert places_taken(recruitment) == 0
    for number in (34, 35, 36):
        assert Client().get(address(recruitment), {"id": str(number)}).status_code == 302
    assert Client().get(address(recruitment), {"id": "37"}).status_code == 410


def test_who_is_at_work_or_done_keeps_the_place_however_long_it_takes(cast, batch):
    recruitment = way(cast.study, "panel", places=1, sitting_size=1)
    Client().get(address(recruitment), {"id": "31"})
    begin(guest(cast.study))
    Arrival.objects.update(created_at=timezone.now() - timedelta(days=2))
    assert places_taken(recruitment) == 1
    assignment = next_task(by=guest(cast.study), stage="crowd").assignment
    submit_vote(by=guest(cast.study), assignment_id=assignment.pk, answer=Answer("no_claim", 5.0))
    assert Sitting.objects.get(arrival__recruitment=recruitment).state == SittingState.COMPLETE
    assert places_taken(recruitment) == 1
    exclude(by=None, member=guest(cast.study), stage="crowd", kind=ExclusionKind.DISMISSED)
    assert places_taken(recruitment) == 1
    assert Client().get(address(recruitment), {"id": "32"}).status_code == 410


@pytest.mark.parametrize(("answer", "held"), [("None", 0), ("Some", 1)])
def test_who_is_screened_out_by_an_answer_frees_the_place(cast, batch, answer, held):
    question = add_question(
        by=None,
        study=cast.study,
        question="What do you know of it?",
        kind="choice",
        choices=["None", "Some"],
        turns_away=["None"],
    )
    recruitment = way(cast.study, "panel", places=1)
    Client().get(address(recruitment), {"id": "31"})
    member = guest(cast.study)
    BackgroundAnswer.objects.create(member=member, question=question, answer=answer)
    assert places_taken(recruitment) == held


def test_who_has_begun_the_test_keeps_the_place_until_it_is_not_passed(cast, batch):
    recruitment = way(cast.study, "panel", places=1)
    Client().get(address(recruitment), {"id": "31"})
    member = guest(cast.study)
    begin_sitting(by=member, stage="prescreening", size=3)
    Arrival.objects.update(created_at=timezone.now() - timedelta(hours=2))
    assert places_taken(recruitment) == 1
    qualification = Qualification.objects.create(study=cast.study)
    Qualified.objects.create(
        qualification=qualification, user=member.user, state="refused", decided_at=timezone.now()
    )
    assert places_taken(recruitment) == 0


@pytest.mark.parametrize(("state", "told"), [("paused", "at present"), ("closed", "any more")])
def test_a_way_that_is_shut_says_so_before_anybody_presses(cast, state, told):
    recruitment = way(cast.study, "link")
    assert "Take part</button>" in Client().get(address(recruitment)).content.decode()
    move_recruitment(by=None, recruitment=recruitment, to=state)
    html = Client().get(address(recruitment)).content.decode()
    assert told in html and "Take part</button>" not in html and "I have a return code" in html


def test_a_link_whose_places_are_taken_says_so_before_anybody_presses(cast):
    recruitment = way(cast.study, "link", places=1)
    Client().post(address(recruitment))
    html = Client().get(address(recruitment)).content.decode()
    assert "All places" in html and "Take part</button>" not in html


@pytest.mark.parametrize("kind", list(ExclusionKind))
def test_who_was_dismissed_or_withdrew_does_not_come_back_by_a_link(cast, batch, kind):
    recruitment = way(cast.study, "prolific")
    Client().get(address(recruitment), prolific())
    exclude(by=None, member=guest(cast.study), stage="crowd", kind=kind)
    client = Client()
    for session in (SESSION, "64ab00000000000000000009"):
        answer = client.get(address(recruitment), prolific(session=session))
        assert answer.status_code == 403
        assert "has ended" in answer.content.decode()
    assert Arrival.objects.count() == 1 and "_auth_user_id" not in client.session


# The end of a sitting


def test_prolific_gets_its_code_and_link_at_the_end_and_not_before(cast, batch):
    recruitment, client = way(cast.study, "prolific", sitting_size=2), Client()
    client.get(address(recruitment), prolific())
    member, work = guest(cast.study), reverse("work", args=[cast.study.slug])
    seen = [client.get(work).content.decode()]
    sitting = begin(member)
    assert sitting.size == 2 and completion_of(sitting) is None
    for _post in range(2):
        seen.append(client.get(work).content.decode())
        held = next_task(by=member, stage="crowd").assignment
        submit_vote(by=member, assignment_id=held.pk, answer=Answer("checkworthy", 5.0, 1))
    for code in (recruitment.completion_code, recruitment.screen_out_code):
        assert not any(code in html for html in seen)
    end = client.get(work, follow=True).content.decode()
    link = f"https://app.prolific.com/submissions/complete?cc={recruitment.completion_code}"
    assert link in end and "This sitting is complete" in end
    assert recruitment.screen_out_code not in end and "Begin" not in end


def test_who_did_what_the_platform_pays_for_begins_no_unpaid_sitting(cast, batch):
    recruitment, client = way(cast.study, "prolific", sitting_size=1), Client()
    client.get(address(recruitment), prolific())
    work_through(guest(cast.study))
    start = client.post(reverse("work_start", args=[cast.study.slug]), {"version": 1})
    assert start["Location"] == reverse("work_visit", args=[cast.study.slug])
    assert Sitting.objects.filter(member=guest(cast.study)).count() == 1
    client.get(address(recruitment), prolific(session="64ab00000000000000000002"))
    second = work_through(guest(cast.study))
    assert second.arrival.session_id == "64ab00000000000000000002"


def test_who_leaves_early_gets_no_code(cast, batch):
    recruitment, client = way(cast.study, "prolific"), Client()
    client.get(address(recruitment), prolific())
    begin(guest(cast.study))
    client.post(reverse("work_leave", args=[cast.study.slug]))
    end = client.get(reverse("work", args=[cast.study.slug]), follow=True).content.decode()
    assert "You stopped early" in end
    assert recruitment.completion_code not in end
    assert Sitting.objects.get(member=guest(cast.study)).completion_code not in end


def test_a_panel_has_its_code_and_everybody_else_one_of_their_own(cast, batch):
    panel = way(cast.study, "panel", sitting_size=1, completion_code="SONA-123456")
    Client().get(address(panel), {"id": "31"})
    sitting = work_through(guest(cast.study))
    assert completion_of(sitting).code == "SONA-123456"
    own = end_sitting(by=cast.worker, stage="crowd", state=SittingState.COMPLETE)
    assert completion_of(own).code == own.completion_code


def test_somebody_who_came_by_a_link_may_begin_another_sitting(cast, batch):
    link = way(cast.study, "link", sitting_size=1)
    client = Client()
    client.post(address(link))
    first = work_through(guest(cast.study))
    assert first.size == 1 and completion_of(first).code == first.completion_code
    assert b"Begin another sitting" in client.get(reverse("work", args=[cast.study.slug])).content
    assert work_through(guest(cast.study)).size == cast.study.protocol.sitting_size


# Mechanical Turk


def test_a_preview_shows_no_work_and_stores_nothing(cast):
    recruitment = way(cast.study, "mturk")
    query = {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "3HIT"}
    page = Client().get(address(recruitment, "join_hit"), query)
    assert page.status_code == 200 and b"This is a preview" in page.content
    assert b"join/start" not in page.content and nothing_is_stored()


def test_the_frame_is_for_mechanical_turk_alone_and_for_this_address_alone(cast):
    recruitment = way(cast.study, "mturk")
    page = Client().get(address(recruitment, "join_hit"), hit())
    policy = page["Content-Security-Policy"]
    assert "frame-ancestors https://*.mturk.com;" in policy + ";"
    assert "form-action https://*.mturk.com;" in policy + ";"
    assert "X-Frame-Options" not in page and "sessionid" not in page.cookies
    assert not page.cookies
    link = Client().get(address(way(cast.study, "link")))
    assert "frame-ancestors 'none'" in link["Content-Security-Policy"]
    assert link["X-Frame-Options"] == "DENY"


def test_the_work_opens_once_in_a_tab_and_the_code_goes_back_in_the_frame(cast, batch):
    recruitment = way(cast.study, "mturk", sitting_size=1)
    frame = Client().get(address(recruitment, "join_hit"), hit())
    html = frame.content.decode()
    assert 'action="https://www.mturk.com/mturk/externalSubmit"' in html
    assert f'name="assignmentId" value="{ASSIGNMENT}"' in html and 'name="completionCode"' in html
    assert WORKER not in html
    start = reverse("join_start", args=[frame.context["start"]])
    assert start in html and WORKER not in start
    tab = Client()
    assert tab.get(start)["Location"] == reverse("work", args=[cast.study.slug])
    thief = Client()
    assert thief.get(start).status_code == 410 and "_auth_user_id" not in thief.session
    sitting = work_through(guest(cast.study))
    end = tab.get(reverse("work", args=[cast.study.slug]), follow=True).content.decode()
    assert sitting.completion_code in end and "Mechanical Turk" in end
    assert sitting.arrival.session_id == ASSIGNMENT


def test_reloading_the_frame_gives_a_new_start_to_the_same_person_and_ends_the_old(cast):
    recruitment = way(cast.study, "mturk")
    starts = [
        Client().get(address(recruitment, "join_hit"), hit()).context["start"] for _ in range(2)
    ]
    assert Client().get(reverse("join_start", args=[starts[0]])).status_code == 410
    assert Client().get(reverse("join_start", args=[starts[1]])).status_code == 302
    assert Recruit.objects.count() == Arrival.objects.count() == 1


@pytest.mark.parametrize(
    "submit_to",
    [
        "",
        "http://www.mturk.com",
        "https://mturk.com.evil.example",
        "https://evil.example/?x=mturk.com",
        "https://evilmturk.com",
        "https://user@www.mturk.com",
        "https://www.mturk.com:8443",
        "https://www.mturk.com/elsewhere",
        "javascript:alert(1)//mturk.com",
        "https://[mturk.com",
    ],
)
def test_answers_go_to_mechanical_turk_and_nowhere_else(cast, submit_to):
    query = hit(submit_to=submit_to)
    page = Client().get(address(way(cast.study, "mturk"), "join_hit"), query)
    assert page.status_code == 400 and nothing_is_stored()


def test_a_way_answers_at_its_own_address_only(cast):
    assert Client().get(address(way(cast.study, "mturk")), hit()).status_code == 404
    assert Client().get(address(way(cast.study, "panel"), "join_hit"), hit()).status_code == 404
    assert nothing_is_stored()


# Platform ids are personal data


def test_ids_stay_out_of_logs_redirects_pages_and_referers(cast, batch, caplog, sign_in):
    caplog.set_level(logging.DEBUG)
    panel, from_prolific = way(cast.study, "panel"), way(cast.study, "prolific")
    turk = way(cast.study, "mturk")
    client = Client()
    answers = [
        client.get(address(from_prolific), prolific()),
        Client().get(address(from_prolific), prolific(session="\0" + SESSION)),
        Client().get(address(from_prolific), prolific("5f0c1a2b3c4d5e6f7a8b9c0e")),
        Client().get(address(panel), {"id": "sona-secret-31"}),
        Client().get(address(turk, "join_hit"), hit()),
        Client().get(address(turk, "join_hit"), hit(submit_to="https://evil.example")),
    ]
    assert {answer["Referrer-Policy"] for answer in answers} == {"strict-origin"}
    assert all("no-store" in answer["Cache-Control"] for answer in answers)
    secrets = (PID, SESSION, "sona-secret-31", WORKER, ASSIGNMENT)
    told = caplog.text + "".join(answer.get("Location", "") for answer in answers)
    assert "Bad Request" in caplog.text
    assert not [secret for secret in secrets if secret in told]
    slug = cast.study.slug
    pages = [
        sign_in(cast.owner).get(reverse(name, args=[slug, *more])).content.decode()
        for name, *more in (
            ("recruitments",),
            ("recruitment", from_prolific.number),
            ("members",),
            ("crowd",),
        )
    ]
    assert not [secret for secret in secrets for html in pages if secret in html]


def test_the_link_to_copy_keeps_the_placeholders_that_the_platform_fills_in(cast, sign_in):
    found = way(cast.study, "prolific")
    page = sign_in(cast.owner).get(reverse("recruitment", args=[cast.study.slug, found.number]))
    assert page.context["link"] == (
        f"http://testserver{address(found)}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}"
        "&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    assert "no limit" in page.content.decode()


def test_ids_are_there_for_paying(cast):
    recruitment = way(cast.study, "prolific")
    Client().get(address(recruitment), prolific())
    member = guest(cast.study)
    found = platform_ids(cast.study, [member, cast.worker])
    assert [one.platform_id for one in found[member.pk]] == [PID] and cast.worker.pk not in found
    names = payees(cast.study, [member, cast.worker])
    assert names == {
        member.pk: Payee(PID, "prolific"),
        cast.worker.pk: Payee(cast.worker.user.username, "account"),
    }


def test_who_came_by_a_link_is_paid_by_the_code_they_hold(cast, batch):
    Client().post(address(way(cast.study, "link")))
    member = guest(cast.study)
    assert payees(cast.study, [member])[member.pk].known_at == "account"
    code = work_through(member).completion_code
    end_sitting(by=member, stage="crowd", state=SittingState.COMPLETE)
    assert payees(cast.study, [member]) == {member.pk: Payee(code, "code")}


def test_an_account_that_came_in_signs_in_nowhere_by_password(cast):
    Client().get(address(way(cast.study, "panel")), {"id": "31"})
    user = guest(cast.study).user
    client = Client()
    for password in ("", "!", PASSWORD):
        client.post(reverse("account_login"), {"login": user.username, "password": password})
        assert "_auth_user_id" not in client.session
    assert make_user("other").has_usable_password()
