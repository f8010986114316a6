"""The API of the shared ground: what it gives, what it changes, and how it refuses."""

import html

import pytest
from django.urls import reverse

from annotation.api.problems import PROBLEMS
from annotation.models import JobState, Member, Protocol, Role
from annotation.services.batches import move_batch
from annotation.services.jobs import queue_job
from annotation.services.votes import Answer, submit_vote
from crowd.services.batches import create_batch, create_gold_batch
from tests.api import Caller, caller, refusal_of
from tests.cast import add_posts, join, upload
from tests.crowd.conftest import held_by
from tests.queries import queries_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(cast):
    return caller(cast.owner)


@pytest.fixture
def researcher(cast):
    return caller(cast.researcher)


def test_one_sees_one_s_studies_and_what_one_is_there(cast, owner):
    answer = Caller(owner.secret).get("studies").json()
    (study,) = answer["results"]
    assert (study["slug"], study["role"]) == (cast.study.slug, "owner")
    assert "manage_study" in study["permissions"]
    assert owner.get("study").json() == study
    assert caller(cast.stranger).get("studies").json()["results"] == []


def test_the_protocol_is_changed_by_what_is_sent_and_nothing_else(cast, owner):
    before = owner.get("protocol").json()
    changed = owner.patch("protocol", body={"crowd_votes": 5, "reward": "0.25", "title": "New"})
    assert changed.json() == before | {"crowd_votes": 5, "reward": "0.25", "title": "New"}
    assert owner.get("protocol").json() == changed.json()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"crowd_votes": 0}, "crowd_votes"),
        ({"crowd_votes": 10**30}, "crowd_votes"),
        ({"reward": "-1"}, "reward"),
        ({"state": "gone"}, "state"),
        ({"languages": [["en"]]}, "languages.0"),
        ({"title": ""}, "title"),
        ({"title": "\0"}, "title"),
        ({"title": "\ud800"}, "title"),
        ({"study": 1}, "study"),
        ({"no_such_setting": 1}, "no_such_setting"),
    ],
)
def test_a_bad_setting_is_named_and_changes_nothing(cast, owner, sent, field):
    before = Protocol.objects.values().get()
    answer = owner.patch("protocol", body={"expert_votes": 9, **sent})
    assert answer.status_code == 422, answer.content
    assert list(answer.json()["fields"]) == [field]
    assert answer.json()["fields"][field][0]
    assert Protocol.objects.values().get() == before


