"""Annotators' work by the API: the same rules as on the screen, and nothing of anybody else."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Role, Vote
from annotation.services.batches import move_batch
from annotation.services.votes import Answer, submit_vote
from crowd.models import GoldLabel
from crowd.queries import admission
from crowd.services.batches import create_batch, create_gold_batch
from crowd.services.checks import choose_checks, set_check_share
from crowd.services.instructions import write_instructions
from crowd.services.quality import write_rule
from tests.api import caller, refusal_of
from tests.cast import add_posts, join
from tests.crowd.conftest import has_read, held_by

pytestmark = pytest.mark.django_db

ANSWER = {"label": "no_claim", "seconds": 3.5, "guide_version": 1}


@pytest.fixture
def api(worker):
    return caller(worker)


def newcomer(cast):
    return caller(join(cast.study, "newcomer", Role.CROWD_WORKER, posts=0))


def test_a_sitting_from_the_instructions_to_its_code(cast, batch):
    cast.study.protocol.sitting_size = 2
    cast.study.protocol.save()
    api = newcomer(cast)
    assert api.post("work_next").json()["nothing"] == "instructions"
    guide = api.get("work_instructions").json()
    assert guide["markdown"] and guide["is_read"] is False
    first = api.post("work_start", body={"version": guide["version"]}).json()
    assert first["post"]["text"].startswith("Rumour") and first["until"]
    assert [choice["code"] for choice in first["post"]["choices"]]
    assert (first["sitting"]["votes"], first["sitting"]["size"]) == (0, 2)
    second = api.post("work_submit", first["post"]["assignment"], body=ANSWER).json()
    assert second["vote"] == {"label": "no_claim", "version": 1, "counted": True}
    assert second["next"]["sitting"]["votes"] == 1
    assert second["next"]["sitting"]["completion_code"] == ""
    last = api.post("work_submit", second["next"]["post"]["assignment"], body=ANSWER).json()
    assert last["next"]["nothing"] == "no_sitting" and last["next"]["detail"]
    assert last["next"]["sitting"]["state"] == "complete"
    assert len(last["next"]["sitting"]["completion_code"]) > 10
    assert Vote.objects.filter(member__user__username="newcomer", seconds=3.5).count() == 2


def test_a_sitting_is_complete_when_nothing_is_left_for_it(cast, batch, api):
    post = api.post("work_next").json()["post"]
    while post:
        answer = api.post("work_submit", post["assignment"], body=ANSWER).json()["next"]
        post = answer["post"]
    assert answer["nothing"] == "done"
    assert answer["sitting"]["state"] == "complete" and answer["sitting"]["completion_code"]


def test_the_post_that_one_holds_comes_again(batch, api):
    held = api.post("work_next").json()["post"]
    assert api.post("work_next").json()["post"] == held


def test_the_same_answer_twice_is_one_vote_and_another_one_a_conflict(batch, api):
    held = api.post("work_next").json()["post"]["assignment"]
    once = api.post("work_submit", held, body=ANSWER).json()
    twice = api.post("work_submit", held, body=ANSWER).json()
    assert twice["vote"] == once["vote"]
    assert twice["next"]["post"] == once["next"]["post"]
    other = api.post("work_submit", held, body={**ANSWER, "label": "checkworthy"})
    assert refusal_of(other) == (409, "conflict")
    assert Vote.objects.count() == 1


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({**ANSWER, "label": "ambiguous"}, "label"),
        ({**ANSWER, "label": "\0"}, "label"),
        ({"seconds": 3}, "label"),
        ({**ANSWER, "seconds": -1}, "seconds"),
        ({**ANSWER, "seconds": "fast"}, "seconds"),
        ({**ANSWER, "guide_version": 9}, "guide_version"),
        ({**ANSWER, "member": 1}, "member"),
    ],
    ids=str,
)
def test_an_answer_that_cannot_be_is_refused_and_the_post_stays_held(batch, api, sent, field):
    held = api.post("work_next").json()["post"]["assignment"]
    refused = api.post("work_submit", held, body=sent)
    assert refused.status_code == 422 and list(refused.json()["fields"]) == [field]
    assert not Vote.objects.exists()
    assert api.post("work_next").json()["post"]["assignment"] == held


def test_a_closed_batch_takes_no_vote_and_no_correction(batch, api):
    first = api.post("work_next").json()["post"]["assignment"]
    second = api.post("work_submit", first, body=ANSWER).json()["next"]["post"]["assignment"]
    move_batch(by=None, batch=batch, to="closed")
    late = api.post("work_submit", second, body=ANSWER)
    assert late.status_code == 409 and "closed" in late.json()["detail"]
    correction = {"label": "checkworthy", "seen_version": 1}
    assert api.patch("work_vote", first, body=correction).status_code == 409
    assert api.get("work_vote", first).json()["may_be_corrected"] is False
    assert [vote.label for vote in Vote.objects.all()] == ["no_claim"]


def test_a_vote_is_corrected_only_as_it_was_seen(batch, api):
    held = api.post("work_next").json()["post"]["assignment"]
    api.post("work_submit", held, body=ANSWER)
    changed = api.patch("work_vote", held, body={"label": "checkworthy", "seen_version": 1})
    assert (changed.json()["label"], changed.json()["version"]) == ("checkworthy", 2)
    stale = api.patch("work_vote", held, body={"label": "not_checkworthy", "seen_version": 1})
    assert refusal_of(stale) == (409, "conflict")
    (listed,) = api.get("work_votes").json()["results"]
    assert listed == changed.json()


def test_what_was_not_voted_on_cannot_be_corrected(batch, api):
    held = api.post("work_next").json()["post"]["assignment"]
    assert api.get("work_vote", held).status_code == 404
    answer = api.patch("work_vote", held, body={"label": "checkworthy", "seen_version": 1})
    assert answer.status_code == 409


def test_a_skipped_post_does_not_come_back(batch, api):
    held = api.post("work_next").json()["post"]["assignment"]
    after = api.post("work_skip", held, body={"reason": "harmful"}).json()
    assert after["post"]["assignment"] != held
    assert api.post("work_skip", held, body={"reason": "boring"}).status_code == 422
    api.post("work_submit", after["post"]["assignment"], body=ANSWER)
    voted = api.post("work_skip", after["post"]["assignment"], body={"reason": "harmful"})
    assert voted.status_code == 409 and "already" in voted.json()["detail"]


def test_a_lease_is_extended_while_the_post_is_held(batch, api):
    held = api.post("work_next").json()["post"]["assignment"]
    assert api.post("work_extend", held).json()["until"].endswith("Z")
    api.post("work_submit", held, body=ANSWER)
    assert api.post("work_extend", held).status_code == 409


def test_a_sitting_is_left_and_begun_again(batch, api):
    left = api.post("work_leave").json()
    assert (left["nothing"], left["sitting"]["state"]) == ("no_sitting", "left")
    assert left["sitting"]["completion_code"] == ""
    assert api.post("work_start", body={"version": 1}).json()["post"]


def test_new_instructions_come_before_the_next_post_and_cost_no_answer(cast, batch, api):
    held = api.post("work_next").json()["post"]["assignment"]
    write_instructions(by=None, study=cast.study, markdown="Look closely.")
    answer = api.post("work_submit", held, body=ANSWER).json()
    assert answer["vote"]["label"] == "no_claim"
    assert answer["next"]["nothing"] == "instructions" and "version 2" in answer["next"]["detail"]
    assert api.post("work_start", body={"version": 3}).status_code == 409
    assert api.post("work_start", body={"version": 2}).json()["post"]


def test_what_comes_before_a_sitting_is_settled_in_a_browser(cast, batch, monkeypatch):
    api = newcomer(cast)
    monkeypatch.setattr(admission, "GATES", (lambda member: "work_consent",))
    waiting = api.post("work_next").json()
    assert (waiting["nothing"], waiting["gate"]) == ("gate", "consent")
    address = f"http://testserver{reverse('work_consent', args=[cast.study.slug])}"
    assert waiting["detail"].endswith(address)
    refused = api.post("work_start", body={"version": 1})
    assert refused.status_code == 409 and refused.json()["detail"].endswith(address)


def told(answer):
    """Return an answer without what is the person's own."""
    held = json.loads(answer.content)
    held["post"].pop("assignment")
    held.pop("until")
    return held


