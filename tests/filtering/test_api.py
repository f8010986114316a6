"""Filter runs by the API: what a researcher does on the pages, with the same refusals."""

import pytest

from annotation.services.jobs import run_next
from filtering.models import FilterRun
from tests.api import caller

pytestmark = pytest.mark.django_db


@pytest.fixture
def call(cast):
    return caller(cast.researcher)


def test_a_run_is_started_and_read_trial_by_trial_and_post_by_post(cast, voted, call):
    sent = {"k": 12, "trials": 2, "seed": 7, "settings": {"epochs": 3}, "at_least": 1}
    answer = call.post("filters", body=sent)
    assert answer.status_code == 201, answer.json()
    assert answer.json()["state"] == "queued" and answer.json()["settings"]["epochs"] == 3
    assert call.get("filter_run", 1).json()["at_least"] == 1


def test_a_finished_run_gives_its_posts_with_their_scores(cast, run_to_end, call):
    run = run_to_end()
    told = call.get("filter_run", 1).json()
    assert (told["kept"], told["posts"]) == (run.kept_count, 30)
    assert [len(one["rounds"]) for one in told["trial_rows"]] == [
        trial.rounds.count() for trial in run.trials.all()
    ]
    kept = call.get("filter_posts", 1, kept="true").json()["results"]
    everything = call.get("filter_posts", 1).json()["results"]
    assert (len(kept), len(everything)) == (run.kept_count, 30)
    assert all(way["left_in"] == 0 for row in kept for way in row["ways"])
    assert {len(row["ways"]) for row in everything} == {2}


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"k": 31}, 409),
        ({"k": 5, "settings": {"epochs": 0}}, 409),
        ({"k": 5, "method": "aflite", "settings": {"epochs": 3}}, 409),
        ({"k": 5, "trials": 2, "at_least": 3}, 409),
        ({"k": 0}, 422),
        ({"method": "guessing"}, 422),
        ({"k": 5, "encoder": "/etc"}, 422),
    ],
)
def test_what_cannot_be_is_refused_and_starts_nothing(cast, voted, call, sent, status):
    answer = call.post("filters", body=sent)
    assert answer.status_code == status and answer.json()["detail"]
    assert not FilterRun.objects.exists()


def test_runs_are_compared_and_given_on_once(cast, run_to_end, call):
    first = run_to_end(trials=1)
    run_to_end(trials=1, method="random")
    told = call.get("filter_compare", first=1, second=2).json()
    assert told["both"] + told["first"]["only"] == first.kept_count
    assert call.get("filter_compare", first=1, second=9).status_code == 404
    answer = call.post("filter_promote", 1, body={"control_share": 0.5})
    assert answer.status_code == 200 and answer.json()["legal_batch"] == 1
    assert call.post("filter_promote", 1, body={}).status_code == 409


def test_a_run_that_is_not_finished_gives_no_posts(cast, voted, tiny, call):
    from filtering.services.runs import start_run

    run = start_run(by=None, study=cast.study, k=12, trials=1, seed=7, encoder=str(tiny))
    run_next(job=run.job)
    assert run.posts.exists()
    assert call.get("filter_posts", 1).json()["results"] == []
