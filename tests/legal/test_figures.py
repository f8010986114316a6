"""The figures of the stage: what they hold, when they are drawn, and when they are stale."""

import csv
import io
import re
from datetime import timedelta
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Chart, Job, JobState
from annotation.registry import chores
from annotation.services.jobs import run_job
from legal.queries.figures import DRAWING, legal_figures
from legal.queries.summary import legal_summary
from legal.services.drawings import drawings_of
from legal.services.figures import queue_figures, redraw_stale_figures
from tests.legal.world import answering, experts, legal_batch

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(cast):
    legal_batch(cast.study, 3)
    sites = ("https://WWW.News.example:8443/a?b", "http://user@news.example/c", "https://b.example")
    for number, member in enumerate(experts(cast.study, 3)):
        answering(member, label="yes", issues=("defamation",), evidence=sites, seconds=10)
        issues = ("hate_speech",) if number else ()
        answering(member, label="yes" if number else "no", issues=issues, seconds=100)
    return cast.study


def draw(study):
    return run_job(job_id=queue_figures(by=None, study=study).pk)


def page(client, study):
    answer = client.get(reverse("legal_figures", args=[study.slug]))
    assert answer.status_code == 200
    return unescape(re.sub(r"\s+", " ", answer.content.decode()))


def undrawn(study):
    return {drawing.name: drawing for drawing in drawings_of(study)}


def test_each_figure_has_its_numbers_in_words_and_as_a_table(study):
    found = undrawn(study)
    assert list(found) == [
        *("issues", "labels", "domains", "seconds"),
        *("agreement-issues", "agreement-weeks"),
    ]
    rows = {row["issue"]: row for row in found["issues"].rows}
    summary = {one.code: one for one in legal_summary(study).issues}
    assert rows["defamation"]["posts_by_majority"] == summary["defamation"].posts == 1
    assert rows["hate_speech"]["posts_by_anybody"] == summary["hate_speech"].any_posts
    assert sum(row["posts"] for row in found["labels"].rows) == legal_summary(study).posts
    sites = {row["site"]: row["votes"] for row in found["domains"].rows}
    assert sites["b.example"] == 3 and sum(sites.values()) == 9
    times = {(row["from_seconds"], row["votes"]) for row in found["seconds"].rows}
    assert {(0, 3), (60, 3)} <= times and "median is 55 seconds" in found["seconds"].alternative
    for drawing in found.values():
        assert re.search(r"\d", drawing.alternative) and set(drawing.columns) == set(
            drawing.rows[0]
        )


def test_without_a_vote_there_is_nothing_to_draw_and_the_job_says_so(cast, sign_in):
    legal_batch(cast.study, 1)
    assert drawings_of(cast.study) == []
    job = draw(cast.study)
    assert job.state == JobState.FAILED and "nothing to draw" in job.reason
    assert "nothing to draw" in page(sign_in(cast.researcher), cast.study)


def test_a_researcher_has_them_drawn_and_finds_them_with_their_files(study, cast, sign_in):
    client = sign_in(cast.researcher)
    assert "No figures have been drawn yet" in page(client, study)
    client.post(reverse("legal_figures_draw", args=[study.slug]))
    assert "are being drawn" in page(client, study)
    job = Job.objects.get(kind=DRAWING)
    assert run_job(job_id=job.pk).state == JobState.SUCCEEDED and job.created_by
    html = page(client, study)
    assert "Draw the figures anew" in html and "Votes have changed" not in html
    charts = Chart.objects.filter(study=study, subject="legal")
    assert charts.count() == 6
    for chart in charts:
        assert chart.alternative in html and list(csv.DictReader(io.StringIO(chart.csv)))
        assert reverse("chart_file", args=[study.slug, chart.pk, "svg"]) in html
    alphas = charts.get(name="agreement-issues").svg
    assert "0.667" in alphas and alphas.count("stroke-dasharray") >= 3


def test_two_who_ask_at_once_get_one_job(study):
    first = queue_figures(by=None, study=study)
    assert queue_figures(by=None, study=study) == first


def test_a_new_vote_makes_them_stale_and_they_are_drawn_anew_an_hour_later(study, cast, sign_in):
    draw(study)
    assert not legal_figures(study).is_stale
    redraw_stale_figures()
    assert Job.objects.filter(kind=DRAWING).count() == 1
    answering(cast.expert, label="unclear")
    assert legal_figures(study).is_stale
    assert "Votes have changed" in page(sign_in(cast.researcher), study)
    redraw_stale_figures()
    assert Job.objects.filter(kind=DRAWING).count() == 1
    Job.objects.filter(kind=DRAWING).update(ended_at=timezone.now() - timedelta(hours=2))
    chore = next(one for one in chores() if one.code == "redraw_legal_figures")
    chore.run()
    chore.run()
    anew = Job.objects.filter(kind=DRAWING).order_by("-pk").first()
    assert Job.objects.filter(kind=DRAWING).count() == 2 and anew.state == JobState.QUEUED
    assert run_job(job_id=anew.pk).state == JobState.SUCCEEDED
    assert not legal_figures(study).is_stale


def test_figures_that_could_not_be_drawn_are_left_to_people(study):
    draw(study)
    Job.objects.filter(kind=DRAWING).update(
        state=JobState.FAILED, ended_at=timezone.now() - timedelta(hours=2)
    )
    redraw_stale_figures()
    assert Job.objects.filter(kind=DRAWING).count() == 1
