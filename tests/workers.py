"""Real Celery workers beside a test, each in a process group of its own."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation.models import JobWorker
from tests.processes import start, wait_for


@contextmanager
def running_worker(folder: Path, name: str = "one") -> Iterator[subprocess.Popen[str]]:
    """Run a worker with one process for jobs until the block ends, or somebody kills it."""
    hostname = f"{name}@test"
    options = ("--concurrency", "1", "--loglevel", "INFO", "--without-gossip", "--without-mingle")
    words = ("-m", "celery", "--app", "config.celery", "worker", "--hostname", hostname, *options)
    with (folder / f"{name}.log").open("w+") as log:
        process = start(*words, stdout=log, stderr=log, start_new_session=True)
        try:
            wait_for(JobWorker.objects.filter(name=hostname).exists, what="the worker")
            yield process
        finally:
            end(process)
            JobWorker.objects.filter(name=hostname).delete()


def end(process: subprocess.Popen[str]) -> None:
    """Let a worker go, by force if it will not."""
    if process.poll() is None:
        process.send_signal(signal.SIGQUIT)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        kill(process)


def kill(process: subprocess.Popen[str]) -> None:
    """End a worker and the processes that it has for jobs, at once and unasked."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
