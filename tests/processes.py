"""Real processes of ours beside a test: they get the test's own database and queue."""

import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent


def environment() -> dict[str, str]:
    """Return an environment whose DATABASE_URL is the test database."""
    at = connection.settings_dict
    options = at["OPTIONS"]
    place = urlencode(
        {"host": options.get("host") or at["HOST"], "port": options.get("port") or at["PORT"]}
    )
    password = quote(at["PASSWORD"], safe="")
    url = f"postgresql://{at['USER']}:{password}@/{at['NAME']}?{place}"
    return {**os.environ, "DATABASE_URL": url, "REDIS_URL": settings.REDIS_URL}


def start(*words: str, **more) -> subprocess.Popen[str]:
    """Start Python on the project."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
    return subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, env=environment(), text=True, **pipes
    )


def manage(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a management command to its end."""
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )


def wait_for(is_so, *, seconds: float = 30.0, what: str = "it") -> None:
    """Wait until something is so."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, f"waited too long for {what}"
        time.sleep(0.05)
