"""A real Celery worker on real Redis: jobs run there, and survive the death of their process."""

import os
import signal

import psutil
import pytest

from annotation.models import Job, JobState, Post
from annotation.services.jobs import cancel_job
from annotation.services.uploads import queue_load
from tests.cast import make_cast, upload
from tests.processes import wait_for
from tests.workers import running_worker

pytestmark = [pytest.mark.worker, pytest.mark.django_db(transaction=True)]

ROWS = 40_000


@pytest.fixture
def worker(transactional_db, tmp_path):
    with running_worker(tmp_path) as process:
        yield process


def queue_import(study, rows):
    content = "id,text\n" + "".join(f"{number},post {number}\n" for number in range(rows))
    file = upload(study, content)
    return queue_load(by=None, file=file, bad_rows="refuse", columns={})


def state_of(job):
    return Job.objects.get(pk=job.pk).state


def test_a_job_is_done_by_the_worker_in_a_process_of_its_own(worker):
    job = queue_import(make_cast().study, rows=10)
    wait_for(lambda: state_of(job) == JobState.SUCCEEDED, what="the job")
    assert Post.objects.count() == 10
    assert Job.objects.get(pk=job.pk).attempts == 1


def test_a_job_whose_process_is_killed_is_done_again_without_doubles(worker):
    job = queue_import(make_cast().study, rows=ROWS)
    wait_for(lambda: state_of(job) == JobState.RUNNING, what="the job to start")
    for child in psutil.Process(worker.pid).children(recursive=True):
        os.kill(child.pid, signal.SIGKILL)
    wait_for(lambda: state_of(job) == JobState.SUCCEEDED, seconds=90, what="the second try")
    done = Job.objects.get(pk=job.pk)
    assert (done.attempts, done.result["added"]) == (2, ROWS)
    assert Post.objects.count() == ROWS


def test_a_job_is_cancelled_while_the_worker_does_it(worker):
    job = queue_import(make_cast().study, rows=ROWS)
    wait_for(lambda: state_of(job) == JobState.RUNNING, what="the job to start")
    cancel_job(job=job)
    wait_for(lambda: Job.objects.get(pk=job.pk).has_ended, what="the end")
    assert state_of(job) == JobState.CANCELLED
    assert not Post.objects.exists()
