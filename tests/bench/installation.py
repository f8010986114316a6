"""An installation of its own: commands, and the server as shipped."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil

ROOT = Path(__file__).resolve().parents[2]
MANAGE = [sys.executable, str(ROOT / "manage.py")]
PATIENCE_SECONDS = 120.0
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass
class Served:
    """A running server."""

    url: str
    process: subprocess.Popen[str]
    seconds_to_start: float

    def web_processes(self) -> list[psutil.Process]:
        """Return the processes that answer requests."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        return [child for child in children if "granian" in " ".join(child.cmdline())]


@dataclass
class Installation:
    """Juryroom on a data folder."""

    data: Path

    def environment(self) -> dict[str, str]:
        unset = {"DATABASE_URL", "REDIS_URL"}
        kept = {name: value for name, value in os.environ.items() if name not in unset}
        return kept | {"JURYROOM_DATA": str(self.data)}

    def command(self, *words: str) -> dict[str, Any]:
        """Run a command and return its facts, with its seconds and its largest memory."""
        started = time.monotonic()
        process = subprocess.Popen(
            [*MANAGE, *words, "--json"],
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        most = largest_memory(process)
        assert process.stdout
        facts: dict[str, Any] = json.loads(process.stdout.read())
        return facts | {"seconds": time.monotonic() - started, "most_megabytes": most}

    @contextmanager
    def served(self, *words: str) -> Iterator[Served]:
        """Run `manage.py serve` until the block ends."""
        started = time.monotonic()
        process = subprocess.Popen(
            [*MANAGE, "serve", *words],
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            url = address_of(process)
            yield Served(url, process, time.monotonic() - started)
        finally:
            process.terminate()  # a bench in the background ignores interrupts
            process.wait(PATIENCE_SECONDS)


def address_of(process: subprocess.Popen[str]) -> str:
    """Return the address that a server prints when it is up."""
    assert process.stdout
    for line in process.stdout:
        found = re.search(r"http://\S+", line)
        if found:
            return found.group().rstrip("/")
    raise RuntimeError("The server ended before it was up.")


def largest_memory(process: subprocess.Popen[str]) -> float:
    """Watch a process until it ends; return its largest resident memory in megabytes."""
    watched, most = psutil.Process(process.pid), 0
    while process.poll() is None:
        try:
            most = max(most, watched.memory_info().rss)
        except psutil.Error:
            break
        time.sleep(0.05)
    return most / 1024**2


def sign_in(url: str, username: str, password: str) -> httpx.Client:
    """Return a client that went through the sign-in page."""
    client = httpx.Client(base_url=url, follow_redirects=True, timeout=30)
    token = form_token(client.get("/accounts/login/"))
    answer = client.post(
        "/accounts/login/",
        data={"login": username, "password": password, "csrfmiddlewaretoken": token},
        headers={"Referer": f"{url}/accounts/login/"},
    )
    answer.raise_for_status()
    return client


def form_token(page: httpx.Response) -> str:
    """Return the token that a page's form must send back."""
    found = TOKEN.search(page.text)
    assert found, "The page has no form."
    return found.group(1)
