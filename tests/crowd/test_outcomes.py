"""What the votes make of each post, taken out as a file and by the API."""

import csv
import io
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Role
from annotation.services.batches import move_batch
from annotation.services.importing import import_posts
from annotation.services.jobs import run_job
from annotation.services.votes import Answer, submit_vote
from crowd.models import LikelyLabel
from crowd.services.batches import create_batch
from crowd.services.estimates import start_estimate
from crowd.services.labels import NewLabel, write_labels
from infra.jobs import no_report
from tests.api import caller
from tests.cast import join, upload
from tests.crowd.conftest import has_read, held_by

pytestmark = pytest.mark.django_db

LABELS = ("no_claim", "not_checkworthy", "checkworthy")


def vote_on_all(cast, name, choose, posts=4):
    member = has_read(join(cast.study, name, Role.CROWD_WORKER))
    for number in range(posts):
        answer = Answer(choose(number), seconds=4.0)
        submit_vote(by=member, assignment_id=held_by(member), answer=answer)
    return member


@pytest.fixture
def voted(cast, batch):
    """Three people on four posts: alike, two to one, all different, and a fourth alike."""
    for place, name in enumerate("abc"):
        said = ["no_claim", LABELS[place // 2], LABELS[place], "checkworthy"]
        vote_on_all(cast, name, said.__getitem__)
    return batch


def estimated(cast):
    run_job(job_id=start_estimate(by=None, study=cast.study).pk)


def by_post(answer):
    rows = [json.loads(line) for line in answer.getvalue().splitlines()]
    return {row["post"]: row for row in rows}


def table(client, cast, name="labels.csv", **query):
    address = reverse("crowd_posts_file", args=[cast.study.slug, name], query=query or None)
    answer = client.get(address)
    assert answer.status_code == 200 and answer["Content-Disposition"].endswith(f'{name}"')
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode())))


def test_a_majority_a_tie_and_soft_labels_are_told_as_they_are(cast, voted):
    rows = by_post(caller(cast.researcher).get("crowd_posts"))
    alike, most, tie, _last = (rows[name] for name in ("p1", "p2", "p3", "p4"))
    assert (alike["label"], alike["tie"], alike["votes"]) == ("no_claim", False, 3)
    assert alike["soft"] == {"no_claim": 1, "not_checkworthy": 0, "checkworthy": 0}
    assert most["label"] == "no_claim" and most["soft"]["no_claim"] == pytest.approx(2 / 3)
    assert (tie["label"], tie["tie"], tie["tied"]) == (None, True, list(LABELS))
    assert tie["counts"] == dict.fromkeys(LABELS, 1)
    assert all(sum(row["soft"].values()) == pytest.approx(1) for row in rows.values())
    assert alike["chances"] is None and alike["likeliest"] is None


def test_the_newest_estimate_stands_beside_the_counts(cast, voted):
    estimated(cast)
    rows = by_post(caller(cast.researcher).get("crowd_posts"))
    for likely in LikelyLabel.objects.select_related("post", "estimate"):
        row = rows[likely.post.external_id]
        assert [row["chances"][label] for label in likely.estimate.labels] == likely.chances
        assert row["chances"][row["likeliest"]] == max(likely.chances)


def test_the_file_says_the_same_as_the_api(cast, voted, sign_in):
    estimated(cast)
    told = by_post(caller(cast.researcher).get("crowd_posts"))
    rows = table(sign_in(cast.researcher), cast)
    assert [row["post_id"] for row in rows] == ["p1", "p2", "p3", "p4"]
    for row in rows:
        one = told[row["post_id"]]
        assert (row["label"], row["tie"]) == (one["label"] or "", str(one["tie"]).lower())
        assert row["likeliest"] == one["likeliest"] and int(row["votes"]) == one["votes"]
        for label in LABELS:
            assert int(row[f"votes_{label}"]) == one["counts"][label]
            assert float(row[f"share_{label}"]) == one["soft"][label]
            assert float(row[f"chance_{label}"]) == one["chances"][label]


def test_a_spreadsheet_runs_no_cell_of_its_copy(cast, sign_in):
    file = upload(cast.study, "id,text\n=1+1,Odd\n")
    import_posts(by=None, file=file, report=no_report)
    move_batch(by=None, batch=create_batch(by=None, study=cast.study, posts=1), to="open")
    vote_on_all(cast, "a", lambda _number: "no_claim", posts=1)
    client = sign_in(cast.researcher)
    assert table(client, cast)[0]["post_id"] == "=1+1"
    assert table(client, cast, "spreadsheet.csv")[0]["post_id"] == "'=1+1"


def test_rounds_with_different_labels_are_taken_out_one_by_one(cast, voted, sign_in):
    labels = [NewLabel("true", "True", "t"), NewLabel("false", "False", "f")]
    write_labels(by=None, study=cast.study, question="Is it?", labels=labels)
    create_batch(by=None, study=cast.study, external_ids=["p5"])
    api, client = caller(cast.researcher), sign_in(cast.researcher)
    refused = api.get("crowd_posts")
    assert refused.status_code == 409 and "different label sets" in refused.json()["detail"]
    address = reverse("crowd_posts_file", args=[cast.study.slug, "labels.csv"])
    assert client.get(address).status_code == 404
    assert len(by_post(api.get("crowd_posts", batch=1))) == len(table(client, cast, batch=1)) == 4
    assert by_post(api.get("crowd_posts", batch=2)) == {}
    assert client.get(address, {"batch": "first"}).status_code == 404
    other = reverse("crowd_posts_file", args=[cast.study.slug, "secrets.csv"])
    assert client.get(other).status_code == 404


def test_what_one_has_yet_to_judge_oneself_stays_hidden(cast, voted, sign_in):
    cast.researcher.permissions = ["work_crowd"]
    cast.researcher.save()
    assert by_post(caller(cast.researcher).get("crowd_posts")) == {}
    assert table(sign_in(cast.researcher), cast) == []
    assert len(by_post(caller(cast.owner).get("crowd_posts"))) == 4


def test_the_pages_lead_to_the_files(cast, voted, sign_in):
    client = sign_in(cast.researcher)
    file = reverse("crowd_posts_file", args=[cast.study.slug, "labels.csv"])
    for name, more in (("crowd_posts", []), ("crowd_agreement", []), ("crowd_batch", [1])):
        page = client.get(reverse(name, args=[cast.study.slug, *more])).content.decode()
        assert f'href="{file}{"?batch=1" if more else ""}"' in page


def test_many_posts_cost_the_queries_of_few(cast, voted):
    api = caller(cast.researcher)

    def cost():
        with CaptureQueriesContext(connection) as queries:
            by_post(api.get("crowd_posts"))
        return len(queries)

    cost()
    few = cost()
    rows = "\n".join(f"m{number},More {number}" for number in range(12))
    import_posts(by=None, file=upload(cast.study, f"id,text\n{rows}"), report=no_report)
    names = [f"m{number}" for number in range(12)]
    move_batch(
        by=None, batch=create_batch(by=None, study=cast.study, external_ids=names), to="open"
    )
    vote_on_all(cast, "d", lambda _number: "no_claim", posts=12)
    assert len(by_post(api.get("crowd_posts"))) == 16
    assert cost() == few