def test_the_answer_is_the_same_whatever_others_said(cast, batch, api):
    before = told(api.post("work_next"))
    for name, label in (("a", "checkworthy"), ("b", "no_claim")):
        other = has_read(join(cast.study, name, Role.CROWD_WORKER))
        submit_vote(by=other, assignment_id=held_by(other), answer=Answer(label))
    assert told(api.post("work_next")) == before


def test_a_check_looks_like_any_other_post(cast, batch, gold_batch):
    """Half of a sitting are checks; no answer of the API differs in its shape or its labels."""
    for member in (cast.owner, cast.researcher):
        for _post in range(2):
            answer = Answer("no_claim")
            submit_vote(by=member, assignment_id=held_by(member, "gold"), answer=answer)
    caller(cast.owner).post("gold_batch_move", 1, body={"to": "closed"})
    choose_checks(
        by=None, study=cast.study, gold_ids=GoldLabel.objects.values_list("pk", flat=True)
    )
    set_check_share(by=None, batch=batch, share=0.5)
    cast.study.protocol.sitting_size = 4
    cast.study.protocol.save()
    api = newcomer(cast)
    shown = api.post("work_start", body={"version": 1}).json()
    shapes, stages = set(), set()
    while shown["post"]:
        held = shown["post"]
        extended = api.post("work_extend", held["assignment"]).json()
        submitted = api.post("work_submit", held["assignment"], body=ANSWER).json()
        vote = api.get("work_vote", held["assignment"]).json()
        own = {**held, "assignment": 0, "text": ""}
        seen = {**vote, "assignment": 0, "text": "", "created_at": ""}
        shapes.add(json.dumps([own, sorted(extended), submitted["vote"], seen], sort_keys=True))
        shown = submitted["next"]
    stages = set(Vote.objects.filter(member__user__username="newcomer").values_list("task__stage"))
    assert stages == {("crowd",), ("check",)}
    assert len(shapes) == 1
    assert not {"gold", "check", "stage", "batch"} & set(" ".join(shapes).split('"'))


