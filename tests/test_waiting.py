"""Pages that wait for a job: each names a missing worker, and a failed job with its reason."""

import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import BatchState, Job, JobState, JobWorker, StageCode
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.jobs import queue_job
from annotation.services.votes import Answer, submit_vote
from crowd.services.batches import create_batch
from tests.cast import add_posts
from tests.embeddings.tiny import save_tiny_roberta
from tests.filtering.rounds import SPLIT, add_round, finished_run
from tests.queries import queries_for
from tests.releases.ways import make

pytestmark = pytest.mark.django_db

PAGES = {
    "statistics": "draw_statistics",
    "releases": "make_release",
    "new_release": "make_release",
    "legal_figures": "draw_legal_figures",
    "legal_evidence": "fetch_evidence",
    "legal_library": "build_library",
    "crowd_people": "estimate_reliability",
}
each_page = pytest.mark.parametrize(("name", "kind"), PAGES.items(), ids=PAGES)


@pytest.fixture
def study(cast):
    add_posts(cast.study, 1)
    batch = create_batch(by=None, study=cast.study, external_ids=["p1"], votes_wanted=1)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    held = next_task(by=cast.worker, stage=StageCode.CROWD).assignment
    submit_vote(by=cast.worker, assignment_id=held.pk, answer=Answer("checkworthy", 3.0, 1))
    return cast.study


def queue(study, kind, **parameters):
    return queue_job(by=None, study=study, kind=kind, parameters=parameters)


def fail(job):
    now = timezone.now()
    Job.objects.filter(pk=job.pk).update(
        state=JobState.FAILED, reason="The disk is full.", ended_at=now
    )


def shown(client, name, study, *more):
    answer = client.get(reverse(name, args=[study.slug, *more]))
    assert answer.status_code == 200
    return unescape(re.sub(r"\s+", " ", answer.content.decode()))


@each_page
def test_a_page_names_the_worker_that_is_missing_and_is_asked_for_news(
    study, sign_in, cast, name, kind
):
    job, client = queue(study, kind), sign_in(cast.owner)
    page, address = shown(client, name, study), reverse("job", args=[study.slug, job.pk])
    assert "No worker is running" in page and "Watch it" in page and f'href="{address}"' in page
    assert f'<job-progress src="{address}?part=progress">' in page and "job-progress.js" in page
    JobWorker.objects.create(name="w", seen_at=timezone.now())
    page = shown(client, name, study)
    assert "No worker is running" not in page and "Watch it" in page


@each_page
def test_a_page_says_why_its_job_failed_and_offers_to_try_again(study, sign_in, cast, name, kind):
    job = queue(study, kind)
    fail(job)
    page = shown(sign_in(cast.owner), name, study)
    assert "The disk is full." in page and "No worker is running" not in page
    assert f'action="{reverse("job_retry", args=[study.slug, job.pk])}"' in page


@each_page
def test_a_job_that_nobody_waits_for_costs_a_page_nothing(study, sign_in, cast, name, kind):
    client, address = sign_in(cast.owner), reverse(name, args=[study.slug])
    without = queries_for(client, address)
    for _number in range(5):
        Job.objects.filter(pk=queue(study, kind).pk).update(state=JobState.CANCELLED)
    assert queries_for(client, address) == without
    assert "job-progress" not in client.get(address).content.decode()


def test_a_job_under_way_comes_before_a_later_one_that_failed(study, sign_in, cast):
    first = queue(study, "make_release")
    fail(queue(study, "make_release"))
    page = shown(sign_in(cast.owner), "releases", study)
    assert "The disk is full." not in page
    assert reverse("job", args=[study.slug, first.pk]) in page


def test_who_may_not_follow_jobs_is_told_by_the_page_itself(study, sign_in, cast):
    job, client = queue(study, "build_library"), sign_in(cast.expert)
    page, address = (
        shown(client, "legal_library", study),
        reverse("legal_library", args=["rumours"]),
    )
    assert "No worker is running" in page and f'<job-progress src="{address}">' in page
    assert reverse("job", args=[study.slug, job.pk]) not in page and "Watch it" not in page
    fail(job)
    page = shown(client, "legal_library", study)
    assert "The disk is full." in page and "Try again" not in page


def test_charts_of_a_release_and_of_a_filter_run_name_it_too(sign_in, cast, tmp_path):
    study = cast.study
    add_round(study, add_posts(study, 2), [SPLIT, SPLIT])
    run = finished_run(study, save_tiny_roberta(tmp_path), k=1, trials=1)
    release, client = make(study), sign_in(cast.owner)
    for name, number in (("release", release.number), ("filter_run", run.number)):
        page = shown(client, name, study, number)
        assert "The charts are being drawn." in page and "No worker is running" in page
    for job in Job.objects.filter(state=JobState.QUEUED):
        fail(job)
    for name, number in (("release", release.number), ("filter_run", run.number)):
        page = shown(client, name, study, number)
        assert "The charts could not be drawn." in page and "The disk is full." in page
        assert "Try again" in page
