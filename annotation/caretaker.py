"""The small loop inside each Celery worker: signs of life, dead and forgotten jobs, chores."""

import logging
import threading
import time

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models.functions import Now

from annotation.models import JobWorker
from annotation.registry import Chore, chores
from annotation.services import jobs

logger = logging.getLogger("juryroom.jobs")

EVERY_SECONDS = 5.0
FORGOTTEN_AFTER_SECONDS = 60.0


class Caretaker(threading.Thread):
    """Goes its round every few seconds until it is stopped."""

    def __init__(self, *, name: str) -> None:
        super().__init__(name="caretaker", daemon=True)
        self.worker_name = name
        self.due_at: dict[str, float] = {}
        self.is_stopping = threading.Event()

    def run(self) -> None:
        """Go the rounds; a database that is away for a while is waited for."""
        while True:
            try:
                self.go_round()
            except DatabaseError:
                logger.warning("The database cannot be reached; the caretaker tries again.")
                connection.close()
            if self.is_stopping.wait(EVERY_SECONDS):
                break
        self.sign_off()

    def go_round(self) -> None:
        """Show that this worker lives, and see to the jobs that nobody has in hand."""
        JobWorker.objects.update_or_create(name=self.worker_name, defaults={"seen_at": Now()})
        jobs.requeue_dead_jobs()
        jobs.send_forgotten_jobs(older_than_seconds=FORGOTTEN_AFTER_SECONDS)
        for chore in chores():
            if self.due_at.get(chore.code, 0.0) <= time.monotonic():
                self.due_at[chore.code] = time.monotonic() + chore.every_seconds
                self.do(chore)

    def do(self, chore: Chore) -> None:
        """Do a chore; a fault in one must stop neither the others nor the signs of life."""
        try:
            chore.run()
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            logger.exception("The chore “%s” failed; it is tried again when it is due.", chore.code)

    def sign_off(self) -> None:
        """Forget this worker."""
        try:
            JobWorker.objects.filter(name=self.worker_name).delete()
        except DatabaseError:
            logger.warning("The worker could not sign off.")
        finally:
            connection.close()

    def stop(self) -> None:
        """End after the present round."""
        self.is_stopping.set()
        self.join(timeout=EVERY_SECONDS)
