"""Queues, runs, cancels and retries jobs. The job's row is the truth, taken under a lock.

A running job holds an advisory lock on its connection, so the death of its process shows at once:
whoever can take the lock of a running job knows that nobody runs it.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any

from celery import current_app
from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from kombu.exceptions import OperationalError as BrokerError

from annotation.models import UNDER_WAY, Job, JobState, Study, User, WebhookEvent
from annotation.queries.jobs import LOCK_SPACE, worker_is_alive
from annotation.registry import job_kind
from annotation.services.archive import hold_open
from annotation.services.progress import Listener, Reporter
from annotation.services.webhooks import announce
from infra.jobs import JobCancelled, JobRefused, Parts

logger = logging.getLogger("juryroom.jobs")

RUN, QUEUE = "annotation.run", "jobs"
MOST_ATTEMPTS = 3


@transaction.atomic
def queue_job(*, by: User | None, study: Study, kind: str, parameters: dict[str, Any]) -> Job:
    """Record a job and send it to a worker when the transaction is committed."""
    job_kind(kind)
    hold_open(study.pk)
    job = Job.objects.create(study=study, kind=kind, parameters=parameters, created_by=by)
    transaction.on_commit(partial(send_job, job_id=job.pk))
    return job


def send_job(*, job_id: int) -> None:
    """Tell a worker about a queued job; without a worker or a queue the caretaker does it later.

    So nobody waits for Redis, or starts it, for a message that no worker would read.
    """
    if not worker_is_alive():
        return
    try:
        current_app.send_task(RUN, kwargs={"job_id": job_id}, queue=QUEUE, retry=False)
    except (OSError, BrokerError):
        logger.warning("The queue cannot be reached; job %s waits.", job_id)
        return
    Job.objects.filter(pk=job_id).update(sent_at=Now())


def cancel_job(*, job: Job) -> Job:
    """End a queued job now; ask a running one to stop at its next step. A part ends its job."""
    cancel_whole(job.parent_id or job.pk)
    job.refresh_from_db()
    return job


@transaction.atomic
def cancel_whole(job_id: int) -> None:
    """Cancel a job that is no part, and its parts with it."""
    job = Job.objects.select_for_update().get(pk=job_id)
    if job.state in {JobState.QUEUED, JobState.IN_PARTS}:
        job.state, job.ended_at = JobState.CANCELLED, timezone.now()
        job.reason = str(CANCELLED)
    if job.state == JobState.RUNNING:
        job.cancel_requested_at = timezone.now()
    job.save(update_fields=["state", "ended_at", "reason", "cancel_requested_at"])
    cancel_parts(job)


def cancel_parts(job: Job) -> None:
    """End the parts of a job that is over."""
    if job.has_ended:
        now = timezone.now()
        job.parts.filter(state=JobState.QUEUED).update(
            state=JobState.CANCELLED, reason=str(CANCELLED), ended_at=now
        )
        job.parts.filter(state=JobState.RUNNING).update(cancel_requested_at=now)


@transaction.atomic
def retry_job(*, by: User | None, job: Job) -> Job:
    """Queue a job again that failed or was cancelled; anything else stays as it is.

    A part is not tried alone: its job is, and has those parts done that are missing. Raises
    JobRefused where its kind forbids it.
    """
    job_kind(job.kind).check_retry(job, by)
    hold_open(job.study_id)
    job = Job.objects.select_for_update().get(pk=job.parent_id or job.pk)
    if job.state in {JobState.FAILED, JobState.CANCELLED}:
        reset(job)
        job.attempts = 0
        job.save()
        transaction.on_commit(partial(send_job, job_id=job.pk))
    return job


def reset(job: Job) -> None:
    """Put a job's record back to where it waits for a worker."""
    job.state, job.reason, job.message, job.done, job.total = JobState.QUEUED, "", "", 0, 0
    job.cancel_requested_at = job.started_at = job.ended_at = job.sent_at = None
    job.pace = job.moved_at = None


CANCELLED = gettext_lazy("Cancelled; nothing was changed.")


def run_job(*, job_id: int, listener: Listener | None = None) -> Job | None:
    """Run a queued job in this process; return None when it is not to be run (any more)."""
    with alone(job_id) as is_mine:
        job = take(job_id) if is_mine else None
        if job is None:
            return None
        with Reporter(job, listener) as report:
            outcome = attempt(job, report)
        return finish(job, report, **outcome)


def run_next(*, job: Job, listener: Listener | None = None) -> bool:
    """Run a job in this process, or the next of its parts; say whether there was one to run."""
    parts = job.parts.filter(state=JobState.QUEUED).order_by("pk").values_list("pk", flat=True)
    return any(run_job(job_id=one, listener=listener) for one in (job.pk, *parts[:1]))


