"""The loops inside each Celery worker: signs of life, dead and forgotten jobs, and chores.

Chores have a loop of their own: one that takes its time must not make a worker look dead.
"""

import logging
import threading
import time

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models.functions import Now

from annotation.models import JobWorker
from annotation.registry import Chore, chores
from annotation.services import jobs

logger = logging.getLogger("juryroom.jobs")

EVERY_SECONDS = 3.0
FORGOTTEN_AFTER_SECONDS = 60.0


class Loop(threading.Thread):
    """Goes its round every few seconds until it is stopped."""

    def __init__(self, *, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.is_stopping = threading.Event()

    def run(self) -> None:
        """Go the rounds; a database that is away for a while is waited for."""
        try:
            while True:
                try:
                    self.go_round()
                except DatabaseError:
                    logger.warning("The database cannot be reached; the %s tries again.", self.name)
                    connection.close()
                if self.is_stopping.wait(EVERY_SECONDS):
                    break
            self.sign_off()
        finally:
            connection.close()

    def go_round(self) -> None:
        """Do what is due."""
        raise NotImplementedError

    def sign_off(self) -> None:
        """Say that this is over."""

    def stop(self) -> None:
        """End after the present round."""
        self.is_stopping.set()
        self.join(timeout=EVERY_SECONDS)


class Housekeeper(Loop):
    """Sees to chores when they are due."""

    def __init__(self) -> None:
        super().__init__(name="housekeeper")
        self.due_at: dict[str, float] = {}

    def go_round(self) -> None:
        """Do the chores that are due."""
        for chore in chores():
            if self.due_at.get(chore.code, 0.0) <= time.monotonic():
                self.due_at[chore.code] = time.monotonic() + chore.every_seconds
                self.do(chore)

    def do(self, chore: Chore) -> None:
        """Do a chore; a fault in one must not stop the others."""
        try:
            chore.run()
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            logger.exception("The chore “%s” failed; it is tried again when it is due.", chore.code)


class Caretaker(Loop):
    """Shows that a worker lives, and sees to the jobs that nobody has in hand."""

    def __init__(self, *, name: str) -> None:
        super().__init__(name="caretaker")
        self.worker_name = name
        self.housekeeper = Housekeeper()

    def run(self) -> None:
        """Go the rounds, with the housekeeper beside."""
        self.housekeeper.start()
        super().run()

    def go_round(self) -> None:
        """Show that this worker lives; give dead and forgotten jobs to somebody."""
        JobWorker.objects.update_or_create(name=self.worker_name, defaults={"seen_at": Now()})
        jobs.requeue_dead_jobs()
        jobs.send_forgotten_jobs(older_than_seconds=FORGOTTEN_AFTER_SECONDS)

    def sign_off(self) -> None:
        """Forget this worker."""
        try:
            JobWorker.objects.filter(name=self.worker_name).delete()
        except DatabaseError:
            logger.warning("The worker could not sign off.")

    def stop(self) -> None:
        """End both loops."""
        self.housekeeper.is_stopping.set()
        super().stop()
