"""The charts of a run: what they say, what is left out, and that none can lose a run."""

import csv
import io
import re
from html import unescape

import pytest
from django.urls import reverse

from annotation.models import Chart, Job, JobState
from annotation.services.jobs import run_job
from filtering.models import TrialPost
from filtering.queries.charts import DRAWING, run_charts
from filtering.services import charts as drawing
from filtering.services import drawings
from filtering.services.drawings import drawings_of
from filtering.services.runs import start_run
from tests.cast import add_posts
from tests.filtering.rounds import add_round, finished_run

pytestmark = pytest.mark.django_db


def drawn(run):
    """Do the job that draws a run's charts; return it."""
    job = Job.objects.get(kind=DRAWING, study=run.study, parameters={"run": run.number})
    return run_job(job_id=job.pk)


def undrawn(run):
    return {one.name: one for one in drawings_of(run)}


def page_of(client, run):
    answer = client.get(reverse("filter_run", args=[run.study.slug, run.number]))
    return unescape(re.sub(r"\s+", " ", answer.content.decode()))


def test_a_finished_run_has_its_charts_drawn_by_a_job_of_their_own(run_to_end, cast):
    run = run_to_end()
    assert run.job.state == JobState.SUCCEEDED and not Chart.objects.exists()
    job = drawn(run)
    assert job.state == JobState.SUCCEEDED, job.reason
    assert job.created_by == run.created_by
    charts = run_charts(run)
    names = ["scores-1", "scores-2", "sizes", "overlap"]
    assert [chart.name for chart in charts.of_trials] == names
    assert [chart.name for chart in charts.of_votes] == ["shift", "alpha"]


def test_the_page_shows_them_with_their_words_and_their_files(run_to_end, cast, sign_in):
    run = run_to_end()
    client = sign_in(cast.owner)
    assert "The charts are being drawn" in page_of(client, run)
    drawn(run)
    shown = page_of(client, run)
    assert "The charts are being drawn" not in shown
    for chart in Chart.objects.all():
        assert chart.title in shown and chart.alternative in shown
        for form in ("svg", "png", "csv"):
            assert reverse("chart_file", args=[cast.study.slug, chart.pk, form]) in shown
    ids = re.findall(r' id="([^"]+)"', shown)
    assert len(set(ids)) == len(ids)


def test_charts_that_fail_lose_no_run_and_say_why(run_to_end, cast, sign_in, monkeypatch):
    run = run_to_end()
    monkeypatch.setattr(drawing, "drawings_of", lambda run: 1 / 0)
    job = drawn(run)
    assert job.state == JobState.FAILED
    run.refresh_from_db()
    shown = page_of(sign_in(cast.owner), run)
    assert run.is_finished and "The charts could not be drawn." in shown and job.reason in shown
    assert reverse("job", args=[cast.study.slug, job.pk]) in shown


def test_a_run_that_is_not_finished_has_nothing_to_draw(cast, voted):
    run = start_run(by=None, study=cast.study, k=12, trials=2)
    job = run_job(job_id=drawing.queue_charts(run=run).pk)
    assert job.state == JobState.FAILED and "not finished" in job.reason


def test_a_preview_has_no_charts(run_to_end):
    run = run_to_end(is_preview=True)
    assert run.is_finished and not Job.objects.filter(kind=DRAWING).exists()


def test_the_tables_of_scores_count_each_post_of_each_round_once(run_to_end):
    run = run_to_end()
    for trial in run.trials.all():
        rows = undrawn(run)[f"scores-{trial.number}"].rows
        for one in trial.rounds.all():
            mine = [row for row in rows if row["round"] == one.number]
            left = trial.posts.filter(left_in=one.number).count()
            assert sum(row["left"] for row in mine) == left
            assert sum(row["stayed"] for row in mine) == one.size - left
            assert {row["threshold"] for row in mine} == {one.threshold}
            assert [row["to"] for row in mine[:-1]] == [row["from"] for row in mine[1:]]


def test_each_score_is_counted_in_its_bin(run_to_end):
    run = run_to_end(trials=1)
    rows = [row for row in undrawn(run)["scores-1"].rows if row["round"] == 1]
    scores = [one.scores[0] for one in TrialPost.objects.filter(trial__run=run)]
    for row in rows[1:-1]:
        inside = [score for score in scores if row["from"] <= score < row["to"]]
        assert len(inside) == row["stayed"] + row["left"]


def test_the_words_of_scores_give_the_numbers_of_each_round(run_to_end):
    run = run_to_end(trials=1)
    words = undrawn(run)["scores-1"].alternative
    for one in run.trials.get().rounds.all():
        threshold = f"{one.threshold:.4g}"
        gone = one.above if one.removed else 0
        assert (
            f"Round {one.number}: {one.size} posts, threshold {threshold}, "
            f"{one.above} above it, {gone} left." in words
        )


