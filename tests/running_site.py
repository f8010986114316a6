"""The whole site as `manage.py serve` runs it: a database, a queue and a data folder of its own."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg2

PROJECT = Path(__file__).resolve().parent.parent
SECONDS_TO_STOP = 20


@dataclass
class Site:
    """A site that runs: where it is, and what its processes find in their environment."""

    url: str
    process: "subprocess.Popen[str]"
    environment: dict[str, str]

    def manage(self, *arguments: str) -> str:
        return manage(self.environment, *arguments)


def manage(environment: dict[str, str], *arguments: str) -> str:
    """Run a command (or, with -c or -m, a script) on the site's database; return what it prints."""
    start = arguments if arguments[0] in {"-c", "-m"} else ("manage.py", *arguments)
    done = subprocess.run(
        [sys.executable, *start], cwd=PROJECT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextlib.contextmanager
def new_database(name: str) -> Iterator[str]:
    """Make an empty database on the tests' server; yield its URL."""
    url = os.environ["DATABASE_URL"]
    with contextlib.closing(psycopg2.connect(url)) as connection:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {name}")
            front, sign, back = url.partition("?")
            try:
                yield f"{front.rpartition('/')[0]}/{name}{sign}{back}"
            finally:
                cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextlib.contextmanager
def new_environment(folder: Path, name: str) -> Iterator[dict[str, str]]:
    """Yield an environment with an empty database; without REDIS_URL the site starts its own."""
    with new_database(f"{name}_{os.getpid()}") as url:
        environment = os.environ | {
            "DATABASE_URL": url,
            "JURYROOM_DATA": str(folder / "data of the site"),
            "SECRET_KEY": "a key for this test only, long enough",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        environment.pop("REDIS_URL", None)
        yield environment


@contextlib.contextmanager
def running_site(environment: dict[str, str], *options: str) -> Iterator[Site]:
    """Serve until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", *options],
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield Site(address_of(process), process, environment)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def address_of(process: "subprocess.Popen[str]") -> str:
    said = []
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        if "http://" in line:
            return "http://" + line.partition("http://")[2].strip().rstrip("/")
    raise AssertionError("".join(said))