@pytest.mark.parametrize(
    ("content", "code", "error"),
    [
        ("{", 400, "malformed"),
        (b"\xff\xfe", 400, "malformed"),
        ('{"crowd_votes": NaN}', 400, "malformed"),
        ("[" * 100_000, 400, "malformed"),
        (r'{"pooling": "\ud800"}', 422, "invalid"),
        (r'{"\ud800": 1}', 422, "invalid"),
        ('{"crowd_votes": ' + "9" * 5_000 + "}", 400, "malformed"),
        ("[]", 422, "invalid"),
        ('"x"', 422, "invalid"),
        ("null", 422, "invalid"),
        ('{"title": "' + "x" * 6_000_000 + '"}', 413, "too_large"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_json_object_is_refused(cast, owner, content, code, error):
    answer = owner.send("PATCH", reverse("api_protocol", args=[cast.study.slug]), content)
    assert refusal_of(answer) == (code, error)


def test_a_form_is_refused(cast, owner, client):
    headers = {"Authorization": f"Bearer {owner.secret}"}
    address = reverse("api_members", args=[cast.study.slug])
    answer = client.post(address, {"name_or_email": "a", "role": "owner"}, headers=headers)
    assert refusal_of(answer) == (415, "wrong_media_type")


def test_a_fault_is_logged_and_shows_nothing_of_itself(cast, owner, monkeypatch, caplog):
    def broken(*_arguments):
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr("annotation.api.members.members_of", broken)
    answer = owner.get("members")
    assert refusal_of(answer) == (500, "fault")
    assert "secret" not in answer.content.decode()
    assert "the secret of the house" in caplog.text


def test_an_owner_lets_somebody_in_and_changes_them(cast, owner):
    made = owner.post("members", body={"name_or_email": "ada@example.org", "role": "expert"})
    assert made.status_code == 201
    member, password = made.json()["member"], made.json()["password"]
    assert member["role"] == "expert" and len(password) > 10
    changed = owner.patch("member", member["pseudonym"], body={"is_active": False})
    assert changed.json() == member | {"is_active": False}
    again = owner.post("members", body={"name_or_email": "ada@example.org", "role": "owner"})
    assert refusal_of(again) == (409, "conflict")
    assert "already" in again.json()["detail"]
    assert Member.objects.get(pseudonym=member["pseudonym"]).role == Role.EXPERT


def test_nobody_raises_their_own_role(cast, owner):
    answer = owner.patch("member", cast.owner.pseudonym, body={"role": "expert"})
    assert answer.status_code == 409 and "your own role" in answer.json()["detail"]


def test_posts_are_searched_filtered_and_ordered(cast, researcher):
    add_posts(cast.study, ["The harbour is closed", "Soup", "😀", "The harbour is open"])
    found = researcher.get("posts", search="harbour", order="-id").json()["results"]
    assert [post["external_id"] for post in found] == ["p4", "p1"]
    assert [post["external_id"] for post in researcher.get("posts", search="p2").json()["results"]]
    dropped = researcher.get("posts", kept="dropped").json()["results"]
    assert [post["external_id"] for post in dropped] == ["p3"]


@pytest.mark.parametrize(
    "asked",
    [
        {"kept": "maybe"},
        {"order": "imported_in__created_by__password"},
        {"study__members__user__password__startswith": "a"},
        {"cursor": "x"},
        {"cursor": "cD14"},  # p=x
        {"size": "0"},
        {"size": "100000"},
        {"search": "\0"},
    ],
    ids=str,
)
def test_what_a_list_does_not_offer_is_refused(cast, researcher, asked):
    add_posts(cast.study, 2)
    answer = researcher.get("posts", **asked)
    assert answer.status_code == 422, answer.content
    assert list(answer.json()["fields"]) == list(asked)


def test_pages_follow_each_other_while_rows_come(cast, researcher):
    add_posts(cast.study, 5)
    first = researcher.get("posts", size=2).json()
    assert first["previous"] is None
    second = researcher.send("GET", first["next"]).json()
    third = researcher.send("GET", second["next"]).json()
    pages = (first, second, third)
    ids = [post["external_id"] for page in pages for post in page["results"]]
    assert ids == ["p1", "p2", "p3", "p4", "p5"]
    assert third["next"] is None
    assert researcher.send("GET", second["previous"]).json()["results"] == first["results"]


def test_a_post_comes_with_each_version_of_each_vote(cast, researcher):
    add_posts(cast.study, 1)
    move_batch(by=None, batch=create_batch(by=None, study=cast.study, posts=1), to="open")
    vote, _is_new = submit_vote(
        by=cast.worker, assignment_id=held_by(cast.worker), answer=Answer("no_claim", 3.0, 1)
    )
    post = researcher.get("post", vote.task.post_id).json()
    (round_,) = post["rounds"]
    assert (round_["stage"], round_["batch"]) == ("crowd", 1)
    (shown,) = round_["votes"]
    assert shown["annotator"] == cast.worker.pseudonym
    assert (shown["label"], shown["version"], shown["is_newest"]) == ("no_claim", 1, True)


def test_a_gold_post_is_hidden_until_one_has_labelled_it(cast, researcher):
    posts = add_posts(cast.study, 1)
    move_batch(by=None, batch=create_gold_batch(by=None, study=cast.study, posts=1), to="open")
    answer = Answer("ambiguous")
    submit_vote(by=cast.owner, assignment_id=held_by(cast.owner, "gold"), answer=answer)
    hidden = researcher.get("post", posts[0].pk)
    assert hidden.json()["is_hidden"] and hidden.json()["rounds"] == []
    assert "ambiguous" not in hidden.content.decode()
    submit_vote(by=cast.researcher, assignment_id=held_by(cast.researcher, "gold"), answer=answer)
    assert len(researcher.get("post", posts[0].pk).json()["rounds"][0]["votes"]) == 2


def test_a_job_is_followed_stopped_and_tried_again(cast, researcher):
    file = upload(cast.study, "id,text\n1,a\n")
    job = queue_job(by=None, study=cast.study, kind="check_file", parameters={"import": file.pk})
    assert researcher.get("job", job.pk).json()["state"] == JobState.QUEUED
    assert researcher.post("job_cancel", job.pk).json()["state"] == JobState.CANCELLED
    assert researcher.post("job_retry", job.pk).json()["state"] == JobState.QUEUED
    assert [one["id"] for one in researcher.get("jobs").json()["results"]] == [job.pk]


def test_a_list_of_twenty_costs_what_a_list_of_ten_does(cast, owner, django_assert_num_queries):
    def cost(name):
        client = TokenClient(owner)
        return queries_for(client, reverse(f"api_{name}", args=[cast.study.slug]))

    lists = ("posts", "members", "jobs")
    file = upload(cast.study, "id,text\n1,a\n", name="a.csv")

    def fill(numbers):
        for number in numbers:
            join(cast.study, f"more-{number}", Role.EXPERT)
            queue_job(by=None, study=cast.study, kind="check_file", parameters={"import": file.pk})

    add_posts(cast.study, 10)
    fill(range(5))
    few = {name: cost(name) for name in lists}
    fill(range(5, 20))
    assert {name: cost(name) for name in lists} == few


class TokenClient:
    """Looks like a test client to whoever counts queries."""

    def __init__(self, person: Caller) -> None:
        self.person = person

    def get(self, address):
        return self.person.send("GET", address)


def test_an_unknown_address_answers_in_the_same_shape(client):
    answer = client.get("/api/v1/no-such-thing/")
    assert refusal_of(answer) == (404, "not_found")


def test_whoever_accepts_no_json_is_told_so(cast, owner, client):
    address = reverse("api_study", args=[cast.study.slug])
    headers = {"Authorization": f"Bearer {owner.secret}"}

    def ask(accepted):
        return client.get(address, headers=headers | {"Accept": accepted})

    assert refusal_of(ask("text/csv")) == (406, "not_acceptable")
    for accepted in ("", "*/*", "text/html, application/*;q=0.1", "application/problem+json"):
        assert ask(accepted).status_code == 200, accepted


def test_an_address_of_too_many_parts_is_refused_and_no_fault(cast, owner):
    address = reverse("api_posts", args=[cast.study.slug]) + "?" + "a=1&" * 2_000
    assert refusal_of(owner.send("GET", address)) == (400, "malformed")


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
def test_each_kind_of_problem_has_a_page_for_everybody(problem, client):
    answer = client.get(problem.type)
    assert answer.status_code == 200
    assert str(problem.advice) in html.unescape(answer.content.decode())
    assert client.get("/problems/no-such-thing").status_code == 404