def test_of_many_rounds_the_first_and_the_last_are_drawn_and_all_are_in_the_table(
    run_to_end, monkeypatch
):
    monkeypatch.setattr(drawings, "MOST_PANELS", 2)
    run = run_to_end(trials=1, k=3)
    rounds = run.trials.get().rounds.count()
    assert rounds > 3
    found = undrawn(run)["scores-1"]
    assert f"leaves out the rounds 2 to {rounds - 1}." in found.alternative
    assert {row["round"] for row in found.rows} == set(range(1, rounds + 1))
    panels = {row["panel"] for row in found.picture.to_dict()["data"]["values"]}
    assert {panel.split(" · ")[0] for panel in panels} == {"Round 1", f"Round {rounds}"}


def test_sizes_begin_with_all_posts_and_end_with_what_a_trial_kept(run_to_end):
    run = run_to_end()
    found = undrawn(run)["sizes"]
    for trial in run.trials.all():
        sizes = [row["posts"] for row in found.rows if row["trial"] == trial.number]
        assert (sizes[0], sizes[-1]) == (30, trial.kept_count)
        assert f"Trial {trial.number}: {' → '.join(map(str, sizes))}." in found.alternative
    assert "k = 12." in found.alternative


def test_the_overlap_counts_in_how_many_trials_posts_were_kept(run_to_end):
    run = run_to_end(trials=3, at_least=2)
    found = undrawn(run)["overlap"]
    for row in found.rows:
        assert row["posts"] == run.posts.filter(kept_in=row["kept_in"]).count()
        assert row["is_kept"] == (row["kept_in"] >= 2)
    assert [row["kept_in"] for row in found.rows] == [0, 1, 2, 3]
    assert sum(row["posts"] for row in found.rows if row["is_kept"]) == run.kept_count


def test_one_trial_has_no_overlap(run_to_end):
    assert list(undrawn(run_to_end(trials=1))) == ["scores-1", "sizes", "shift", "alpha"]


def test_where_nothing_was_removed_the_charts_say_so(run_to_end):
    run = run_to_end(k=30, trials=1)
    found = undrawn(run)
    assert "Trial 1: 30." in found["sizes"].alternative
    assert "0 left." in found["scores-1"].alternative
    assert "66.7% before, 66.7% after" in found["shift"].alternative
    assert "Left: undefined." in found["alpha"].alternative
    assert drawn(run).state == JobState.SUCCEEDED


def test_an_alpha_that_is_undefined_is_told_and_not_drawn(run_to_end):
    run = run_to_end(method="majority", settings={"share": 0.9}, trials=1)
    found = undrawn(run)["alpha"]
    assert f"After: undefined. {run.shift['after']['undefined']}" in found.alternative
    alphas = {row["posts_are"]: row["alpha"] for row in found.rows}
    assert alphas["after"] is None and alphas["before"] == run.shift["before"]["alpha"]
    shown = found.picture.to_dict()["layer"][1]
    assert "After" not in str(shown) and "k =" not in undrawn(run)["sizes"].alternative


def test_without_any_alpha_there_is_no_chart_of_it(cast, tiny):
    posts = add_posts(cast.study, 6)
    add_round(cast.study, posts, [(3,)] * 6, labels=("only",))
    run = finished_run(cast.study, tiny, k=2, trials=1)
    assert run.job.state == JobState.SUCCEEDED, run.job.reason
    found = undrawn(run)
    assert list(found) == ["scores-1", "sizes", "shift"]
    assert "Loss. Round 1: 6 posts, threshold 0, 0 above it" in found["scores-1"].alternative
    job = drawn(run)
    assert job.state == JobState.SUCCEEDED, job.reason


def test_where_nothing_was_kept_nothing_stands_for_what_is_after(run_to_end):
    run = run_to_end(method="random", k=1, trials=2, seed=7)
    run.shift["after"] |= {"majorities": None, "unanimous": None, "alpha": None}
    found = undrawn(run)["shift"]
    assert all(row["after"] is None for row in found.rows)
    assert "66.7% before, – after" in found.alternative


@pytest.mark.parametrize(
    ("method", "settings", "words"),
    [
        ("kl", {}, "losses by round"),
        ("majority", {"share": 0.9}, "how far votes differ"),
        ("random", {}, "numbers drawn"),
        ("aflite", {"classifiers": 4, "slice_size": 5, "tau": 0.5}, "how predictable posts are"),
    ],
)
def test_a_score_is_called_what_it_is(run_to_end, method, settings, words):
    run = run_to_end(method=method, settings=settings, trials=1)
    job = drawn(run)
    assert job.state == JobState.SUCCEEDED, job.reason
    assert words in Chart.objects.get(name="scores-1").title


def test_labels_of_one_name_stay_apart(run_to_end, monkeypatch):
    names = {"no_claim": "Claim", "not_checkworthy": "Claim", "checkworthy": "All votes agree"}
    monkeypatch.setattr(drawings, "label_names", lambda study: names)
    shown = [row["name"] for row in undrawn(run_to_end(trials=1))["shift"].rows]
    assert len(set(shown)) == len(shown) == 4


def test_the_table_to_download_is_that_of_the_page(run_to_end):
    run = run_to_end(trials=1)
    drawn(run)
    rows = list(csv.DictReader(io.StringIO(Chart.objects.get(name="shift").csv)))
    before, after = run.shift["before"]["unanimous"], run.shift["after"]["unanimous"]
    agree = rows[-1]
    assert (float(agree["before"]), float(agree["after"])) == (before, after)
