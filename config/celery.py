"""The job queue: Celery on Redis. Its workers nudge forgotten jobs and show that they live."""

import os
from functools import cached_property
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import celeryd_after_setup, worker_ready, worker_shutting_down

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class QueueSettings:
    """Celery's settings; the broker's address is asked for when it is first needed."""

    task_default_queue = "jobs"
    task_serializer = "json"
    accept_content = ("json",)
    task_ignore_result = True
    task_acks_late = True
    worker_prefetch_multiplier = 1
    worker_max_tasks_per_child = 20
    worker_hijack_root_logger = False
    worker_send_task_events = False
    broker_connection_retry_on_startup = True
    # A worker outlives any outage of Redis; a page that queues a job does not wait for one.
    broker_connection_max_retries = None
    broker_transport_options = {
        "visibility_timeout": 3600,
        "socket_connect_timeout": 3,
        "max_retries": 0,
    }
    timezone = "UTC"

    @cached_property
    def broker_url(self) -> str:
        """Return Redis' address; start the embedded server where it is meant."""
        from django.conf import settings

        if not settings.EMBEDDED_REDIS:
            return str(settings.REDIS_URL)
        from infra.servers import ensure_redis

        return ensure_redis(Path(settings.DATA_DIR)).broker_url


app = Celery("juryroom")
app.config_from_object(QueueSettings())
app.autodiscover_tasks(["annotation"], related_name="jobs")


@celeryd_after_setup.connect
def share_cores(instance: Any, **_: Any) -> None:
    """Give each process for jobs its share of the cores, so that they do not fight over them.

    Libraries read this when they are loaded, which happens in these processes alone. Whoever starts
    several workers on one machine sets it.
    """
    share = max(1, (os.cpu_count() or 1) // instance.concurrency)
    os.environ.setdefault("OMP_NUM_THREADS", str(share))


@worker_ready.connect
def start_caretaker(sender: Any, **_: Any) -> None:
    """Run the small loop that shows signs of life and re-sends forgotten jobs."""
    from annotation.caretaker import Caretaker

    sender.app.caretaker = Caretaker(name=sender.hostname)
    sender.app.caretaker.start()


@worker_shutting_down.connect
def stop_caretaker(**_: Any) -> None:
    """Sign off, so that pages know at once."""
    caretaker = getattr(app, "caretaker", None)
    if caretaker:
        caretaker.stop()
