"""Two runs side by side, a post's way through a run, and controls for the experts."""

import re

import pytest
from django.urls import reverse

from annotation.models import Batch, StageCode, Task
from filtering.models import FilteredPost
from filtering.queries.comparison import compared
from filtering.queries.runs import post_ids
from filtering.services.promotion import drawn_controls, promote_run
from filtering.services.runs import FilterRefused
from tests.filtering.rounds import add_round

pytestmark = pytest.mark.django_db


def text_of(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.fixture
def runs(run_to_end):
    return run_to_end(trials=1), run_to_end(trials=1, method="random", settings={})


def test_two_runs_are_laid_side_by_side_post_by_post(runs):
    first, second = runs
    told = compared(first, second)
    kept = [set(post_ids(run, kept=True)) for run in runs]
    assert set(told.found.both.tolist()) == kept[0] & kept[1]
    assert set(told.found.only_first.tolist()) == kept[0] - kept[1]
    assert told.first.only == len(kept[0] - kept[1])
    assert {post.pk for post in told.first.examples} <= kept[0] - kept[1]


def test_the_page_says_what_each_method_removes_and_leads_to_the_rows(cast, runs, sign_in):
    client, url = sign_in(cast.researcher), reverse("filter_compare", args=[cast.study.slug])
    assert "Compare" in text_of(client.get(url))
    shown = text_of(client.get(url, {"first": 1, "second": 2}))
    assert "the inconsistent ones" in shown and "Nothing is learnt" in shown
    assert reverse("filter_run", args=[cast.study.slug, 2]) in shown


def test_unknown_runs_and_runs_with_other_labels_are_refused(
    cast, voted, runs, run_to_end, sign_in
):
    client, url = sign_in(cast.researcher), reverse("filter_compare", args=[cast.study.slug])
    assert "Select a valid choice" in text_of(client.get(url, {"first": 1, "second": 99}))
    add_round(cast.study, voted[:20], [(2, 3)] * 20, labels=("0", "1"))
    run_to_end(round_number=2, k=5, trials=1)
    assert "different labels" in text_of(client.get(url, {"first": 1, "second": 3}))


def test_without_two_runs_there_is_nothing_to_compare(cast, run_to_end, sign_in):
    run_to_end(trials=1)
    shown = sign_in(cast.researcher).get(reverse("filter_compare", args=[cast.study.slug]))
    assert "There are not two finished runs yet" in text_of(shown)


def test_a_post_shows_its_score_and_the_threshold_of_each_round(cast, run_to_end, sign_in):
    run = run_to_end()
    post = run.posts.filter(kept=False).first()
    url = reverse("filter_post", args=[cast.study.slug, run.number, post.post_id])
    shown = text_of(sign_in(cast.researcher).get(url))
    assert f"in {post.kept_in} of 2 trials" in shown and "Left in round" in shown
    assert (
        sign_in(cast.researcher).get(url.replace(f"/{post.post_id}/", "/999999/")).status_code
        == 404
    )


def test_a_share_of_the_dropped_posts_goes_along_as_a_control(cast, run_to_end):
    run = run_to_end()
    dropped = set(post_ids(run, kept=False))
    batch = promote_run(by=None, run=run, control_share=0.5)
    given = set(Task.objects.filter(batch=batch).values_list("post_id", flat=True))
    controls = given - set(post_ids(run, kept=True))
    assert controls < dropped and len(controls) == run.promotion.control_count
    assert len(controls) == round(len(dropped) / 2) and controls == set(drawn_controls(run, 0.5))


def test_nothing_tells_an_expert_which_posts_are_controls(cast, run_to_end):
    run = run_to_end()
    batch = promote_run(by=None, run=run, control_share=1)
    order = list(batch.tasks.order_by("position").values_list("post__position", flat=True))
    assert order == sorted(order) and batch.source == "Filter run 1"


def test_a_senseless_share_is_refused_and_nothing_is_given(cast, run_to_end, sign_in):
    run = run_to_end()
    with pytest.raises(FilterRefused, match="between 0 and 1"):
        promote_run(by=None, run=run, control_share=1.5)
    url = reverse("filter_promote", args=[cast.study.slug, run.number])
    answer = sign_in(cast.researcher).post(url, {"control": "many"}, follow=True)
    assert "a number from 0 to 100" in text_of(answer)
    assert not Batch.objects.filter(stage=StageCode.LEGAL).exists()


def test_a_run_that_is_not_finished_shows_no_post(cast, voted, tiny, sign_in):
    from annotation.services.jobs import run_job
    from filtering.services.runs import start_run

    run = start_run(by=None, study=cast.study, k=12, trials=1, seed=7, encoder=str(tiny))
    run_job(job_id=run.job_id)
    post = FilteredPost.objects.first()
    url = reverse("filter_post", args=[cast.study.slug, run.number, post.post_id])
    assert sign_in(cast.researcher).get(url).status_code == 404
