"""A real worker is killed in the midst of a job, and a real Redis stopped: pages say it in time."""

import time

import pytest
from django.test import Client

from annotation.models import Job, JobState, Post
from annotation.services.uploads import queue_load
from tests.cast import make_cast, upload
from tests.processes import wait_for
from tests.queues import own_redis
from tests.workers import kill, running_worker

pytestmark = [pytest.mark.worker, pytest.mark.django_db(transaction=True)]

ROWS = 40_000
IN_TIME = 15.0
NO_WORKER, NO_BROKER = "No worker is running", "The queue does not answer"
IS_GONE, BEGINS_AGAIN = "The process that did this is gone", "so it begins again"


@pytest.fixture
def redis(transactional_db, settings):
    with own_redis(settings) as started:
        yield started


@pytest.fixture
def cast(transactional_db):
    return make_cast()


def queue_import(cast, rows):
    """Queue a job that no living worker hears of; whoever comes finds it."""
    content = "id,text\n" + "".join(f"{number},post {number}\n" for number in range(rows))
    return queue_load(by=None, file=upload(cast.study, content), bad_rows="refuse", columns={})


class Watcher:
    """Somebody who looks at the three places where one waits for a job."""

    def __init__(self, cast, job):
        self.client = Client()
        self.client.force_login(cast.owner.user)
        study = f"/studies/{cast.study.slug}"
        self.places = (
            f"{study}/jobs/?part=rows",
            f"{study}/jobs/{job.pk}/?part=progress",
            f"{study}/imports/{job.parameters['import']}/",
        )

    def all_say(self, sentence):
        return all(sentence in self.client.get(place).content.decode() for place in self.places)

    def none_says(self, sentence):
        return all(sentence not in self.client.get(place).content.decode() for place in self.places)


def state_of(job):
    return Job.objects.get(pk=job.pk).state


def test_a_killed_worker_is_named_in_time_and_its_job_taken_up_by_the_next(redis, cast, tmp_path):
    job = queue_import(cast, ROWS)
    watcher = Watcher(cast, job)
    assert watcher.all_say(NO_WORKER)
    with running_worker(tmp_path) as worker:
        wait_for(lambda: state_of(job) == JobState.RUNNING, what="the job to start")
        assert watcher.none_says(NO_WORKER)
        assert watcher.none_says(IS_GONE)
        kill(worker)
        killed_at = time.monotonic()
        wait_for(lambda: watcher.all_say(IS_GONE), seconds=5, what="the lost job to be named")
        wait_for(lambda: watcher.all_say(NO_WORKER), seconds=IN_TIME, what="the dead worker")
        assert time.monotonic() - killed_at < IN_TIME
    with running_worker(tmp_path, "two"):
        wait_for(lambda: watcher.all_say(BEGINS_AGAIN), what="the second try")
        assert watcher.none_says(NO_WORKER)
        wait_for(lambda: state_of(job) == JobState.SUCCEEDED, seconds=90, what="its end")
    assert Job.objects.get(pk=job.pk).attempts == 2
    assert Post.objects.count() == ROWS


def test_a_redis_that_is_stopped_is_named_in_time_and_jobs_go_on_when_it_is_back(
    redis, cast, tmp_path
):
    with running_worker(tmp_path):
        redis.stop()
        stopped_at = time.monotonic()
        job = queue_import(cast, 10)
        Job.objects.update(sent_at=None)  # this process would ask the Redis of the other tests
        watcher = Watcher(cast, job)
        wait_for(lambda: watcher.all_say(NO_BROKER), seconds=IN_TIME, what="the dead Redis")
        assert time.monotonic() - stopped_at < IN_TIME
        time.sleep(4)  # longer than a worker's signs of life are apart
        assert watcher.none_says(NO_WORKER)
        assert state_of(job) == JobState.QUEUED
        redis.start()
        assert watcher.none_says(NO_BROKER)
        wait_for(lambda: state_of(job) == JobState.SUCCEEDED, seconds=60, what="the job")
