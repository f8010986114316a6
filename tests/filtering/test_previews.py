"""Previews: they tell exactly what runs would do, and decide nothing."""

import re

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from annotation.models import Batch, JobState
from annotation.registry import stages
from embeddings.models import StoredEmbedding
from filtering.models import FilterRun
from filtering.queries.previews import other_ks, warnings
from filtering.queries.runs import deciding_run
from filtering.services.promotion import promote_run
from filtering.services.runs import FilterRefused, start_run
from tests.api import caller

pytestmark = pytest.mark.django_db

SENT = {"method": "kl", "k": 12, "trials": 1, "encoder": "x/y", "pooling": "first"}


@pytest.fixture
def preview(run_to_end):
    return run_to_end(k=20, is_preview=True)


def shown(client, name, *arguments, **query):
    answer = client.get(reverse(name, args=arguments), query)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def test_a_preview_tells_what_runs_with_the_k_asked_for_and_others_keep(preview, run_to_end):
    assert preview.job.state == JobState.SUCCEEDED, preview.job.reason
    assert (preview.k, preview.previewed_k) == (3, 20)
    told = {other.k: other for other in other_ks(preview)}
    assert len(told) > 2
    assert [other.k for other in told.values() if other.is_asked] == [20]
    for k, other in told.items():
        run = run_to_end(k=k)
        trials = list(run.trials.prefetch_related("rounds"))
        assert other.kept == run.kept_count
        assert other.sizes == [trial.kept_count for trial in trials]
        assert other.rounds == [sum(one.removed for one in trial.rounds.all()) for trial in trials]


def test_a_preview_looks_down_to_a_tenth_of_the_posts_or_to_the_k_asked_for(cast, voted):
    assert start_run(by=None, study=cast.study, k=12, is_preview=True).k == 3
    assert start_run(by=None, study=cast.study, k=2, is_preview=True).k == 2


def test_the_database_refuses_a_preview_whose_k_lies_above_the_one_asked_for(preview):
    with pytest.raises(IntegrityError, match="filter_preview_looks_down"), transaction.atomic():
        FilterRun.objects.create(
            study=preview.study,
            number=9,
            job=start_run(by=None, study=preview.study, k=2).job,
            method="kl",
            k=5,
            previewed_k=4,
            trial_count=1,
            at_least=1,
            seed=1,
        )


def test_a_run_after_a_preview_finds_the_vectors(preview, run_to_end):
    stored = StoredEmbedding.objects.count()
    run = run_to_end()
    assert not run.job.parts.filter(kind="encode_posts").exists()
    assert StoredEmbedding.objects.count() == stored > 0


def test_a_preview_decides_nothing_and_is_not_given_to_the_experts(cast, preview, run_to_end):
    assert deciding_run(cast.study) is None
    stage = next(stage for stage in stages() if stage.code == "filter").describe(cast.study)
    assert stage.next_step.title == "Run the filter"
    with pytest.raises(FilterRefused, match="A preview is not given to the experts"):
        promote_run(by=None, run=preview)
    assert not Batch.objects.filter(stage="legal").exists()
    run = run_to_end()
    assert deciding_run(cast.study) == run
    assert promote_run(by=None, run=run)


def test_a_preview_under_way_does_not_hide_the_next_step(cast, voted):
    start_run(by=None, study=cast.study, k=12, is_preview=True)
    stage = next(stage for stage in stages() if stage.code == "filter").describe(cast.study)
    assert stage.next_step.title == "Run the filter"
    start_run(by=None, study=cast.study, k=12)
    stage = next(stage for stage in stages() if stage.code == "filter").describe(cast.study)
    assert stage.next_step is None


@pytest.mark.parametrize(
    ("method", "why"),
    [
        ("aflite", "each k is a run of its own"),
        ("majority", "has no k"),
        ("random", "k posts stay, whatever k is"),
    ],
)
def test_other_methods_say_why_they_have_no_preview(cast, voted, sign_in, method, why):
    with pytest.raises(FilterRefused, match=why):
        start_run(by=None, study=cast.study, k=12, method=method, is_preview=True)
    sent = SENT | {"method": method, "preview": "yes"}
    answer = sign_in(cast.owner).post(reverse("filters", args=[cast.study.slug]), sent)
    assert why in answer.content.decode()
    refused = caller(cast.owner).post("filters", body={"k": 12, "method": method, "preview": True})
    assert (refused.status_code, why in refused.json()["detail"]) == (409, True)
    assert not FilterRun.objects.exists()


