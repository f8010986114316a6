"""The small loop inside each Celery worker: signs of life, dead jobs, forgotten jobs."""

import logging
import threading

from django.db import DatabaseError, connection
from django.db.models.functions import Now

from annotation.models import JobWorker
from annotation.services import jobs

logger = logging.getLogger("juryroom.jobs")

EVERY_SECONDS = 5.0
FORGOTTEN_AFTER_SECONDS = 60.0


class Caretaker(threading.Thread):
    """Goes its round every few seconds until it is stopped."""

    def __init__(self, *, name: str) -> None:
        super().__init__(name="caretaker", daemon=True)
        self.worker_name = name
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
