"""How a running job tells how far it is, how fast it goes, and hears that it is to stop."""

import threading
import time
from collections import deque
from collections.abc import Callable

from django.db import connection
from django.utils import timezone

from annotation.models import Job, JobState
from infra.jobs import JobCancelled

WRITE_EVERY_SECONDS = 1.0
LAST_WHILE_SECONDS = 60.0
LEAST_SECONDS = 5.0

Listener = Callable[[int, int, str], None]


class Pace:
    """How fast a job went during the last while; another step of it begins anew."""

    def __init__(self) -> None:
        self.total = 0
        self.marks: deque[tuple[float, int]] = deque()

    def note(self, now: float, done: int, total: int) -> bool:
        """Note how far the job is; say whether that moved."""
        if total != self.total or (self.marks and done < self.marks[-1][1]):
            self.marks.clear()
        self.total = total
        has_moved = not self.marks or done > self.marks[-1][1]
        if has_moved:
            self.marks.append((now, done))
        while len(self.marks) > 1 and self.marks[0][0] < now - LAST_WHILE_SECONDS:
            self.marks.popleft()
        return has_moved

    def per_second(self, now: float) -> float | None:
        """Return steps a second; None until they were watched for long enough, or none was made."""
        if not self.marks or now - self.marks[0][0] < LEAST_SECONDS:
            return None
        (since, first), (_last, done) = self.marks[0], self.marks[-1]
        return (done - first) / (now - since) if done > first else None


class Reporter:
    """Writes progress and reads the wish to cancel, on a connection of its own.

    The work may sit in one long transaction; its progress must be seen outside all the same.
    """

    def __init__(self, job: Job, listener: Listener | None = None) -> None:
        self.job_id, self.listener = job.pk, listener
        self.done, self.total, self.message = 0, 0, ""
        self.pace, self.told = Pace(), ""
        self.is_cancelled = threading.Event()
        self.has_ended = threading.Event()
        self.thread = threading.Thread(target=self.keep_writing, daemon=True)

    def __enter__(self) -> "Reporter":
        self.thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.has_ended.set()
        self.thread.join()

    def __call__(self, done: int, total: int, message: str = "") -> None:
        """Note how far the job is; raise JobCancelled when somebody asked for its end."""
        self.done, self.total = done, total
        self.message = message[:200] or self.message
        if self.listener:
            self.listener(done, total, self.message)
        if self.is_cancelled.is_set():
            raise JobCancelled

    def keep_writing(self) -> None:
        """Write and look once a second until the job ends."""
        try:
            while not self.has_ended.wait(WRITE_EVERY_SECONDS):
                self.write()
        finally:
            connection.close()

    def write(self) -> None:
        """Write progress if the job is still ours, and note whether it is to stop."""
        now, message = time.monotonic(), self.message
        has_moved = self.pace.note(now, self.done, self.total) or message != self.told
        self.told = message
        mine = Job.objects.filter(pk=self.job_id, state=JobState.RUNNING)
        mine.update(
            done=self.done,
            total=self.total,
            message=message,
            pace=self.pace.per_second(now),
            **({"moved_at": timezone.now()} if has_moved else {}),
        )
        if mine.filter(cancel_requested_at__isnull=False).exists():
            self.is_cancelled.set()
