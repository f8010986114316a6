"""Posts near a threshold: marked as the algorithm measures it, counted once, and listed."""

import re

import pytest
from django.urls import reverse

from filtering.algorithms import trials
from filtering.models import TrialPost
from tests.api import caller

pytestmark = pytest.mark.django_db


@pytest.fixture
def wide(monkeypatch):
    """Let more lie near, so that there are some among thirty."""
    monkeypatch.setattr(trials.Trial.near_threshold, "__defaults__", (0.2,))


def near_by_hand(run, margin):
    """Return the posts that ever came near, from the stored scores and thresholds."""
    thresholds = {
        trial.pk: [one.threshold for one in trial.rounds.all()]
        for trial in run.trials.prefetch_related("rounds")
    }
    return {
        row.post_id
        for row in TrialPost.objects.filter(trial__run=run)
        for score, threshold in zip(row.scores, thresholds[row.trial_id], strict=False)
        if abs(score - threshold) <= margin * threshold
    }


def test_a_finished_run_knows_its_posts_near_a_threshold(wide, run_to_end):
    run = run_to_end()
    expected = near_by_hand(run, 0.2)
    assert set(run.posts.filter(is_near=True).values_list("post_id", flat=True)) == expected
    assert 0 < run.near_count == len(expected) < 30


def test_the_page_lists_them_with_their_count_and_one_sentence(wide, cast, run_to_end, sign_in):
    run, client = run_to_end(), sign_in(cast.owner)
    url = reverse("filter_run", args=[cast.study.slug, run.number])
    near = client.get(url, {"show": "near"})
    text = re.sub(r"\s+", " ", near.content.decode())
    assert f"Near a threshold ({run.near_count})" in text
    assert "floats differ between the kernels of processors" in text
    assert {one.post_id for one in near.context["page"]} == near_by_hand(run, 0.2)
    assert "floats differ" not in client.get(url).content.decode()


def test_the_api_lists_them(wide, cast, run_to_end):
    run, call = run_to_end(), caller(cast.researcher)
    assert call.get("filter_run", 1).json()["near"] == run.near_count
    near = call.get("filter_posts", 1, near="true").json()["results"]
    far = call.get("filter_posts", 1, near="false").json()["results"]
    assert (len(near), len(far)) == (run.near_count, 30 - run.near_count)
    assert {row["near"] for row in near} == {True}
    both = call.get("filter_posts", 1, near="true", kept="true").json()["results"]
    assert all(row["kept"] and row["near"] for row in both)


@pytest.mark.parametrize("method", ["majority", "random"])
def test_a_method_that_learns_nothing_decides_alike_anywhere(
    wide, cast, run_to_end, sign_in, method
):
    run = run_to_end(method=method, trials=1)
    assert run.near_count == 0
    url = reverse("filter_run", args=[cast.study.slug, run.number])
    assert "Near a threshold" not in sign_in(cast.owner).get(url).content.decode()
