"""Releases and the data card by the API."""

import hashlib

import pytest

from annotation.models import Job
from annotation.services.batches import move_batch
from crowd.services.batches import create_batch
from releases.algorithms.pseudonyms import pseudonym
from releases.choices import ReleaseChoices
from releases.queries.sources import key_of
from tests.api import caller, refusal_of
from tests.cast import add_posts
from tests.world import finished, finished_release

pytestmark = pytest.mark.django_db


@pytest.fixture
def researcher(cast):
    add_posts(cast.study, 3)
    return caller(cast.researcher)


def test_a_release_is_listed_told_and_downloaded_as_it_was_made(cast, researcher):
    finished_release(cast.study)
    (row,) = researcher.get("releases").json()["results"]
    told = researcher.get("release", 1).json()
    assert row.items() <= told.items() and told["number"] == 1
    names = [file["name"] for file in told["files"]]
    assert {"manifest.json", "csv/posts.csv", "data/posts-test.parquet"} <= set(names)
    for file in told["files"]:
        answer = researcher.get("release_file", 1, file["name"])
        content = b"".join(answer.streaming_content)
        assert hashlib.sha256(content).hexdigest() == file["sha256"], file["name"]


def test_a_file_that_is_not_the_release_s_is_not_there(cast, researcher):
    finished_release(cast.study)
    for name in ("no-such.csv", "../manifest.json", "csv/../manifest.json"):
        assert researcher.get("release_file", 1, name).status_code == 404
    stranger = caller(cast.stranger)
    stranger.slug = cast.study.slug
    assert refusal_of(stranger.get("release_file", 1, "manifest.json")) == (404, "not_found")


def test_a_release_is_made_as_it_was_chosen_and_one_at_a_time(cast, researcher):
    splits = {"train": 80, "test": 20, "seed": 7}
    made = researcher.post("releases", body={"stages": ["crowd"], "splits": splits})
    assert made.status_code == 201, made.content
    choices = ReleaseChoices.from_json(Job.objects.get(pk=made.json()["id"]).parameters)
    assert (choices.stages, choices.splits.shares) == (
        ("crowd",),
        {"train": 80, "validation": 0, "test": 20},
    )
    again = researcher.post("releases")
    assert refusal_of(again) == (409, "conflict") and "already" in again.json()["detail"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"splits": {"train": 80}}, "splits"),
        ({"splits": {"train": -1, "test": 101}}, "splits.train"),
        ({"stages": []}, "stages"),
        ({"texts": "all"}, "texts"),
        ({"insists": "It is mine."}, "insists"),  # which only owners may
        ({"folder": "/etc"}, "folder"),
    ],
    ids=str,
)
def test_what_cannot_be_chosen_is_refused_and_queues_nothing(cast, researcher, body, field):
    refused = researcher.post("releases", body=body)
    assert refusal_of(refused) == (422, "invalid"), refused.content
    assert field in list(refused.json()["fields"])
    assert not Job.objects.exists()


def test_a_look_shows_the_first_rows_and_makes_nothing(cast, researcher):
    told = researcher.post("release_preview", body={"texts": "ids"})
    assert told.status_code == 200, told.content
    posts = next(table for table in told.json()["tables"] if table["table"] == "posts")
    assert "text" not in posts["columns"] and [row[0] for row in posts["rows"]] == [
        "p1",
        "p2",
        "p3",
    ]
    assert told.json()["open_tasks"] == {"crowd": 0, "legal": 0}
    assert not Job.objects.exists()


def test_a_look_counts_what_still_wants_votes(cast, researcher):
    move_batch(by=None, batch=create_batch(by=None, study=cast.study, posts=2), to="open")
    told = researcher.post("release_preview").json()
    assert told["open_tasks"] == {"crowd": 2, "legal": 0}


def test_a_name_of_a_release_leads_to_the_pseudonym_of_the_study(cast, researcher):
    finished_release(cast.study)
    name = pseudonym(cast.worker.pk, key_of(cast.study))
    told = researcher.get("release_annotator", 1, name)
    assert (told.status_code, told.json()) == (200, {"pseudonym": cast.worker.pseudonym})
    assert researcher.get("release_annotator", 1, name[:-1]).status_code == 404
    assert researcher.get("release_annotator", 2, name).status_code == 404


def test_a_release_is_flagged_with_a_reason_and_stays_what_it_is(cast, researcher):
    finished_release(cast.study)
    before = researcher.get("release", 1).json()
    assert researcher.post("release_flag", 1, body={"reason": " "}).status_code == 422
    (flag,) = researcher.post("release_flag", 1, body={"reason": "Wrong texts."}).json()
    assert (flag["kind"], flag["reason"], flag["annotator"]) == ("fault", "Wrong texts.", "")
    assert researcher.get("release_flag", 1).json() == [flag]
    assert researcher.get("release", 1).json() == {**before, "flag_count": 1}


def test_a_release_is_compared_with_an_earlier_one_only(cast, researcher):
    finished_release(cast.study)
    finished_release(cast.study)
    for number, other in ((2, 2), (1, 2), (2, 3)):
        refused = researcher.post("release_compare", number, body={"earlier": other})
        assert refusal_of(refused) == (422, "invalid")
    job = Job.objects.get(
        pk=researcher.post("release_compare", 2, body={"earlier": 1}).json()["id"]
    )
    number = finished(job).result["comparison"]
    told = researcher.get("comparison", number).json()
    assert (told["before"], told["after"], told["result"]["posts"]["changed"]) == (1, 2, 0)
    assert researcher.get("comparisons").json()["results"] == [told]
    assert researcher.get("comparison_posts", number, changed="text").getvalue() == b""


def test_the_card_is_written_and_given_back(cast, researcher):
    before = researcher.get("data_card").json()
    code = before["sections"][0]["code"]
    terms = researcher.patch("data_card", body={"licence": "CC-BY-4.0"}).json()
    assert terms == before | {"licence": "CC-BY-4.0"}
    written = researcher.patch("card_section", code, body={"text": "So it was."}).json()
    assert written["sections"][0] | {"title": ""} == {
        "code": code,
        "title": "",
        "text": "So it was.",
        "follows": False,
    }
    back = researcher.post("card_section_back", code).json()
    assert back == terms
    assert researcher.patch("card_section", "no-such", body={"text": "x"}).status_code == 404