@contextmanager
def alone(number: int, space: int = LOCK_SPACE) -> Iterator[bool]:
    """Hold the advisory lock of a job, or of a thing of another space; yield whether it was free.

    The lock is the connection's: it outlasts transactions, and ends with the process.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [space, number])
        is_mine = bool(cursor.fetchone()[0])
    try:
        yield is_mine
    finally:
        if is_mine:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [space, number])


@transaction.atomic
def take(job_id: int) -> Job | None:
    """Mark a queued job as running."""
    job = Job.objects.select_for_update().filter(pk=job_id, state=JobState.QUEUED).first()
    if job:
        job.state, job.started_at, job.attempts = JobState.RUNNING, timezone.now(), job.attempts + 1
        job.moved_at = job.started_at
        job.save(update_fields=["state", "started_at", "moved_at", "attempts"])
    return job


def attempt(job: Job, report: Reporter) -> dict[str, Any]:
    """Do the work; say how it ended."""
    try:
        result = job_kind(job.kind).run(job, report)
    except JobCancelled:
        return {"state": JobState.CANCELLED, "reason": str(CANCELLED)}
    except JobRefused as refusal:
        return {"state": JobState.FAILED, "reason": str(refusal)}
    except Exception as error:  # the record must not stay “running”
        logger.exception("Job %s failed", job.pk)
        reason = _("Unexpected error (%(kind)s). The worker's log tells more under job %(id)s.")
        return {
            "state": JobState.FAILED,
            "reason": reason % {"kind": type(error).__name__, "id": job.pk},
        }
    if isinstance(result, Parts):
        return {"state": JobState.IN_PARTS, "reason": "", "parts": result}
    return {"state": JobState.SUCCEEDED, "reason": "", "result": result}


@transaction.atomic
def finish(
    job: Job,
    report: Reporter,
    *,
    state: str,
    reason: str,
    result: dict[str, Any] | None = None,
    parts: Parts | None = None,
) -> Job:
    """Record a job's end, or that it goes on in parts."""
    if parts:
        return split(job, parts)
    done = report.total if state == JobState.SUCCEEDED and report.total else report.done
    job.state, job.reason, job.result = state, reason, result or {}
    job.done, job.total, job.ended_at = done, report.total, timezone.now()
    job.message = report.message
    job.save(update_fields=["state", "reason", "result", "done", "total", "message", "ended_at"])
    tell_end(job)
    return job


def split(job: Job, parts: Parts) -> Job:
    """Queue the parts of a job, unless somebody asked for its end meanwhile."""
    job = Job.objects.select_for_update().get(pk=job.pk)
    if job.cancel_requested_at:
        job.state, job.reason, job.ended_at = JobState.CANCELLED, str(CANCELLED), timezone.now()
        job.save()
        return job
    job.state, job.attempts, job.message = JobState.IN_PARTS, 0, parts.message[:200]
    job.done, job.total = 0, len(parts.parameters)
    job.save()
    rows = [
        Job(
            study_id=job.study_id,
            parent=job,
            kind=parts.kind,
            parameters=parameters,
            created_by_id=job.created_by_id,
        )
        for parameters in parts.parameters
    ]
    for part in Job.objects.bulk_create(rows):
        transaction.on_commit(partial(send_job, job_id=part.pk))
    return job


def tell_end(job: Job) -> None:
    """Tell whom it concerns that a job is over: its whole where it is a part, else webhooks."""
    if job.parent_id:
        part_ended(job)
    elif job.state == JobState.FAILED:
        about = {"job": job.pk, "kind": job.kind}
        announce(study=job.study, event=WebhookEvent.JOB_FAILED, about=about)


def part_ended(part: Job) -> None:
    """Let a job go on whose last part is done, or end with a part that failed."""
    assert part.parent_id
    job = Job.objects.select_for_update().get(pk=part.parent_id)
    if job.state != JobState.IN_PARTS:
        return
    if part.state == JobState.SUCCEEDED:
        job.done, job.moved_at = job.done + 1, timezone.now()
        if not job.parts.filter(state__in=UNDER_WAY).exists():
            reset(job)
            transaction.on_commit(partial(send_job, job_id=job.pk))
    else:
        job.state, job.reason, job.ended_at = part.state, part.reason, timezone.now()
        cancel_parts(job)
    job.save()
    if job.has_ended:
        tell_end(job)


def requeue_dead_jobs() -> int:
    """Queue running jobs whose process is gone; fail those that died too often. Return how many."""
    found = 0
    for job_id in Job.objects.filter(state=JobState.RUNNING).values_list("pk", flat=True):
        with alone(job_id) as nobody_runs_it:
            found += bool(nobody_runs_it and requeue(job_id))
    return found


@transaction.atomic
def requeue(job_id: int) -> bool:
    """Give a dead job another try, or record why it gets none."""
    job = Job.objects.select_for_update().filter(pk=job_id, state=JobState.RUNNING).first()
    if job is None:
        return False
    if job.cancel_requested_at:
        job.state, job.ended_at = JobState.CANCELLED, timezone.now()
    elif job.attempts >= MOST_ATTEMPTS:
        job.state, job.ended_at = JobState.FAILED, timezone.now()
        job.reason = _("Its worker died %(times)s times while doing it.") % {"times": job.attempts}
    else:
        reset(job)
    job.save()
    if job.has_ended:
        tell_end(job)
    return True


def send_forgotten_jobs(*, older_than_seconds: float) -> int:
    """Send queued jobs that were never sent, or so long ago that the message may be lost."""
    limit = timezone.now() - timedelta(seconds=older_than_seconds)
    queued = Job.objects.filter(state=JobState.QUEUED)
    forgotten = queued.filter(sent_at=None) | queued.filter(sent_at__lt=limit)
    ids = list(forgotten.values_list("pk", flat=True)[:100])
    for job_id in ids:
        send_job(job_id=job_id)
    return len(ids)
