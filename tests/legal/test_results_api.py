"""The experts' verdicts, votes, batches, practice and adjudication by the API."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Role, StageCode, Vote
from annotation.services.assignments import next_task, skip_task
from annotation.services.people import change_member
from legal.algorithms import ExpertAnswer
from legal.api.verdicts import VerdictRow
from legal.api.votes import ExpertVote
from legal.models import Decision, LegalSettings, PracticePost
from legal.services.answers import submit_answer
from tests.api import caller, refusal_of
from tests.cast import join
from tests.legal.world import LINK, experts, legal_batch

pytestmark = pytest.mark.django_db

YES = {"label": "yes", "issues": ("hate_speech",), "evidence": (LINK,)}


@pytest.fixture
def researcher(cast):
    return caller(cast.researcher)


@pytest.fixture
def three(cast):
    return experts(cast.study, 3)


SAID = {
    "The harbour is sold.": (YES, YES, YES),
    "The mayor fled.": (YES, {"label": "no"}, {"label": "unclear"}),
    "It rains.": ({"label": "no"}, {"label": "no"}, None),
}


@pytest.fixture
def posts(cast, three):
    """Make a post that all call misinformation, one on which they differ, one that wants a vote."""
    batch = legal_batch(cast.study, list(SAID))
    for place, member in enumerate(three):
        while (held := next_task(by=member, stage=StageCode.LEGAL).assignment) is not None:
            what = SAID[held.task.post.text][place]
            if what is None:
                skip_task(by=member, assignment_id=held.pk, reason="not_sure")
                continue
            answer = ExpertAnswer.of_ticks(**what)
            submit_answer(by=member, assignment_id=held.pk, answer=answer)
    return {task.post.external_id: task.post for task in batch.tasks.select_related("post")}


def lines(answer):
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.getvalue().decode().splitlines()]


def test_verdicts_are_told_of_posts_that_have_all_their_votes(cast, posts, researcher):
    sold, fled = lines(researcher.get("legal_verdicts"))
    assert set(sold) == set(VerdictRow().fields)
    assert (sold["post"], sold["y"], sold["tie"], sold["experts"]) == ("p1", 2, False, 3)
    assert sold["soft"]["yes"] == 1.0 and sold["issues"] == ["hate_speech"]
    assert (fled["post"], fled["y"], fled["tie"], fled["issues"]) == ("p2", 1, True, [])
    assert fled["evidence"] == [LINK]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"label": "yes"}, ["p1"]),
        ({"label": "no"}, []),
        ({"tie": "true"}, ["p2"]),
        ({"tie": "false", "issue": "hate_speech"}, ["p1"]),
        ({"decided": "true"}, []),
        ({"issue": "no_such_issue"}, []),
    ],
    ids=str,
)
def test_verdicts_are_chosen_by_what_is_offered(cast, posts, researcher, asked, found):
    assert [row["post"] for row in lines(researcher.get("legal_verdicts", **asked))] == found


@pytest.mark.parametrize(
    "asked", [{"label": "maybe"}, {"tie": "x"}, {"member__user": "1"}], ids=str
)
def test_a_choice_that_is_not_offered_is_refused(cast, posts, researcher, asked):
    refused = researcher.get("legal_verdicts", **asked)
    assert refusal_of(refused) == (422, "invalid") and list(refused.json()["fields"]) == list(asked)


def test_one_verdict_has_its_votes_and_an_incomplete_post_tells_nothing(cast, posts, researcher):
    told = researcher.get("legal_verdict", posts["p2"].pk).json()
    assert [vote["label"] for vote in told["votes"]] == ["yes", "no", "unclear"]
    assert told["votes"][0]["evidence"][0]["url"] == LINK
    assert refusal_of(researcher.get("legal_verdict", posts["p3"].pk)) == (404, "not_found")


def test_votes_are_told_with_all_that_was_said_and_none_of_an_incomplete_post(
    cast, posts, researcher
):
    found = lines(researcher.get("legal_votes"))
    assert {row["post"] for row in found} == {"p1", "p2"} and len(found) == 6
    assert set(found[0]) == set(ExpertVote().fields)
    issue = found[0]["issues"][0]
    assert (issue["code"], issue["is_raised"]) == ("hate_speech", True)
    assert all(row["counts"] and row["is_current"] for row in found)


def test_votes_are_told_by_batch_expert_label_and_moment(cast, posts, three, researcher):
    found = lines(researcher.get("legal_votes"))

    def places(**asked):
        told = lines(researcher.get("legal_votes", **asked))
        return [found.index(one) for one in told]

    everything = list(range(len(found)))
    assert places(batch=1) == everything
    mine = [at for at in everything if found[at]["annotator"] == three[0].pseudonym]
    assert places(annotator=three[0].pseudonym) == mine and len(mine) == 2
    assert (
        places(label="unclear")
        == [at for at in everything if found[at]["label"] == "unclear"]
        != []
    )
    assert places(since=found[0]["created_at"]) == everything
    assert places(since=(timezone.now() + timedelta(hours=1)).isoformat()) == []
    assert places(limit=2) == [0, 1]
    assert researcher.get("legal_votes", label="maybe").status_code == 422


def test_who_goes_on_behind_a_vote_misses_none_of_a_post_that_is_completed_later(
    cast, posts, three, researcher
):
    open_post = posts["p3"]
    blind = Vote.objects.filter(task__post=open_post).order_by("pk")
    told = [one["id"] for one in lines(researcher.get("legal_votes", after=0))]
    assert told and all(one < blind[0].pk for one in told)
    late = join(cast.study, "late", Role.EXPERT)
    while (held := next_task(by=late, stage=StageCode.LEGAL).assignment) is not None:
        submit_answer(by=late, assignment_id=held.pk, answer=ExpertAnswer.of_ticks(label="no"))
    rest = [one["id"] for one in lines(researcher.get("legal_votes", after=told[-1]))]
    assert told + rest == list(Vote.objects.order_by("pk").values_list("pk", flat=True))


def test_a_list_of_verdicts_and_votes_costs_the_same_for_more_posts(
    cast, posts, researcher, django_assert_max_num_queries
):
    for name in ("legal_verdicts", "legal_votes"):
        with django_assert_max_num_queries(24):
            assert lines(researcher.get(name))


def test_a_batch_is_paused_and_a_closed_one_stays_closed(cast, posts, researcher):
    (batch,) = researcher.get("legal_batches").json()["results"]
    assert (batch["posts"], batch["places"], batch["votes"], batch["state"]) == (3, 9, 8, "open")
    assert researcher.get("legal_batch", 1).json() == batch
    for to, state in (("paused", "paused"), ("closed", "closed")):
        assert researcher.post("legal_batch_move", 1, body={"to": to}).json()["state"] == state
    refused = researcher.post("legal_batch_move", 1, body={"to": "open"})
    assert refusal_of(refused) == (409, "conflict")


def test_posts_that_differ_wait_and_are_decided_under_letters(cast, posts, researcher):
    (waiting,) = researcher.get("legal_adjudication", which="ties").json()["results"]
    assert waiting["post"] == "p2"
    told = researcher.get("legal_together", posts["p2"].pk)
    assert [vote["annotator"] for vote in told.json()["votes"]] == ["A", "B", "C"]
    assert not any(one.pseudonym in told.content.decode() for one in cast.study.members.all())
    said = researcher.post("legal_say", posts["p2"].pk, body={"text": "Look at the date."})
    assert [one["text"] for one in said.json()["remarks"]] == ["Look at the date."]
    body = {"label": "yes", "issues": ["hate_speech"], "reason": "It is one."}
    decided = researcher.post("legal_decision", posts["p2"].pk, body=body).json()
    assert (decided["y"], decided["decided"], len(decided["decisions"])) == (2, True, 1)
    assert researcher.get("legal_adjudication").json()["results"] == []


def test_what_cannot_be_decided_is_refused(cast, posts, researcher):
    wrong = {"label": "yes", "issues": ["no_such_issue"], "reason": "x"}
    refused = researcher.post("legal_decision", posts["p2"].pk, body=wrong)
    assert refusal_of(refused) == (409, "conflict")
    body = {"label": "yes", "reason": "x"}
    assert researcher.post("legal_decision", posts["p3"].pk, body=body).status_code == 404
    assert not Decision.objects.exists()


def test_an_expert_decides_only_where_an_owner_gave_it(cast, posts, three):
    expert = caller(three[0])
    assert refusal_of(expert.get("legal_adjudication")) == (403, "not_allowed")
    change_member(
        by=cast.owner, member=three[0], role="expert", is_active=True, permissions=["adjudicate"]
    )
    assert expert.get("legal_adjudication").status_code == 200
    assert refusal_of(expert.get("legal_verdicts")) == (403, "not_allowed")


def test_a_practice_post_is_written_with_its_model_answer(cast, researcher):
    made = researcher.post("legal_practice", body={"text": "The mayor took the money."})
    assert made.status_code == 201 and made.json()["model_answer"] is None
    answer = {
        "label": "yes",
        "issues": [{"code": "defamation"}],
        "evidence": [{"url": LINK}],
        "insists": True,
    }
    body = {"answer": answer, "explanation": "It names somebody.", "in_use": True}
    told = researcher.patch("legal_model_answer", made.json()["id"], body=body).json()
    assert (told["in_use"], told["model_answer"]["label"]) == (True, "yes")
    assert [row["id"] for row in researcher.get("legal_practice").json()["results"]] == [told["id"]]


@pytest.mark.parametrize(
    "answer",
    [
        {"label": "yes", "issues": [{"code": "no_such_issue"}]},
        {"label": "maybe"},
        {"label": "no", "spans": [[5]]},
        {"label": "no", "citations": [{"passage": 987654321}]},
        {"label": "no", "evidence": [{"url": "no address"}]},
    ],
    ids=str,
)
def test_a_model_answer_that_no_expert_could_give_is_refused(cast, researcher, answer):
    made = researcher.post("legal_practice", body={"text": "The mayor took the money."}).json()
    body = {"answer": answer, "in_use": True}
    refused = researcher.patch("legal_model_answer", made["id"], body=body)
    assert refusal_of(refused) == (422, "invalid"), refused.content
    assert not PracticePost.objects.filter(in_use=True).exists()


def test_the_rules_change_by_what_is_sent(cast, researcher):
    before = researcher.get("legal_settings").json()
    changed = researcher.patch("legal_settings", body={"tie_rule": "adjudicate"})
    assert changed.json() == before | {"tie_rule": "adjudicate"}
    refused = researcher.patch("legal_settings", body={"parked_posts": 51})
    assert refusal_of(refused) == (422, "invalid")
    assert LegalSettings.objects.get().parked_posts == before["parked_posts"]
