"""Long work: one record each; cancelled, retried, found when dead, seen while it goes on."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import Job, JobState, JobWorker, Study
from annotation.services import jobs
from annotation.services.jobs import cancel_job, queue_job, retry_job, run_job
from annotation.services.progress import WRITE_EVERY_SECONDS
from tests.annotation import job_kinds
from tests.cast import make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def kind():
    job_kinds.register()


def queue(study, **parameters):
    return queue_job(by=None, study=study, kind="test_steps", parameters=parameters)


def mark_running(job, attempts=1):
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING, attempts=attempts, started_at=timezone.now()
    )


def test_a_job_runs_once_and_keeps_its_result(cast):
    job = run_job(job_id=queue(cast.study, steps=3).pk)
    assert (job.state, job.done, job.total, job.result) == ("succeeded", 3, 3, {"steps": 3})
    assert run_job(job_id=job.pk) is None


def test_a_refusal_is_kept_as_the_sentence_that_it_is(cast):
    job = run_job(job_id=queue(cast.study, refuse="Nothing fits.").pk)
    assert (job.state, job.reason) == ("failed", "Nothing fits.")


def test_an_unexpected_error_is_recorded_without_its_details(cast):
    job = run_job(job_id=queue(cast.study, **{"break": True}).pk)
    assert job.state == "failed"
    assert "RuntimeError" in job.reason and "secret" not in job.reason


def test_a_queued_job_is_cancelled_at_once_and_never_runs(cast):
    job = cancel_job(job=queue(cast.study))
    assert job.state == JobState.CANCELLED
    assert run_job(job_id=job.pk) is None


def test_a_cancelled_job_can_be_tried_again(cast):
    job = cancel_job(job=queue(cast.study))
    assert retry_job(by=None, job=job).state == JobState.QUEUED
    assert run_job(job_id=job.pk).state == JobState.SUCCEEDED


def test_a_job_that_succeeded_is_not_tried_again(cast):
    job = run_job(job_id=queue(cast.study).pk)
    assert retry_job(by=None, job=job).state == JobState.SUCCEEDED


def test_a_dead_worker_s_job_is_queued_again(cast):
    job = queue(cast.study)
    mark_running(job)
    assert jobs.requeue_dead_jobs() == 1
    job.refresh_from_db()
    assert (job.state, job.sent_at, job.done) == (JobState.QUEUED, None, 0)


def test_a_job_whose_workers_die_three_times_fails_and_says_so(cast):
    job = queue(cast.study)
    mark_running(job, attempts=3)
    jobs.requeue_dead_jobs()
    job.refresh_from_db()
    assert job.state == JobState.FAILED and "3 times" in job.reason


def test_a_dead_job_that_was_to_be_cancelled_is_cancelled(cast):
    job = queue(cast.study)
    mark_running(job)
    cancel_job(job=job)
    jobs.requeue_dead_jobs()
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED


def test_nothing_is_sent_where_no_worker_would_read_it(cast, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        job = queue(cast.study)
    job.refresh_from_db()
    assert job.sent_at is None


def test_a_forgotten_job_is_sent_once_a_worker_lives(cast):
    job = queue(cast.study)
    JobWorker.objects.create(name="w", seen_at=timezone.now())
    assert jobs.send_forgotten_jobs(older_than_seconds=60) == 1
    job.refresh_from_db()
    assert job.sent_at is not None
    assert jobs.send_forgotten_jobs(older_than_seconds=60) == 0


def test_a_job_whose_message_was_lost_is_sent_again(cast):
    job = queue(cast.study)
    JobWorker.objects.create(name="w", seen_at=timezone.now())
    long_ago = timezone.now() - timedelta(minutes=5)
    Job.objects.filter(pk=job.pk).update(sent_at=long_ago)
    assert jobs.send_forgotten_jobs(older_than_seconds=60) == 1
    job.refresh_from_db()
    assert job.sent_at > long_ago


@pytest.fixture
def job_under_way(transactional_db):
    """Run a job in a thread up to the middle of its transaction; let it go on at the end."""
    job_kinds.IS_INSIDE.clear()
    job_kinds.MAY_GO_ON.clear()
    job = queue(make_cast().study, steps=5, wait=True)

    def run():
        try:
            run_job(job_id=job.pk)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    assert job_kinds.IS_INSIDE.wait(10)
    yield job, thread
    job_kinds.MAY_GO_ON.set()
    thread.join(10)


def wait_for(is_so, seconds=10.0):
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, "waited too long"
        time.sleep(0.05)


def test_progress_is_seen_from_outside_while_the_work_is_in_one_transaction(job_under_way):
    job, _thread = job_under_way
    wait_for(lambda: Job.objects.get(pk=job.pk).done == 5)
    seen = Job.objects.get(pk=job.pk)
    assert (seen.state, seen.total, seen.message) == ("running", 5, "Step 5")
    assert Study.objects.get().description == ""


def test_a_running_job_is_nobody_else_s_and_not_dead(job_under_way):
    job, _thread = job_under_way
    assert jobs.requeue_dead_jobs() == 0
    assert run_job(job_id=job.pk) is None


def test_a_running_job_that_is_cancelled_stops_and_leaves_nothing(job_under_way):
    job, thread = job_under_way
    cancel_job(job=job)
    time.sleep(WRITE_EVERY_SECONDS + 0.5)
    job_kinds.MAY_GO_ON.set()
    thread.join(10)
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert Study.objects.get().description == ""


def page_of(client, job, part=""):
    return client.get(f"/studies/{job.study.slug}/jobs/{job.pk}/{part}").content.decode()


def test_the_page_of_a_queued_job_says_that_no_worker_is_running(cast, sign_in):
    job, client = queue(cast.study), sign_in(cast.owner)
    assert "No worker is running" in page_of(client, job)
    assert (
        "No worker is running" in client.get(f"/studies/{cast.study.slug}/jobs/").content.decode()
    )
    JobWorker.objects.create(name="w", seen_at=timezone.now())
    assert "No worker is running" not in page_of(client, job)


def test_the_part_that_is_polled_is_only_the_panel_and_says_when_to_stop(cast, sign_in):
    job, client = queue(cast.study), sign_in(cast.owner)
    part = page_of(client, job, "?part=progress")
    assert "<html" not in part and 'class="job"' in part and "data-ended" not in part
    run_job(job_id=job.pk)
    assert "data-ended" in page_of(client, job, "?part=progress")


def test_a_job_is_cancelled_and_tried_again_on_its_page(cast, sign_in):
    job, client = queue(cast.study), sign_in(cast.owner)
    address = f"/studies/{cast.study.slug}/jobs/{job.pk}/"
    client.post(f"{address}cancel/")
    assert Job.objects.get(pk=job.pk).state == JobState.CANCELLED
    assert "Try again" in page_of(client, job)
    client.post(f"{address}retry/")
    assert Job.objects.get(pk=job.pk).state == JobState.QUEUED


def test_a_failed_job_shows_its_reason_as_text(cast, sign_in):
    job = run_job(job_id=queue(cast.study, refuse="<b>No</b> such column").pk)
    assert "&lt;b&gt;No&lt;/b&gt; such column" in page_of(sign_in(cast.owner), job)
