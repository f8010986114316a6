"""A release that is cancelled while it is written, from outside: nothing of it is ever seen."""

import threading

import pytest
from django.db import connection

from annotation.models import Job, JobState, StageCode
from annotation.services import progress
from annotation.services.batches import start_batch
from annotation.services.jobs import cancel_job, run_job
from releases.models import Release, ReleaseFile
from releases.queries import posts as post_rows
from releases.queries import votes as vote_rows
from releases.services.making import study_folder
from releases.services.releases import make_release
from releases.services.tables import Steps
from tests.cast import add_posts, make_cast

POSTS = 300
VOTES = """
    INSERT INTO annotation_vote (task_id, member_id, version, label, counted, created_at)
    SELECT task.id, member.id, 1, 'no_claim', true, now()
    FROM annotation_task AS task, annotation_member AS member
    WHERE task.batch_id = %s AND member.study_id = %s
"""
TASKS = """
    INSERT INTO annotation_task (batch_id, post_id, stage, origin, kind, position)
    SELECT %s, id, 'crowd', 'imported', 'closed', id FROM annotation_post WHERE study_id = %s
"""


@pytest.mark.django_db(transaction=True)
def test_a_running_release_that_is_cancelled_leaves_no_file_and_no_row(monkeypatch):
    monkeypatch.setattr(post_rows, "BLOCK", 100)
    monkeypatch.setattr(vote_rows, "BLOCK", 100)
    monkeypatch.setattr(progress, "WRITE_EVERY_SECONDS", 0.05)
    cast = make_cast()
    add_posts(cast.study, POSTS)
    batch = start_batch(
        study=cast.study,
        stage=StageCode.CROWD,
        labels=["no_claim", "checkworthy"],
        votes_wanted=3,
        seed=1,
    )
    with connection.cursor() as cursor:
        cursor.execute(TASKS, [batch.pk, cast.study.pk])
        cursor.execute(VOTES, [batch.pk, cast.study.pk])
    job, seen = make_release(by=None, study=cast.study), []
    real = Steps.add

    def add(self, posts, message):
        """Have somebody else cancel the job once it is in the midst of the votes."""
        if "votes" in message and not seen:
            seen.extend(study_folder(cast.study).glob(".making-*/csv/votes.csv"))
            canceller = threading.Thread(target=cancel, args=(job.pk,))
            canceller.start()
            canceller.join()
            assert self.report.is_cancelled.wait(60)
        real(self, posts, message)

    monkeypatch.setattr(Steps, "add", add)
    assert run_job(job_id=job.pk).state == JobState.CANCELLED
    assert seen
    assert not Release.objects.exists() and not ReleaseFile.objects.exists()
    assert not list(study_folder(cast.study).iterdir())


def cancel(job_id):
    """Cancel a job as a page does, on a connection of its own."""
    cancel_job(job=Job.objects.get(pk=job_id))
    connection.close()
