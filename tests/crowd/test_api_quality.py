"""What researchers do by the API about gold, prescreening, checks, rules, labels and people."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import BatchState, Job, Role, Standing, StandingChange, Vote
from annotation.services.assignments import next_task, skip_task
from annotation.services.batches import move_batch
from annotation.services.jobs import run_job
from annotation.services.votes import Answer, submit_vote
from crowd.models import Check, Flag, GoldLabel, LabelSet, PrescreeningRules, Qualified, QualityRule
from crowd.services.batches import create_batch
from crowd.services.quality import apply_rules
from tests.api import caller
from tests.cast import add_posts, join, make_cast
from tests.crowd import candidates
from tests.crowd.candidates import candidate, closed_pool, open_with, take_test
from tests.crowd.checks import batch_with_checks, begin_anew, work_through
from tests.crowd.conftest import has_read, held_by

pytestmark = pytest.mark.django_db

WORK = [f"p{number}" for number in range(1, 9)]
GOLD = {f"p{number}": "checkworthy" for number in range(9, 13)}
LABELS = [
    {"code": "true", "name": "True", "key": "t", "description": "It holds."},
    {"code": "false", "name": "False", "key": "f"},
]


@pytest.fixture
def api(cast):
    return caller(cast.researcher)


@pytest.fixture
def batch(cast):
    add_posts(cast.study, 12)
    return batch_with_checks(cast.study, WORK, GOLD, share=0.5)


def at_work(cast, name="ada"):
    member = has_read(join(cast.study, name, Role.CROWD_WORKER, posts=0))
    begin_anew(member)
    return member


def label_gold(member, label):
    held = held_by(member, "gold")
    submit_vote(by=member, assignment_id=held, answer=Answer(label))


# The gold pool


def test_others_gold_labels_show_only_after_ones_own(cast, gold_batch, api):
    label_gold(cast.owner, "no_claim")
    label_gold(cast.owner, "checkworthy")
    assert api.get("gold_posts").json()["results"] == []
    label_gold(cast.researcher, "no_claim")
    (post,) = api.get("gold_posts").json()["results"]
    said = {vote["annotator"]: vote["label"] for vote in post["votes"]}
    assert said == {cast.owner.pseudonym: "no_claim", cast.researcher.pseudonym: "no_claim"}
    assert (post["gold"], post["batch"]) == ("no_claim", 1)


def test_posts_on_which_researchers_differ_are_found(cast, gold_batch, api):
    for member, labels in ((cast.owner, ("no_claim", "no_claim")), (cast.researcher, ())):
        for label in labels or ("no_claim", "checkworthy"):
            label_gold(member, label)
    (post,) = api.get("gold_posts", show="differing").json()["results"]
    assert post["gold"] == "ambiguous"
    assert len(api.get("gold_posts", show="no_claim").json()["results"]) == 1
    assert api.get("gold_posts", show="waiting").json()["results"] == []
    refused = api.get("gold_posts", show="nonsense")
    assert refused.status_code == 422 and refused.json()["fields"].keys() == {"show"}


def test_how_far_a_pool_is_tells_no_label(cast, gold_batch, api):
    for member in (cast.owner, cast.researcher):
        label_gold(member, "no_claim")
    assert api.get("gold_batch", 1).json() == {"posts": 2, "labelled": 1, "lacking": 1}
    assert api.get("gold_batch", 2).status_code == 404


# Prescreening


def test_rules_are_changed_in_part_and_prescreening_is_opened_and_closed(cast, api):
    closed_pool(cast, ["no_claim"] * 4 + ["ambiguous"])
    told = api.get("crowd_prescreening").json()
    assert (told["min_votes"], told["pass_share"], told["is_open"]) == (10, "0.7000", False)
    assert (told["pool"], told["unambiguous"], told["acceptable"]) == (5, 4, [])
    small = api.post("crowd_prescreening_move", body={"to": "open"})
    assert small.status_code == 409 and "has 4 unambiguous posts" in small.json()["detail"]
    changed = api.patch("crowd_prescreening", body={"min_votes": 3, "test_size": 4})
    assert (changed.json()["min_votes"], changed.json()["max_tests"]) == (3, 2)
    assert api.post("crowd_prescreening_move", body={"to": "open"}).json()["is_open"] is True
    assert api.post("crowd_prescreening_move", body={"to": "closed"}).json()["is_open"] is False


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"pass_share": 1.5}, 422),
        ({"min_votes": 0}, 422),
        ({"is_open": True}, 422),
        ({"accepted": ["no-such-study"]}, 422),
        ({"test_size": 5}, 409),
        ({"test_size": 10, "min_per_label": 4}, 409),
    ],
    ids=str,
)
def test_rules_that_cannot_be_are_refused_and_none_is_stored(cast, api, sent, code):
    answer = api.patch("crowd_prescreening", body=sent)
    assert answer.status_code == code and answer.json()["detail"]
    assert not PrescreeningRules.objects.exists()


def test_qualifications_of_the_group_are_accepted_and_stay_so_when_other_rules_change(cast, api):
    sister = make_cast("sister")
    join(sister.study, cast.owner.user.username, Role.OWNER)
    open_with(sister, ["no_claim"] * 3, test_size=3, min_votes=3)
    assert api.get("crowd_prescreening").json()["acceptable"] == ["sister"]
    accepted = api.patch("crowd_prescreening", body={"accepted": ["sister"]}).json()
    assert accepted["accepted"] == ["sister"]
    assert api.patch("crowd_prescreening", body={"max_tests": 1}).json()["accepted"] == ["sister"]
    assert api.patch("crowd_prescreening", body={"accepted": []}).json()["accepted"] == []


def test_a_candidate_is_listed_read_and_decided_on(cast, api):
    open_with(cast, ["no_claim"] * 8, test_size=4, min_votes=3, approval="by_hand")
    member = candidate(cast)
    early = api.post("crowd_candidate_decide", member.pseudonym, body={"decision": "approve"})
    assert early.status_code == 409 and not Qualified.objects.exists()
    take_test(member)
    (row,) = api.get("crowd_candidates").json()["results"]
    assert (row["pseudonym"], row["decision"]) == (member.pseudonym, "waiting")
    assert (row["outcome"], row["correct"], row["tests"], row["votes"]) == ("passed", 4, 1, 4)
    shown = api.get("crowd_candidate", member.pseudonym).json()
    assert shown["qualification"]["state"] == "waiting" and len(shown["tests"]) == 1
    answers = shown["tests"][0]["answers"]
    assert all(one["gold"] == one["label"] and one["is_right"] for one in answers)
    sent = {"decision": "approve", "reason": "Good eye"}
    decided = api.post("crowd_candidate_decide", member.pseudonym, body=sent).json()
    assert decided["qualification"]["state"] == "granted"
    assert (decided["qualification"]["reason"], decided["qualification"]["by_hand"]) == (
        "Good eye",
        True,
    )
    bad = api.post("crowd_candidate_decide", member.pseudonym, body={"decision": "maybe"})
    assert bad.status_code == 422 and Qualified.objects.get().state == "granted"


def test_answers_of_a_test_that_runs_are_not_told(cast, api):
    open_with(cast, ["no_claim"] * 8, test_size=4, min_votes=3)
    member = candidate(cast)
    candidates.begin(member)
    candidates.answer_next(member)
    (test,) = api.get("crowd_candidate", member.pseudonym).json()["tests"]
    assert (test["outcome"], test["votes"], test["answers"]) == ("running", 1, [])


# Checks


def test_checks_are_listed_chosen_and_shared_out(cast, batch, api):
    rows = api.get("crowd_checks").json()["results"]
    assert [(row["post"], row["label"], row["in_use"]) for row in rows] == [
        (name, label, True) for name, label in GOLD.items()
    ]
    chosen = api.patch("crowd_checks", body={"external_ids": ["p9", "p10"]})
    assert chosen.json() == {"in_use": 2}
    unknown = api.patch("crowd_checks", body={"external_ids": ["p9", "p1"]})
    assert unknown.status_code == 422 and "p1" in str(unknown.json()["fields"])
    assert Check.objects.filter(in_use=True).count() == 2
    shared = api.patch("crowd_batch_checks", 1, body={"share": 0.25}).json()
    assert shared["check_share"] == 0.25
    assert api.patch("crowd_batch_checks", 1, body={"share": 0.9}).status_code == 422
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)
    late = api.patch("crowd_batch_checks", 1, body={"share": 0.1})
    assert late.status_code == 409 and "closed" in late.json()["detail"]


def test_an_attention_post_is_written(cast, batch, api):
    text = "If you read this, choose no claim"
    made = api.post("crowd_attention", body={"text": text, "label": "no_claim"})
    assert made.status_code == 201 and made.json()["source"] == "attention"
    assert made.json()["in_use"] is True
    refused = api.post("crowd_attention", body={"text": "☂", "label": "no_claim"})
    assert refused.status_code == 422 and "Nothing is left" in refused.json()["detail"]
    assert api.post("crowd_attention", body={"text": text, "label": "maybe"}).status_code == 422
    assert GoldLabel.objects.filter(source="attention").count() == 1


# Rules and flags


def test_a_rule_is_made_changed_in_part_and_what_it_saw_is_settled(cast, batch, api):
    sent = {"watched": "seconds", "over": 2, "threshold": 10, "action": "ask"}
    rule = api.post("crowd_rules", body=sent).json()
    assert rule["is_active"] is True
    changed = api.patch("crowd_rule", rule["id"], body={"threshold": 20}).json()
    assert (changed["threshold"], changed["over"], changed["is_active"]) == (20, 2, True)
    member = at_work(cast)
    work_through(member, GOLD)
    apply_rules(member=member)
    (flag,) = api.get("crowd_flags").json()["results"]
    assert (flag["pseudonym"], flag["seen"], flag["threshold"]) == (member.pseudonym, 5, 20)
    settled = api.post("crowd_flag_settle", flag["id"], body={"note": "Talked"}).json()
    assert settled["settled_at"] and settled["settled_by_hand"] and settled["note"] == "Talked"
    assert api.get("crowd_flags").json()["results"] == []
    assert len(api.get("crowd_flags", state="all").json()["results"]) == 1
    assert len(api.get("crowd_rules").json()["results"]) == 1


@pytest.mark.parametrize(
    "sent",
    [
        {"watched": "gold", "threshold": 1.5, "action": "ask"},
        {"watched": "seconds", "threshold": -1, "action": "ask"},
        {"watched": "shoes", "threshold": 1, "action": "ask"},
        {"watched": "gold", "threshold": 0.5, "action": "sack"},
        {"watched": "gold", "threshold": 0.5, "action": "ask", "over": 0},
        {"watched": "gold", "action": "ask"},
    ],
    ids=str,
)
def test_a_rule_that_makes_no_sense_is_refused_and_none_is_made(cast, api, sent):
    answer = api.post("crowd_rules", body=sent)
    assert answer.status_code == 422 and answer.json()["detail"]
    assert not QualityRule.objects.exists()


def test_a_rule_cannot_be_changed_into_nonsense(cast, api):
    sent = {"watched": "seconds", "threshold": 10, "action": "ask"}
    rule = api.post("crowd_rules", body=sent).json()
    assert api.patch("crowd_rule", rule["id"], body={"watched": "gold"}).status_code == 422
    assert api.get("crowd_rule", rule["id"]).json() == rule


# Labels


def test_labels_change_in_place_and_then_as_a_new_version(cast, api):
    (first,) = api.get("crowd_label_sets").json()
    assert first["labels"][0]["code"] == "no_claim"
    sent = {"question": "Does it hold?", "labels": LABELS, "seen_version": 1}
    made = api.post("crowd_label_sets", body=sent)
    assert (made.status_code, made.json()["version"]) == (201, 1)
    assert [one["name"] for one in made.json()["labels"]] == ["True", "False"]
    add_posts(cast.study, 2)
    move_batch(by=None, batch=create_batch(by=None, study=cast.study, posts=2), to=BatchState.OPEN)
    again = api.post("crowd_label_sets", body={**sent, "question": "Is it so?"}).json()
    assert again["version"] == 2
    stale = api.post("crowd_label_sets", body=sent)
    assert stale.status_code == 409 and "version 2" in stale.json()["detail"]
    assert [one["version"] for one in api.get("crowd_label_sets").json()] == [2, 1]


@pytest.mark.parametrize(
    "labels",
    [
        [],
        LABELS[:1],
        [LABELS[0], LABELS[0]],
        [{**LABELS[0], "code": "ambiguous"}, LABELS[1]],
        [{**LABELS[0], "key": "s"}, LABELS[1]],
        [{"code": "true"}, LABELS[1]],
        "true",
    ],
    ids=str,
)
def test_labels_that_cannot_be_are_refused_and_nothing_changes(cast, api, labels):
    sent = {"question": "Does it hold?", "labels": labels, "seen_version": 1}
    answer = api.post("crowd_label_sets", body=sent)
    assert answer.status_code == 422 and answer.json()["detail"]
    assert not LabelSet.objects.filter(labels__code="false").exists()


# People


def test_people_have_the_figures_of_the_page(cast, batch, api):
    right, wrong = at_work(cast), at_work(cast, "grace")
    work_through(right, GOLD)
    work_through(wrong, {})
    rows = {row["pseudonym"]: row for row in api.get("crowd_people").json()["results"]}
    row = rows[right.pseudonym]
    assert (row["votes"], row["median_seconds"], row["state"]) == (8, 5, "active")
    checks = Vote.objects.filter(member=right, task__stage="check").count()
    assert row["gold"] == {"of": checks, "right": checks, "share": 1}
    assert rows[wrong.pseudonym]["gold"]["right"] == 0
    assert row["others"] == {"votes": 8, "agreeing": 8, "share": 1}
    assert (row["skips"]["skipped"], row["flags"], row["skill"]) == (0, 0, None)


def test_the_rows_behind_a_persons_figures(cast, batch, api):
    # As many posts as the batch has: the sitting comes to each check that was drawn for it.
    cast.study.protocol.sitting_size = len(WORK)
    cast.study.protocol.save()
    member = at_work(cast)
    held = next_task(by=member, stage="crowd").assignment
    skip_task(by=member, assignment_id=held.pk, reason="not_sure")
    work_through(member, GOLD)
    shown = api.get("crowd_person", member.pseudonym).json()
    assert shown["figures"]["skips"]["skipped"] == 1
    labels = {row["code"]: row["votes"] for row in shown["labels"]}
    assert labels == {"no_claim": Vote.objects.filter(label="no_claim").count()}
    votes = api.get("crowd_person_votes", member.pseudonym).json()["results"]
    checks = api.get("crowd_person_votes", member.pseudonym, show="gold").json()["results"]
    assert {vote["gold"] for vote in checks} == {"checkworthy"}
    assert all(vote["gold"] is None for vote in votes if vote["stage"] == "crowd")
    only = api.get("crowd_person_votes", member.pseudonym, label="no_claim").json()["results"]
    assert len(only) == labels["no_claim"]
    (skip,) = api.get("crowd_person_skips", member.pseudonym).json()["results"]
    assert (skip["post"], skip["reason"]) == (held.task.post.external_id, "not_sure")
    assert api.get("crowd_person_votes", member.pseudonym, show="skipped").status_code == 422


def test_somebody_is_paused_and_let_go_on_with_the_reason_on_record(cast, batch, api):
    member = at_work(cast)
    sent = {"state": "paused", "reason": "Too quick"}
    shown = api.post("crowd_person_standing", member.pseudonym, body=sent).json()
    assert shown["figures"]["state"] == "paused"
    assert shown["changes"][0]["reason"] == "Too quick" and shown["changes"][0]["by_hand"]
    back = api.post("crowd_person_standing", member.pseudonym, body={"state": "active"}).json()
    assert back["figures"]["state"] == "active"
    refused = api.post("crowd_person_standing", member.pseudonym, body={"state": "dismissed"})
    assert refused.status_code == 422 and StandingChange.objects.count() == 2


def test_dismissing_tells_first_what_it_changes_and_is_done_once(cast, batch, api):
    member = at_work(cast)
    work_through(member, GOLD)
    told = api.get("crowd_person_dismiss", member.pseudonym).json()
    assert told == {"votes": 8, "places": 8}
    assert api.post("crowd_person_dismiss", member.pseudonym).status_code == 422
    shown = api.post("crowd_person_dismiss", member.pseudonym, body={"reason": "A bot"}).json()
    assert shown["figures"]["state"] == "dismissed"
    assert shown["exclusions"][0]["places"] == 8
    again = api.post("crowd_person_dismiss", member.pseudonym, body={"reason": "A bot"})
    assert again.status_code == 409 and Standing.objects.get(member=member).state == "dismissed"


def test_an_estimate_is_started_and_read(cast, batch, api):
    for name in ("ada", "grace"):
        work_through(at_work(cast, name), GOLD)
    assert api.get("crowd_estimate").status_code == 404
    job = api.post("crowd_estimate").json()
    assert api.post("crowd_estimate").json()["id"] == job["id"]
    run_job(job_id=Job.objects.get(pk=job["id"]).pk)
    told = api.get("crowd_estimate").json()
    assert (told["posts"], told["people"], told["votes"]) == (8, 2, 16)
    person = api.get("crowd_person", api.get("crowd_people").json()["results"][0]["pseudonym"])
    assert person.json()["estimated_labels"] == told["labels"]
    assert len(person.json()["error_rates"]) == 3


def test_pairs_of_people_lead_to_their_posts(cast, batch, api):
    ada, grace = at_work(cast), at_work(cast, "grace")
    work_through(ada, {"p1": "checkworthy"})
    work_through(grace, {})
    (pair,) = api.get("crowd_pairs").json()
    assert (pair["posts"], pair["same"], pair["share"]) == (8, 7, 0.875)
    posts = api.get("crowd_pair", ada.pseudonym, grace.pseudonym).json()["results"]
    differing = [row for row in posts if row["first"] != row["second"]]
    assert differing == [{"post": "p1", "first": "checkworthy", "second": "no_claim"}]
    assert api.get("crowd_pair", ada.pseudonym, "nobody").status_code == 404


# Skipped posts


def test_skipped_posts_are_listed_and_one_is_marked_as_graphic(cast, batch, api):
    first, second = at_work(cast), at_work(cast, "grace")
    posts = []
    for member, reason in ((first, "harmful"), (first, "not_sure"), (second, "harmful")):
        held = next_task(by=member, stage="crowd").assignment
        skip_task(by=member, assignment_id=held.pk, reason=reason)
        posts.append(held.task.post)
    rows = api.get("crowd_reports").json()["results"]
    assert rows[0]["harmful"] >= rows[-1]["harmful"] == 0
    assert {row["post"] for row in rows} == {post.external_id for post in posts}
    marked = api.patch("post", posts[0].pk, body={"is_graphic": True})
    assert marked.json()["is_graphic"] is True
    assert api.patch("post", posts[0].pk, body={"is_graphic": "perhaps"}).status_code == 422
    graphic = {row["post"]: row["is_graphic"] for row in api.get("crowd_reports").json()["results"]}
    assert [post for post, is_graphic in graphic.items() if is_graphic] == [posts[0].external_id]


# All of it


def test_lists_cost_the_same_queries_with_more_rows(cast, batch, api):
    api.post("crowd_rules", body={"watched": "seconds", "over": 1, "threshold": 9, "action": "ask"})
    names = ("crowd_people", "crowd_checks", "crowd_flags", "crowd_pairs", "gold_posts")

    def cost(name):
        api.get(name)
        with CaptureQueriesContext(connection) as queries:
            assert api.get(name).status_code == 200
        return len(queries)

    def fill(people):
        for name in people:
            member = at_work(cast, name)
            work_through(member, GOLD)
            apply_rules(member=member)

    fill("ab")
    few = {name: cost(name) for name in names}
    fill("c")
    assert Flag.objects.count() == 3
    assert {name: cost(name) for name in names} == few


def test_workers_and_strangers_reach_none_of_it(cast, batch):
    for person, code in ((cast.worker, 403), (cast.expert, 403)):
        api = caller(person)
        for name in ("gold_posts", "crowd_checks", "crowd_flags", "crowd_candidates"):
            assert api.get(name).status_code == code
        assert api.get("crowd_person", person.pseudonym).status_code == code
