"""The catalogue by the API: its versions, one of them whole, and the next one after a dry run."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from legal.catalogues.reading import read_tree
from legal.catalogues.writing import as_tree
from legal.models import Catalogue
from legal.services.catalogues import publish, shipped_catalogue
from tests.api import caller
from tests.legal.test_guide_pages import reworded

pytestmark = pytest.mark.django_db


@pytest.fixture
def asking(cast):
    publish(by=None, study=cast.study, text=shipped_catalogue())
    return caller(cast.researcher)


def body(**more):
    return {"content": as_tree(reworded()), "seen_version": 1, **more}


def test_versions_are_listed_and_one_is_given_as_it_can_be_imported(cast, asking):
    publish(by=None, study=cast.study, text=reworded(), change_note="A word.")
    listed = asking.get("catalogues").json()
    assert [(one["version"], one["change_note"]) for one in listed] == [(2, "A word."), (1, "")]
    assert (listed[0]["issues"], listed[0]["jurisdiction"]) == (11, "Canada")
    one = asking.get("catalogue", 2).json()
    assert read_tree(one["content"]) == reworded()
    assert asking.get("catalogue", 3).status_code == 404


def test_a_dry_run_tells_what_differs_and_changes_nothing(cast, asking):
    told = asking.post("catalogues", body=body(dry_run=True)).json()
    assert told["version"] is None and Catalogue.objects.count() == 1
    (change,) = told["changes"]["issues"]
    assert (change["kind"], change["code"]) == ("changed", "defamation")
    pieces = change["wordings"][0]["pieces"]
    assert {"kind": "new", "text": "prudent "} in pieces


def test_what_was_sent_is_the_next_version_and_what_was_given_makes_none(cast, asking):
    made = asking.post("catalogues", body=body(change_note="A word.")).json()
    assert made["version"] == 2 and Catalogue.objects.count() == 2
    content = asking.get("catalogue", 2).json()["content"]
    again = asking.post("catalogues", body=body(content=content, seen_version=2)).json()
    assert again["version"] == 2 and Catalogue.objects.count() == 2


def test_the_first_version_differs_from_nothing(cast):
    answer = caller(cast.owner).post("catalogues", body=body(seen_version=0))
    assert answer.json() == {"version": 1, "changes": None}


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"content": {"title": "x"}}, 422, "missing"),
        ({"content": [1]}, 422, "must be a mapping"),
        ({"content": "title: x"}, 422, "must be a mapping"),
        ({"seen_version": 7}, 409, "version 1 meanwhile"),
        ({"change_note": "n" * 2001}, 422, "2000 characters"),
        ({"seen_version": None}, 422, "not right"),
        ({"note": "x"}, 422, "not right"),
    ],
)
def test_what_cannot_be_taken_is_refused_with_a_sentence(cast, asking, changes, code, words):
    answer = asking.post("catalogues", body=body(**changes))
    assert answer.status_code == code and words in answer.json()["detail"]
    assert Catalogue.objects.count() == 1


def test_what_is_too_large_is_refused_before_it_is_compared(cast, asking):
    tree = as_tree(shipped_catalogue())
    tree["topics"][0]["issues"] = [
        tree["topics"][0]["issues"][0] | {"code": f"i{n}", "name": f"Issue {n}"} for n in range(200)
    ]
    answer = asking.post("catalogues", body=body(content=tree, dry_run=True))
    assert answer.status_code == 422 and "larger than" in answer.json()["detail"]


def test_experts_read_and_do_not_write_workers_neither(cast, asking):
    assert caller(cast.expert).get("catalogues").status_code == 200
    assert caller(cast.expert).get("catalogue", 1).status_code == 200
    assert caller(cast.expert).post("catalogues", body=body()).status_code == 403
    assert caller(cast.worker).get("catalogues").status_code == 403
    assert caller(cast.worker).get("catalogue", 1).status_code == 403


def cost(asking):
    with CaptureQueriesContext(connection) as captured:
        assert asking.get("catalogues").status_code == 200
    return len(captured)


def test_a_list_of_versions_costs_the_same_for_one_and_for_five(cast, asking):
    cost(asking)
    few = cost(asking)
    for number in range(4):
        text = replace(shipped_catalogue(), title=f"Law {number}")
        publish(by=None, study=cast.study, text=text)
    assert cost(asking) == few