def test_a_workers_token_shows_no_gold(cast, posts, api, gold_batch):
    answer = Answer("ambiguous")
    submit_vote(by=cast.owner, assignment_id=held_by(cast.owner, "gold"), answer=answer)
    for name in ("gold_batches", "gold_votes", "gold_agreement", "crowd_votes", "crowd_people"):
        assert api.get(name).status_code == 403
    assert api.post("gold_next").status_code == 403


def test_the_next_post_costs_the_same_with_a_longer_history(cast, worker):
    api = caller(worker)
    add_posts(cast.study, 60)
    move_batch(by=None, batch=create_batch(by=None, study=cast.study, posts=50), to="open")

    def cost():
        held = api.post("work_next").json()["post"]["assignment"]
        with CaptureQueriesContext(connection) as queries:
            assert api.post("work_submit", held, body=ANSWER).status_code == 200
        return len(queries)

    cost()
    few = cost()
    for _post in range(20):
        submit_vote(by=worker, assignment_id=held_by(worker), answer=Answer("no_claim"))
    assert cost() == few <= 12


def test_a_researcher_labels_gold_blind_to_the_others(cast, gold_batch):
    owner, researcher = caller(cast.owner), caller(cast.researcher)
    held = owner.post("gold_next").json()
    assert [choice["code"] for choice in held["post"]["choices"]][-1] == "ambiguous"
    after = owner.post("gold_submit", held["post"]["assignment"], body={"label": "ambiguous"})
    assert after.json()["next"]["post"]
    assert researcher.get("gold_votes").getvalue() == b""
    assert researcher.get("gold_agreement").json()["posts"] == 0
    assert len(owner.get("gold_votes").getvalue().splitlines()) == 1
    mine = researcher.post("gold_next").json()["post"]["assignment"]
    researcher.post("gold_submit", mine, body={"label": "no_claim"})
    lines = [json.loads(line) for line in researcher.get("gold_votes").getvalue().splitlines()]
    assert {line["label"] for line in lines} == {"ambiguous", "no_claim"}
    own = researcher.get("gold_own_vote", mine).json()
    assert own["label"] == "no_claim"
    assert researcher.get("gold_own_votes").json()["results"] == [own]


def test_a_post_of_the_pool_is_no_post_of_the_crowd(cast, gold_batch):
    owner = caller(cast.owner)
    held = owner.post("gold_next").json()["post"]["assignment"]
    assert owner.post("gold_skip", held, body={"reason": "language"}).status_code == 200
    join(cast.study, "second", Role.RESEARCHER)
    assert owner.post("work_submit", held, body=ANSWER).status_code == 403
    create_gold_batch(by=None, study=cast.study, external_ids=["p1"])


def watch_seconds(cast, action):
    """Let a rule act on whoever takes less than ten seconds for the median of three posts."""
    write_rule(by=None, study=cast.study, watched="seconds", over=3, threshold=10.0, action=action)


def answer_all(api):
    """Answer every post; return the last answer of the API."""
    told, shown = None, api.post("work_next").json()
    while shown["post"]:
        told = api.post("work_submit", shown["post"]["assignment"], body=ANSWER).json()
        shown = told["next"]
    return told


def test_rules_warn_by_the_api_too(cast, batch, api):
    watch_seconds(cast, "warn")
    told = answer_all(api)
    assert len(told["warnings"]) == 1 and told["next"]["nothing"] == "done"


def test_rules_pause_by_the_api_too(cast, batch, api):
    watch_seconds(cast, "pause")
    told = answer_all(api)
    assert told["next"]["nothing"] == "you_paused" and told["next"]["detail"]
    assert api.post("work_next").json()["nothing"] == "you_paused"
