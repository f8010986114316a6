"""What pages show of long work, and whether those who do it live.

A job's process holds an advisory lock, and a worker shows signs of life every few seconds, so that
a death is told here within `ALIVE_WITHIN` and a poll.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import UNDER_WAY, ImportFile, Job, JobState, JobWorker, Study
from infra.broker import broker_address, broker_answers

LOCK_SPACE = 0x6A6F62  # "job"
ALIVE_WITHIN = timedelta(seconds=10)
STANDS_AFTER = timedelta(seconds=30)
PARTS_SHOWN = 20


def jobs_of(study: Study) -> QuerySet[Job]:
    """Return a study's jobs, newest first."""
    return Job.objects.filter(study=study).select_related("created_by")


def latest_job_of(file: ImportFile) -> Job | None:
    """Return the newest job that reads a file."""
    return Job.objects.filter(study=file.study_id, parameters__import=file.pk).first()


IS_OVER = Case(When(state__in=UNDER_WAY, then=Value(0)), default=Value(1))


def jobs_about(study: Study, kind: str, **parameters: Any) -> QuerySet[Job]:
    """Return the jobs of a kind, newest first; of these parameters, where some are named."""
    return Job.objects.filter(study=study, kind=kind, parameters__contains=parameters)


def awaited_job(study: Study, kind: str, **parameters: Any) -> Job | None:
    """Return the job that somebody waits for; where none is under way, the newest."""
    return jobs_about(study, kind, **parameters).order_by(IS_OVER, "-pk").first()


def job_under_way(study: Study, kind: str, **parameters: Any) -> Job | None:
    """Return the newest job that has not ended."""
    return jobs_about(study, kind, **parameters).filter(state__in=UNDER_WAY).first()


def kinds_of_jobs(study: Study) -> list[str]:
    """Return the kinds of a study's jobs; parts are no kind of their own."""
    whole = Job.objects.filter(study=study, parent=None).order_by("kind")
    return list(whole.values_list("kind", flat=True).distinct())


def jobs_for(study: Study, *, state: str = "", kind: str = "") -> QuerySet[Job]:
    """Return a study's whole jobs, newest first: all, those under way, or of a state or kind."""
    found = jobs_of(study).filter(parent=None)
    if state:
        found = found.filter(state__in=UNDER_WAY if state == "under_way" else [state])
    return found.filter(kind=kind) if kind else found


@dataclass(frozen=True)
class WatchedJob:
    """A job as pages show it.

    `seconds_left` is None where nobody can know; `stands_since` says since when nothing moves.
    `is_lost`: it should be running, and the process that did it is gone.
    """

    job: Job
    seconds_left: int | None = None
    stands_since: datetime | None = None
    is_lost: bool = False
    parts: Sequence["WatchedJob"] = field(default_factory=tuple)

    @property
    def shown_parts(self) -> Sequence["WatchedJob"]:
        """Return those of the parts that a row has room for: failed and running ones first."""
        return self.parts[:PARTS_SHOWN]

    @property
    def parts_done(self) -> int:
        """Return how many parts have succeeded."""
        return sum(part.job.state == JobState.SUCCEEDED for part in self.parts)


def watch(jobs: Iterable[Job], *, with_parts: bool = True) -> list[WatchedJob]:
    """Return jobs as pages show them, with their parts."""
    jobs = list(jobs)
    parts = parts_by_job(jobs) if with_parts else {}
    everything = [*jobs, *(part for some in parts.values() for part in some)]
    held = held_jobs() if any(job.state == JobState.RUNNING for job in everything) else set()
    now = timezone.now()
    return [
        watched(job, now, held, [watched(part, now, held) for part in parts.get(job.pk, ())])
        for job in jobs
    ]


FIRST = Case(
    When(state=JobState.FAILED, then=Value(0)),
    When(state=JobState.RUNNING, then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)


def parts_by_job(jobs: Iterable[Job]) -> dict[int, list[Job]]:
    """Return the parts of each job, those first that one would look at."""
    found: dict[int, list[Job]] = {}
    rows = Job.objects.filter(parent__in=list(jobs)).select_related("created_by")
    for part in rows.order_by(FIRST, "pk"):
        found.setdefault(part.parent_id or 0, []).append(part)
    return found


def watched(
    job: Job, now: datetime, held: set[int], parts: Sequence[WatchedJob] = ()
) -> WatchedJob:
    """Return one job as pages show it."""
    if job.state != JobState.RUNNING:
        return WatchedJob(job, parts=parts)
    stands = job.moved_at if job.moved_at and now - job.moved_at > STANDS_AFTER else None
    left = None
    if job.pace and 0 < job.done < job.total and not stands:
        left = round((job.total - job.done) / job.pace)
    return WatchedJob(job, left, stands, is_lost=job.pk not in held, parts=parts)


def held_jobs() -> set[int]:
    """Return the jobs that some process has in hand at this moment."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT objid FROM pg_locks JOIN pg_database ON pg_database.oid = database"
            " WHERE locktype = 'advisory' AND classid = %s AND objsubid = 2 AND granted"
            " AND datname = current_database()",
            [LOCK_SPACE],
        )
        return {number for (number,) in cursor.fetchall()}


def any_under_way(study: Study) -> bool:
    """Say whether any job of a study has not come to its end."""
    return Job.objects.filter(study=study, state__in=UNDER_WAY).exists()


def worker_is_alive() -> bool:
    """Say whether some Celery worker showed signs of life lately."""
    return JobWorker.objects.filter(seen_at__gt=Now() - ALIVE_WITHIN).exists()


@dataclass(frozen=True)
class Trouble:
    """Why jobs wait, in words."""

    title: str | Promise
    text: str | Promise


NO_WORKER = Trouble(
    _("No worker is running"),
    _(
        "Jobs wait, and go on by themselves as soon as a worker runs. If you look after this "
        "server: is the Celery worker started?"
    ),
)
NO_BROKER = Trouble(
    _("The queue does not answer"),
    _(
        "Redis cannot be reached, so workers hear of no job. Nothing is lost: jobs go on by "
        "themselves as soon as it runs again. If you look after this server: is Redis started?"
    ),
)


def troubles() -> list[Trouble]:
    """Return what keeps jobs from being done. A Redis that a worker would start is not missed."""
    has_worker = worker_is_alive()
    is_missed = has_worker or bool(broker_address())
    found = [] if has_worker else [NO_WORKER]
    return [*found, NO_BROKER] if is_missed and not broker_answers() else found