def test_a_k_above_all_posts_is_refused_as_for_a_run(cast, voted):
    with pytest.raises(FilterRefused, match="fewer than k = 31"):
        start_run(by=None, study=cast.study, k=31, is_preview=True)


def test_the_second_button_starts_a_preview(cast, voted, sign_in):
    client, url = sign_in(cast.researcher), reverse("filters", args=[cast.study.slug])
    answer = client.post(url, SENT | {"preview": "yes"})
    run = FilterRun.objects.get()
    assert run.is_preview and answer.url == reverse("filter_run", args=[cast.study.slug, 1])
    assert "Preview 1" in shown(client, "filter_run", cast.study.slug, 1)
    assert "Preview 1" in shown(client, "filters", cast.study.slug)
    client.post(url, SENT)
    assert not FilterRun.objects.get(number=2).is_preview


def test_its_page_tells_each_k_and_leads_to_a_run_with_it(cast, preview, sign_in):
    client = sign_in(cast.researcher)
    page = shown(client, "filter_run", cast.study.slug, preview.number)
    told = other_ks(preview)
    asked = next(other for other in told if other.is_asked)
    assert f"With k = 20, {asked.kept} of 30 posts would be kept" in page
    assert "Give them to the experts" not in page
    for other in told:
        assert f"?like={preview.number}&amp;k={other.k}#" in page


def test_a_link_from_a_preview_fills_the_form_with_its_settings(cast, preview, sign_in, tiny):
    client = sign_in(cast.researcher)
    url = reverse("filters", args=[cast.study.slug])
    form = client.get(url, {"like": preview.number, "k": 17}).context["form"]
    told = {field.name: field.value() for field in form}
    assert (told["k"], told["seed"], told["trials"]) == (17, 7, 2)
    assert (told["encoder"], told["revision"]) == (str(tiny), preview.encoder_revision)
    assert told["standardise"] == "yes"
    assert client.get(url, {"like": 99}).status_code == 404
    plain = client.get(url, {"like": "nonsense", "k": "x"}).context["form"]
    assert plain["k"].value() == cast.study.protocol.filter_k


def test_who_only_sees_results_gets_no_links_to_start_with(cast, preview, sign_in):
    cast.expert.permissions = ["see_results"]
    cast.expert.save()
    page = shown(sign_in(cast.expert), "filter_run", cast.study.slug, preview.number)
    assert "would be kept" in page and "Start with k" not in page


def test_a_k_that_removes_nothing_is_told_in_the_table_and_above_it(cast, run_to_end, sign_in):
    preview = run_to_end(k=30, is_preview=True)
    page = shown(sign_in(cast.owner), "filter_run", cast.study.slug, preview.number)
    assert "No trial removes anything" in page and "Would remove nothing" in page
    assert len(warnings(preview)) == 1


def test_a_k_that_lowers_agreement_is_told_beside_it(preview):
    told = next(one for one in preview.previews if one["k"] == 20)
    told["shift"]["after"]["unanimous"] = 0.25
    (other,) = (other for other in other_ks(preview) if other.is_asked)
    assert [str(caution) for caution in other.cautions][-1].startswith("Lowers the share")
    assert any("falls from 66.7% to 25.0%" in sentence for sentence in warnings(preview))


def test_previews_are_not_laid_side_by_side_with_runs(cast, preview, run_to_end, sign_in):
    run = run_to_end()
    page = sign_in(cast.owner).get(reverse("filter_compare", args=[cast.study.slug]))
    assert list(page.context["runs"]) == [run]
    call = caller(cast.researcher)
    assert call.get("filter_compare", first=preview.number, second=2).status_code == 404


def test_the_api_previews_with_the_same_sentences(cast, voted, run_to_end):
    call = caller(cast.researcher)
    sent = {"k": 12, "trials": 1, "encoder": "x/y", "revision": "abc", "preview": True}
    started = call.post("filters", body=sent)
    assert started.status_code == 201, started.json()
    assert (started.json()["previewed_k"], started.json()["k"]) == (12, 3)
    assert started.json()["encoder_revision"] == "abc"
    run_to_end(k=30, is_preview=True)
    told = call.get("filter_run", 2).json()
    asked = next(one for one in told["previews"] if one["k"] == told["previewed_k"])
    assert asked["cautions"] == told["warnings"] != []
    assert call.post("filter_promote", 2, body={}).status_code == 409
