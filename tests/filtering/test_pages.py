"""The filter's pages: who may, what they say, and that their queries do not grow with rows."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Batch, JobState, StageCode, Tally
from annotation.registry import stages
from annotation.services.people import change_member
from filtering.models import FilterRun, Promotion
from filtering.queries.previews import warnings
from filtering.services.promotion import promote_run
from filtering.services.runs import FilterRefused, start_run
from tests.cast import add_posts, make_cast
from tests.filtering.rounds import CLEAR, add_round, finished_run

pytestmark = pytest.mark.django_db


def page(name, study, *more):
    return reverse(name, args=[study.slug, *more])


def text_of(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


def queries(client, url):
    client.get(url)
    with CaptureQueriesContext(connection) as seen:
        assert client.get(url).status_code == 200
    return len(seen)


def describe(study):
    return next(stage for stage in stages() if stage.code == "filter").describe(study)


@pytest.fixture
def run(run_to_end):
    return run_to_end()


def test_who_sees_results_sees_the_pages_and_others_do_not(cast, run, sign_in):
    urls = [page("filters", cast.study), page("filter_run", cast.study, run.number)]
    for person, status in [
        (cast.owner, 200),
        (cast.researcher, 200),
        (cast.expert, 403),
        (cast.worker, 403),
        (cast.stranger, 404),
        (cast.site_administrator, 404),
    ]:
        client = sign_in(person)
        assert {client.get(url).status_code for url in urls} == {status}


def test_who_only_sees_results_can_neither_start_nor_promote(cast, run, sign_in):
    cast.expert.permissions = ["see_results"]
    cast.expert.save()
    client = sign_in(cast.expert)
    shown = client.get(page("filters", cast.study))
    assert shown.status_code == 200 and "Start the run" not in text_of(shown)
    assert client.post(page("filters", cast.study), {}).status_code == 403
    url = page("filter_promote", cast.study, run.number)
    assert client.post(url).status_code == 403
    assert FilterRun.objects.count() == 1 and not Promotion.objects.exists()


def test_a_run_of_another_study_is_not_there(cast, run, sign_in):
    other = make_cast("other")
    client = sign_in(other.owner)
    assert client.get(page("filter_run", other.study, run.number)).status_code == 404
    assert client.post(page("filter_promote", other.study, run.number)).status_code == 404


def test_promoting_by_a_link_is_refused(cast, run, sign_in):
    answer = sign_in(cast.owner).get(page("filter_promote", cast.study, run.number))
    assert answer.status_code == 405


def test_the_form_starts_a_run_with_what_was_chosen(cast, voted, sign_in):
    client = sign_in(cast.researcher)
    assert '<b class="number">30</b> posts have crowd votes.' in text_of(
        client.get(page("filters", cast.study))
    )
    sent = {"method": "kl", "k": 5, "trials": 1, "seed": "", "encoder": "x/y", "pooling": "mean"}
    answer = client.post(page("filters", cast.study), sent)
    run = FilterRun.objects.get()
    assert answer.url == page("filter_run", cast.study, run.number)
    assert (run.k, run.trial_count, run.encoder, run.pooling) == (5, 1, "x/y", "mean")
    assert run.created_by == cast.researcher.user and run.job.state == JobState.QUEUED
    waiting = client.get(answer.url)
    assert "Queued" in text_of(waiting) and "No worker is running" in text_of(waiting)


def test_the_form_takes_a_revision_and_every_setting_of_a_method(cast, voted, sign_in):
    sent = {"method": "kl", "k": 5, "trials": 1, "encoder": "x/y", "pooling": "mean"}
    settings = {
        "learning_rate": 0.02,
        "schedule": "constant",
        "epochs": 4,
        "most_steps": 90,
        "batch_size": 8,
        "weight_decay": 0.1,
        "max_rounds": 2,
        "target": "proportions",
        "direction": "reverse",
    }
    more = {"revision": "v1.2", "standardise": "no"}
    sign_in(cast.researcher).post(page("filters", cast.study), sent | settings | more)
    run = FilterRun.objects.get()
    assert run.encoder_revision == "v1.2"
    assert run.settings == settings | {"standardise": False}


def test_an_empty_revision_is_the_protocols_for_its_own_encoder_alone(cast, voted, sign_in):
    protocol = cast.study.protocol
    protocol.encoder, protocol.encoder_revision = "x/y", "abc"
    protocol.save()
    client, url = sign_in(cast.researcher), page("filters", cast.study)
    sent = {"method": "kl", "k": 5, "trials": 1, "pooling": "mean", "revision": ""}
    for encoder in ("x/y", "x/z"):
        client.post(url, sent | {"encoder": encoder})
    found = FilterRun.objects.order_by("number").values_list("encoder_revision", flat=True)
    assert list(found) == ["abc", ""]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"k": 31}, "fewer than k = 31"),
        ({"k": 0}, "greater than or equal to 1"),
        ({"encoder": "/etc"}, "A folder can only be named to manage.py"),
        ({"encoder": ""}, "This field is required"),
        ({"seed": -1}, "greater than or equal to 0"),
    ],
)
def test_wrong_settings_get_a_sentence_and_start_nothing(cast, voted, sign_in, wrong, sentence):
    sent = {"method": "kl", "k": 5, "trials": 1, "encoder": "x/y", "pooling": "first"} | wrong
    answer = sign_in(cast.researcher).post(page("filters", cast.study), sent)
    assert sentence in text_of(answer) and not FilterRun.objects.exists()


def test_the_round_is_asked_for_only_where_label_sets_differ(cast, voted, sign_in):
    client, url = sign_in(cast.researcher), page("filters", cast.study)
    assert "Crowd round" not in text_of(client.get(url))
    add_round(cast.study, voted[:20], [(2, 3)] * 20, labels=("0", "1"))
    assert "Crowd round" in text_of(client.get(url))
    sent = {"method": "kl", "k": 5, "trials": 1, "encoder": "x/y", "pooling": "first"}
    assert "This field is required" in text_of(client.post(url, sent))
    client.post(url, sent | {"round": 2})
    assert FilterRun.objects.get().round_number == 2


def test_the_page_of_a_run_tells_each_round_and_why_it_stopped(cast, run, sign_in):
    shown = text_of(sign_in(cast.owner).get(page("filter_run", cast.study, run.number)))
    assert f"{run.kept_count} of 30 posts kept" in shown
    for trial in run.trials.all():
        assert f"Trial {trial.number}: {trial.kept_count} kept" in shown
        last = trial.rounds.last()
        assert f"Round {last.number} was the last" in shown
    assert "All votes agree" in shown and "fewer than k = 12" in shown


def test_a_run_that_removed_nothing_says_why(cast, run_to_end, sign_in):
    run = run_to_end(k=30)
    shown = text_of(sign_in(cast.owner).get(page("filter_run", cast.study, run.number)))
    assert "Nothing was removed." in shown and "No trial removes anything" in shown


def test_a_run_that_lowers_the_share_of_unanimous_posts_warns(run):
    after = run.previews[0]["shift"]["after"]
    after["unanimous"] = 0.9
    assert not any("falls from" in warning for warning in warnings(run))
    after["unanimous"] = 0.1
    assert any("falls from 66.7% to 10.0%" in warning for warning in warnings(run))


def test_a_failed_run_says_why_and_offers_another_try(cast, run_to_end, tmp_path, sign_in):
    run = run_to_end(encoder=str(tmp_path))
    shown = text_of(sign_in(cast.owner).get(page("filter_run", cast.study, run.number)))
    assert "There is no encoder in the folder" in shown and "Try again" in shown


def test_kept_and_left_posts_are_listed_apart(cast, run, sign_in):
    client, url = sign_in(cast.owner), page("filter_run", cast.study, run.number)
    kept, left = client.get(url), client.get(url, {"show": "dropped"})
    assert {one.kept for one in kept.context["page"]} == {True}
    assert {one.kept for one in left.context["page"]} == {False}
    assert kept.context["page"].paginator.count == run.kept_count
    assert left.context["page"].paginator.count == 30 - run.kept_count
    odd = client.get(url, {"show": "everything"})
    assert odd.context["page"].paginator.count == run.kept_count


def test_a_posts_text_is_never_html(cast, sign_in, tiny):
    posts = add_posts(cast.study, ["<script>alert(1)</script>", "b", "c"])
    add_round(cast.study, posts, [CLEAR] * 3)
    run = finished_run(cast.study, tiny, k=3)
    shown = sign_in(cast.owner).get(page("filter_run", cast.study, run.number)).content.decode()
    assert "<script>alert" not in shown and "&lt;script&gt;alert" in shown


def test_promoting_makes_one_legal_batch_of_the_kept_posts(cast, run, sign_in):
    client = sign_in(cast.researcher)
    url = page("filter_promote", cast.study, run.number)
    assert client.post(url).url == page("filter_run", cast.study, run.number)
    batch = Batch.objects.get(study=cast.study, stage=StageCode.LEGAL)
    kept = set(run.posts.filter(kept=True).values_list("post_id", flat=True))
    assert set(batch.tasks.values_list("post_id", flat=True)) == kept
    assert batch.source == "Filter run 1" and run.promotion.batch == batch
    shown = text_of(client.post(url, follow=True))
    assert "are with the experts already, as legal batch 1" in shown
    assert Batch.objects.filter(stage=StageCode.LEGAL).count() == 1


def test_a_run_without_a_result_cannot_be_promoted(cast, voted):
    run = start_run(by=None, study=cast.study, k=5)
    with pytest.raises(FilterRefused, match="no result yet"):
        promote_run(by=None, run=run)


def test_a_second_run_that_keeps_nothing_new_is_refused_and_not_recorded(run_to_end):
    first, second = run_to_end(), run_to_end()
    promote_run(by=None, run=first)
    with pytest.raises(FilterRefused, match="No post is left"):
        promote_run(by=None, run=second)
    assert Promotion.objects.count() == 1


def test_a_promotion_cannot_be_changed(run):
    promote_run(by=None, run=run)
    with pytest.raises(Exception, match="Cannot update"):
        Promotion.objects.update(created_by=None)


def test_the_stage_leads_from_votes_to_a_run_to_the_experts(cast, voted, run_to_end):
    report = describe(cast.study)
    assert [(count.value, count.total) for count in report.counts] == [(0, 30)]
    assert report.next_step.title == "Run the filter" and not report.blocked
    run = run_to_end()
    report = describe(cast.study)
    assert [(count.value, count.total) for count in report.counts] == [(run.kept_count, 30)]
    assert report.next_step.title == "Give the kept posts to the experts"
    promote_run(by=None, run=run)
    assert describe(cast.study).next_step is None


def test_the_stage_says_what_blocks_it(cast, voted):
    Tally.objects.all().delete()
    report = describe(cast.study)
    assert report.blocked and report.next_step is None


def test_pages_cost_the_same_number_of_queries_for_any_number_of_rows(cast, run_to_end, sign_in):
    client = sign_in(cast.owner)
    run = run_to_end(trials=1)
    runs, posts = page("filters", cast.study), page("filter_run", cast.study, run.number)
    before = queries(client, runs), queries(client, posts)
    other = run_to_end(trials=3)
    for _run in range(5):
        start_run(by=cast.owner.user, study=cast.study, k=5)
    posts = page("filter_run", cast.study, other.number)
    assert (queries(client, runs), queries(client, posts)) == before


def test_a_role_that_ends_ends_the_way_in(cast, run, sign_in):
    client = sign_in(cast.researcher)
    change_member(by=cast.owner, member=cast.researcher, role="expert", is_active=True)
    assert client.get(page("filters", cast.study)).status_code == 403
