"""What researchers do by the API: batches, instructions, votes out, agreement, people."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Assignment, Batch, ExclusionKind, Role, Vote
from annotation.queries.agreement import stage_agreement
from annotation.services.batches import move_batch
from annotation.services.importing import import_posts
from annotation.services.standings import exclude
from annotation.services.votes import Answer, submit_vote
from crowd.models import GoldLabel, Instructions
from crowd.services.batches import create_batch, create_gold_batch
from crowd.services.work import correct
from infra.jobs import no_report
from tests.api import caller, refusal_of
from tests.cast import add_posts, join, upload
from tests.crowd.conftest import begin, has_read, held_by

pytestmark = pytest.mark.django_db


@pytest.fixture
def api(cast):
    return caller(cast.researcher)


def lines(answer):
    assert answer.status_code == 200 and answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.getvalue().splitlines()]


def vote(member, label, stage="crowd"):
    held = held_by(member, stage)
    submit_vote(by=member, assignment_id=held, answer=Answer(label, seconds=4.0, guide_version=1))
    return held


def test_a_batch_is_drawn_opened_and_closed(cast, posts, api):
    made = api.post("crowd_batches", body={"posts": 3, "seed": 7, "votes_wanted": 2})
    assert made.status_code == 201
    batch = made.json()
    assert (batch["number"], batch["state"], batch["posts"], batch["seed"]) == (1, "draft", 3, 7)
    assert (batch["places"], batch["votes"], batch["cost"]) == (6, 0, "1.08")
    assert api.post("crowd_batch_move", 1, body={"to": "open"}).json()["state"] == "open"
    assert api.post("crowd_batch_move", 1, body={"to": "closed"}).json()["state"] == "closed"
    refused = api.post("crowd_batch_move", 1, body={"to": "open"})
    assert refusal_of(refused) == (409, "conflict")
    assert api.get("crowd_batches").json()["results"] == [api.get("crowd_batch", 1).json()]


def test_a_batch_is_made_of_posts_that_are_named(cast, posts, api):
    made = api.post("crowd_batches", body={"external_ids": ["p4", "p2"]})
    batch = Batch.objects.get(number=made.json()["number"])
    in_order = batch.tasks.order_by("position").values_list("post__external_id", flat=True)
    assert list(in_order) == ["p4", "p2"]


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"posts": 0}, 422),
        ({"posts": "many"}, 422),
        ({"seed": 2**64}, 422),
        ({"votes_wanted": 101}, 422),
        ({"external_ids": ["p1"], "posts": 3}, 422),
        ({"external_ids": "p1"}, 422),
        ({"state": "open"}, 422),
        ({"external_ids": []}, 409),
        ({"external_ids": ["nobody"]}, 409),
        ({"external_ids": ["p1", "p1"]}, 409),
    ],
    ids=str,
)
def test_a_batch_that_cannot_be_is_refused_and_none_is_made(cast, posts, api, sent, code):
    answer = api.post("crowd_batches", body=sent)
    assert answer.status_code == code, answer.content
    assert answer.json()["detail"]
    assert not Batch.objects.exists()


def test_a_pool_is_drawn_labelled_and_closed_into_gold(cast, posts, api):
    owner = caller(cast.owner)
    assert api.post("gold_batches", body={}).status_code == 422
    batch = api.post("gold_batches", body={"posts": 1}).json()
    assert batch["labels"][-1] == "ambiguous" and batch["mine"] == 0
    api.post("gold_batch_move", 1, body={"to": "open"})
    vote(cast.researcher, "no_claim", "gold")
    assert api.get("gold_batches").json()["results"][0]["mine"] == 1
    early = api.post("gold_batch_move", 1, body={"to": "closed"})
    assert early.status_code == 409 and "second researcher" in early.json()["detail"]
    vote(cast.owner, "no_claim", "gold")
    assert owner.post("gold_batch_move", 1, body={"to": "closed"}).json()["state"] == "closed"
    assert [gold.label for gold in GoldLabel.objects.all()] == ["no_claim"]
    outcomes = {row["label"]: row["posts"] for row in api.get("gold_agreement").json()["outcomes"]}
    assert outcomes["no_claim"] == 1


def test_a_new_version_of_the_instructions_is_written_on_the_newest(cast, posts, api):
    sent = {"markdown": "Look closely.", "seen_version": 1}
    made = api.post("crowd_instructions", body=sent)
    assert (made.status_code, made.json()["version"], made.json()["readers"]) == (201, 2, 0)
    stale = api.post("crowd_instructions", body={**sent, "markdown": "Look away."})
    assert stale.status_code == 409 and "Version 2" in stale.json()["detail"]
    unknown = api.post(
        "crowd_instructions", body={**sent, "seen_version": 2, "shown_metadata": ["majority"]}
    )
    assert unknown.json()["fields"].keys() == {"shown_metadata"}
    versions = api.get("crowd_instructions").json()["results"]
    assert [one["version"] for one in versions] == [2, 1]
    assert Instructions.objects.count() == 2


def test_votes_come_out_line_by_line_with_every_version_if_wanted(cast, batch, api, worker):
    held = vote(worker, "no_claim")
    answer = Answer("checkworthy", seconds=9.0, guide_version=1)
    correct(by=worker, assignment_id=held, answer=answer, seen_version=1)
    (line,) = lines(api.get("crowd_votes"))
    assert line["annotator"] == worker.pseudonym and line["post"].startswith("p")
    assert (line["label"], line["version"], line["is_current"]) == ("checkworthy", 2, True)
    assert (line["seconds"], line["guide_version"], line["counts"]) == (9.0, 1, True)
    everything = lines(api.get("crowd_votes", versions="all"))
    assert [(one["version"], one["counts"]) for one in everything] == [(1, False), (2, True)]
    assert api.get("crowd_votes", versions="some").status_code == 422


def test_a_vote_that_was_taken_out_is_told_and_does_not_count(cast, batch, api, worker):
    vote(worker, "no_claim")
    exclude(by=None, member=worker, stage="crowd", kind=ExclusionKind.DISMISSED, reason="bot")
    (line,) = lines(api.get("crowd_votes"))
    assert (line["is_current"], line["counts"]) == (True, False)


def test_no_name_and_no_address_stands_in_the_votes(cast, batch, api, worker):
    vote(worker, "no_claim")
    text = api.get("crowd_votes").getvalue().decode()
    assert worker.user.username not in text and worker.user.email not in text


def test_the_export_costs_the_same_queries_for_many_votes(cast, api, worker):
    add_posts(cast.study, 40)
    move_batch(by=None, batch=create_batch(by=None, study=cast.study, posts=40), to="open")

    def cost():
        with CaptureQueriesContext(connection) as queries:
            lines(api.get("crowd_votes"))
        return len(queries)

    vote(worker, "no_claim")
    cost()
    few = cost()
    for _number in range(20):
        vote(worker, "no_claim")
    assert cost() == few


def test_votes_on_posts_that_one_has_yet_to_label_stay_hidden(cast, posts, api, worker):
    """A researcher who also works with the crowd, or a round that shares posts with the pool."""
    move_batch(
        by=None, batch=create_batch(by=None, study=cast.study, external_ids=["p1"]), to="open"
    )
    vote(worker, "no_claim")
    cast.researcher.permissions = ["work_crowd"]
    cast.researcher.save()
    assert lines(api.get("crowd_votes")) == []
    assert len(lines(caller(cast.owner).get("crowd_votes"))) == 1


@pytest.fixture
def said(cast, batch):
    """Let two people vote on all posts of a first round and one on a post of a second."""
    second = create_batch(by=None, study=cast.study, external_ids=["p5"])
    for name, label in (("ann", "checkworthy"), ("bob", "no_claim")):
        member = has_read(join(cast.study, name, Role.CROWD_WORKER))
        for _post in range(4):
            vote(member, label)
    move_batch(by=None, batch=second, to="open")
    vote(member, "checkworthy")
    return list(Vote.objects.order_by("pk"))


def ids(answer):
    return [line["id"] for line in lines(answer)]


def test_votes_are_told_by_batch_person_label_and_moment(cast, said, api):
    everything = [one.pk for one in said]
    ann, bob = said[0].member.pseudonym, said[-1].member.pseudonym
    assert ids(api.get("crowd_votes")) == everything
    assert ids(api.get("crowd_votes", batch=2)) == everything[-1:]
    assert ids(api.get("crowd_votes", annotator=ann)) == everything[:4]
    assert ids(api.get("crowd_votes", label="no_claim")) == everything[4:8]
    assert ids(api.get("crowd_votes", annotator=bob, label="checkworthy")) == everything[-1:]
    moment = said[0].created_at
    assert ids(api.get("crowd_votes", since=moment.isoformat())) == everything
    later = max(one.created_at for one in said) + timedelta(milliseconds=1)
    assert ids(api.get("crowd_votes", since=later.isoformat())) == []
    assert ids(api.get("crowd_votes", after=everything[2], limit=3)) == everything[3:6]
    assert ids(api.get("crowd_votes", after=everything[-1])) == []
    assert ids(api.get("crowd_votes", label="no_such_label")) == []


@pytest.mark.parametrize("name", ["crowd_votes", "gold_votes", "legal_votes"])
@pytest.mark.parametrize(
    "asked",
    [
        {"batch": "x"},
        {"batch": 0},
        {"batch": 9},
        {"annotator": "nobody"},
        {"label": "\0"},
        {"since": "yesterday"},
        {"after": -1},
        {"after": 2**63},
        {"limit": 0},
        {"limit": 100_001},
        {"until": "2026-01-01"},
    ],
    ids=str,
)
def test_a_question_about_votes_that_makes_no_sense_is_refused_by_its_name(api, name, asked):
    refused = api.get(name, **asked)
    assert refusal_of(refused) == (422, "invalid")
    assert list(refused.json()["fields"]) == list(asked)


def test_who_goes_on_behind_the_last_row_comes_past_each_once_while_votes_come_in(cast, posts, api):
    batch = create_batch(by=None, study=cast.study, posts=6)
    move_batch(by=None, batch=batch, to="open")
    people = [has_read(join(cast.study, f"w{number}", Role.CROWD_WORKER)) for number in range(3)]
    seen, last = [], 0
    for turn in range(18):
        held = vote(people[turn % 3], "no_claim")
        if turn % 5 == 0:
            answer = Answer("checkworthy", seconds=1.0, guide_version=1)
            correct(by=people[turn % 3], assignment_id=held, answer=answer, seen_version=1)
        seen += ids(api.get("crowd_votes", versions="all", after=last, limit=2))
        last = seen[-1]
    while more := ids(api.get("crowd_votes", versions="all", after=last, limit=2)):
        seen += more
        last = seen[-1]
    assert seen == list(Vote.objects.order_by("pk").values_list("pk", flat=True))
    assert len(seen) == 22


def test_the_part_ends_before_votes_that_one_may_see_later(cast, posts, api):
    """Ids of posts that one has yet to label lie between the others."""
    cast.researcher.permissions = ["work_crowd"]
    cast.researcher.save()
    batch = create_batch(by=None, study=cast.study, posts=2)
    move_batch(by=None, batch=batch, to="open")
    worker = has_read(cast.worker)
    for _post in range(2):
        vote(worker, "no_claim")
    first, _second = Vote.objects.order_by("pk")
    researcher = has_read(cast.researcher)
    begin(researcher)
    held = vote(researcher, "no_claim")
    own = Vote.objects.get(member=researcher, task=Assignment.objects.get(pk=held).task_id)
    shown = ids(api.get("crowd_votes"))
    assert own.pk in shown and len(shown) == 2
    told = ids(api.get("crowd_votes", after=0))
    assert told == ([first.pk] if first.task_id == own.task_id else [])
    vote(researcher, "no_claim")
    rest = ids(api.get("crowd_votes", after=told[-1] if told else 0))
    assert told + rest == list(Vote.objects.order_by("pk").values_list("pk", flat=True))


def test_agreement_and_labels_are_those_of_the_pages(cast, batch, api):
    for name, label in (("a", "checkworthy"), ("b", "no_claim"), ("c", "checkworthy")):
        member = has_read(join(cast.study, name, Role.CROWD_WORKER))
        for _post in range(4):
            vote(member, label)
    found = stage_agreement(cast.study, "crowd")
    told = api.get("crowd_agreement", batch=1).json()
    assert told["alpha"] == found.alpha and told["interval"] == list(found.interval)
    assert (told["posts"], told["votes"], told["people"]) == (4, 12, 3)
    labels = api.get("crowd_labels").json()
    assert {row["code"]: row["majorities"] for row in labels["labels"]}["checkworthy"] == 4
    assert (labels["votes"], labels["ties"]) == (12, 0)


def test_an_undefined_agreement_has_a_reason(cast, batch, api):
    told = api.get("crowd_agreement").json()
    assert told["alpha"] is None and told["reason"]


def test_people_are_listed_by_their_votes(cast, batch, api):
    names = {}
    for name, count in (("a", 1), ("b", 3)):
        member = has_read(join(cast.study, name, Role.CROWD_WORKER))
        names[name] = member.pseudonym
        for _post in range(count):
            vote(member, "no_claim")
    people = api.get("crowd_people").json()["results"]
    assert [(one["pseudonym"], one["votes"]) for one in people] == [
        (names["b"], 3),
        (names["a"], 1),
    ]
    few = api.get("crowd_people", order="votes", size=1).json()
    assert few["results"][0]["votes"] == 1
    assert api.send("GET", few["next"]).json()["results"][0]["votes"] == 3


def test_lists_of_twenty_cost_what_lists_of_two_do(cast, posts, api):
    def cost(name):
        api.get(name)
        with CaptureQueriesContext(connection) as queries:
            assert api.get(name).status_code == 200
        return len(queries)

    def fill(numbers):
        for number in numbers:
            body = {"markdown": f"Number {number}", "seen_version": number}
            assert api.post("crowd_instructions", body=body).status_code == 201
            create_batch(by=None, study=cast.study, external_ids=[f"q{number}"])
            create_gold_batch(by=None, study=cast.study, external_ids=[f"r{number}"])

    rows = "\n".join(f"q{n},Q {n}\nr{n},R {n}" for n in range(1, 13))
    import_posts(by=None, file=upload(cast.study, "id,text\n" + rows), report=no_report)
    names = ("crowd_batches", "gold_batches", "crowd_instructions", "crowd_people")
    fill(range(1, 3))
    few = {name: cost(name) for name in names}
    fill(range(3, 13))
    assert {name: cost(name) for name in names} == few
