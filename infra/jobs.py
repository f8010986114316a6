"""What every long job shares: how it reports, how it ends early, its Celery base class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from celery import Task


class JobRefused(Exception):
    """A job that cannot be done; its text is a sentence for the person who asked for it."""


class JobCancelled(Exception):
    """Raised inside a job when somebody asked for its end."""


class Report(Protocol):
    """How a job tells how far it is. A call is cheap; it raises JobCancelled when asked to stop."""

    def __call__(self, done: int, total: int, message: str = "") -> None:
        """State that `done` of `total` steps are finished (total 0: unknown)."""


@dataclass(frozen=True)
class Parts:
    """What a job returns that wants parts of itself done, side by side, before it goes on.

    Each part is a job of `kind` with its own `parameters`. When all have succeeded, the job is run
    again and finds by what is stored where it stands; it ends with a part that fails.
    """

    kind: str
    parameters: Sequence[dict[str, Any]]
    message: str


def no_report(done: int, total: int, message: str = "") -> None:
    """Report to nobody."""


class JobTask(Task):
    """Celery's side of a job: acknowledged late, never retried by Celery, no result kept.

    The job's row decides whether anything is to be done, so a message that comes twice is harmless.
    """

    acks_late = True
    reject_on_worker_lost = True
    ignore_result = True
    max_retries = 0
