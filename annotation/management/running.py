"""Brings a job to its end from a command: on a worker where one lives, else in this process.

Ctrl-C asks the job to stop at its next step; a second Ctrl-C leaves at once.
"""

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Protocol

from django.utils.translation import gettext as _

from annotation.models import Job
from annotation.queries.jobs import worker_is_alive
from annotation.services.jobs import cancel_job, requeue_dead_jobs, run_next
from infra.jobs import JobCancelled

LOOK_EVERY_SECONDS = 0.3


class Terminal(Protocol):
    """Where progress is written."""

    def write(self, msg: str = "", style_func: None = None, ending: str | None = None) -> None:
        """Write without a line's end of its own when `ending` is empty."""

    def isatty(self) -> bool:
        """Say whether a person may be looking."""


class ProgressLine:
    """One line on a terminal that is written over; silent where nobody looks."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal, self.is_shown, self.last = terminal, terminal.isatty(), ""

    def show(self, done: int, total: int, message: str = "") -> None:
        """Show how far it is."""
        share = f"{100 * done // total:3d}% " if total else ""
        line = f"{share}{message}"[:100]
        if self.is_shown and line != self.last:
            self.terminal.write(f"\r\x1b[K{line}", ending="")
            self.last = line

    def clear(self) -> None:
        """Leave no trace of it."""
        if self.last:
            self.terminal.write("\r\x1b[K", ending="")


class Interruption:
    """Whether Ctrl-C was pressed."""

    def __init__(self) -> None:
        self.has_come = False

    def note(self, _number: int, _frame: FrameType | None) -> None:
        """Note the first Ctrl-C; leave at the second."""
        if self.has_come:
            raise KeyboardInterrupt
        self.has_come = True


@contextlib.contextmanager
def interruption() -> Iterator[Interruption]:
    """Catch Ctrl-C for as long as this lasts; only the main thread can."""
    found = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield found
        return
    before = signal.signal(signal.SIGINT, found.note)
    try:
        yield found
    finally:
        signal.signal(signal.SIGINT, before)


def run_to_end(*, job: Job, say: Terminal) -> Job:
    """Return the job when it has ended."""
    line = ProgressLine(say)
    with interruption() as interrupted:
        try:
            return follow(job, line, interrupted)
        finally:
            line.clear()


def follow(job: Job, line: ProgressLine, interrupted: Interruption) -> Job:
    """Watch a job until it has ended; do it here whenever no worker lives."""
    is_asked_to_stop = False
    while not job.has_ended:
        if interrupted.has_come and not is_asked_to_stop:
            is_asked_to_stop = True
            cancel_job(job=job)
        if worker_is_alive():
            line.show(job.done, job.total, job.message or _("Waiting for the worker"))
            time.sleep(LOOK_EVERY_SECONDS)
        else:
            run_here(job, line, interrupted)
        job.refresh_from_db()
    return job


def run_here(job: Job, line: ProgressLine, interrupted: Interruption) -> None:
    """Run a job in this process, also one that its dead worker left behind."""

    def listen(done: int, total: int, message: str) -> None:
        if interrupted.has_come:
            raise JobCancelled
        line.show(done, total, message)

    requeue_dead_jobs()
    if not run_next(job=job, listener=listen):
        time.sleep(LOOK_EVERY_SECONDS)
