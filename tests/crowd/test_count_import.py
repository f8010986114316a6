"""Rounds that come as counts: kept as tallies, never as invented people."""

import json

import pytest

from annotation.models import Batch, Member, Tally, Task, Vote
from annotation.queries.counts import counts_of, rounds_of
from annotation.services.checking import check_file
from crowd.services.count_import import import_counts
from infra.jobs import JobRefused, no_report
from tests.cast import add_posts, upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def posts(cast):
    return add_posts(cast.study, 5)


def load(study, content, name="counts.jsonl", **more):
    file = upload(study, content, kind="crowd_counts", name=name, **more)
    return import_counts(by=None, file=file, report=no_report)


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


OBJECTS = lines(
    {"id": "p1", "zero_shot": {"a": "yes"}, "crowd_counts": None},
    {"id": "p2", "zero_shot": {"a": "no"}, "crowd_counts": {"no_claim": 0, "checkworthy": 3}},
    {"id": "p3", "zero_shot": {"a": "no"}, "crowd_counts": {"no_claim": 2, "not_checkworthy": 1}},
)


def test_an_object_of_counts_is_found_and_kept_as_tallies(cast, posts):
    result = load(cast.study, OBJECTS)
    assert (result["posts"], result["votes"], result["without_counts"]) == (2, 6, 1)
    rounds = rounds_of(cast.study, "crowd")
    assert rounds.labels == ("no_claim", "not_checkworthy", "checkworthy")
    ids = [post.pk for post in posts]
    assert counts_of(rounds, ids) == {ids[1]: (0, 0, 3), ids[2]: (2, 1, 0)}
    assert not Vote.objects.exists() and not Member.objects.filter(user=None).exists()
    assert Task.objects.count() == 2 and not Tally.objects.filter(count=0).exists()


def test_columns_named_like_the_methods_labels_are_found(cast, posts):
    content = "id,no_claim,not_checkworthy,checkworthy\np1,1,0,2\np2,,,\np3,1.0,,\n"
    result = load(cast.study, content, name="counts.csv")
    assert (result["posts"], result["votes"], result["without_counts"]) == (2, 4, 1)


def test_columns_of_any_name_may_be_chosen(cast, posts):
    content = "id,yes,no,likes\np1,2,1,40\np2,0,3,7\n"
    with pytest.raises(JobRefused, match="name the columns that hold them"):
        load(cast.study, content, name="c.csv")
    result = load(cast.study, content, name="c.csv", options={"counts": ["yes", "no"]})
    assert (result["labels"], result["votes"]) == (["no", "yes"], 6)


def test_a_column_of_objects_may_be_chosen_also_in_a_csv(cast, posts):
    content = 'id,a,b\np1,"{""x"": 5}","{""y"": 1}"\n'
    result = load(cast.study, content, name="c.csv", options={"columns": {"counts": "b"}})
    assert result["labels"] == ["y"]


def test_a_column_that_is_not_there_is_told(cast, posts):
    with pytest.raises(JobRefused, match="no column “maybe”"):
        load(cast.study, "id,yes\np1,2\n", name="c.csv", options={"counts": ["yes", "maybe"]})


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({"yes": -1}, "whole number"),
        ({"yes": 1.5}, "whole number"),
        ({"yes": "many"}, "whole number"),
        ({"yes": True}, "whole number"),
        ({"yes": 10**12}, "whole number"),
        ({"yes": [1]}, "whole number"),
        ([1, 2], "no object of counts"),
        ("three", "no object of counts"),
        ({"": 1}, "label is missing"),
        ({"y" * 61: 1}, "more than 60 characters"),
    ],
)
def test_what_is_no_count_is_a_bad_row(cast, posts, counts, words):
    content = lines({"id": "p1", "counts": {"yes": 2}}, {"id": "p2", "counts": counts})
    file = upload(
        cast.study, content, kind="crowd_counts", name="c.jsonl", options={"counts": "counts"}
    )
    assert check_file(file=file, report=no_report) == {"good": 1, "bad": 1}
    assert file.report["bad_rows"][0]["line"] == 2
    assert words in file.report["bad_rows"][0]["reason"]


def test_unknown_and_repeated_posts_are_bad_rows(cast, posts):
    content = lines(*({"id": post, "n": {"x": 1}} for post in ("p1", "p9", "p1")))
    file = upload(cast.study, content, kind="crowd_counts", name="c.jsonl")
    assert check_file(file=file, report=no_report) == {"good": 1, "bad": 2}
    reasons = [row["reason"] for row in file.report["bad_rows"]]
    assert "no post p9" in reasons[0] and "line 1 already" in reasons[1]


def test_a_file_without_any_count_is_refused(cast, posts):
    content = lines({"id": "p1", "counts": None}, {"id": "p2", "counts": None})
    with pytest.raises(JobRefused, match="nothing to import"):
        load(cast.study, content, options={"counts": "counts"})
    assert not Batch.objects.exists()


def test_the_same_file_comes_in_once_also_as_another_form(cast, posts):
    load(cast.study, OBJECTS)
    with pytest.raises(JobRefused, match="crowd round 1 already"):
        load(cast.study, OBJECTS)
