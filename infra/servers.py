"""Finds the embedded PostgreSQL and Redis of a data folder, or starts them; refuses half an answer.

Whoever calls uses the servers from then on: a shared lock is held until the process ends, however
it ends, and its forked children hold it too. The servers stop by themselves a second after their
last user. Django is not needed here.
"""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from infra.embedded.files import is_private, locked, open_private, try_lock
from infra.embedded.places import Desk, home_of
from infra.embedded.report import EmbeddedServerError, Report, is_alive, read_report

__all__ = [
    "Addresses",
    "DatabaseAddress",
    "EmbeddedServerError",
    "RedisAddress",
    "ensure_database",
    "ensure_redis",
    "ensure_servers",
    "find_redis",
    "home_of",
    "lost_servers",
    "stop_using",
]

PROJECT = Path(__file__).resolve().parent.parent
SECONDS_BEFORE_WORDS = 2.0


@dataclass(frozen=True)
class DatabaseAddress:
    """Where PostgreSQL listens, and as whom to come."""

    host: str
    port: str
    name: str
    user: str
    password: str = field(repr=False)

    @property
    def url(self) -> str:
        """The same as a DATABASE_URL; a host before the slash would lose its capital letters."""
        host, password = quote(self.host, safe=""), quote(self.password, safe="")
        return f"postgresql://{self.user}:{password}@/{self.name}?host={host}&port={self.port}"


@dataclass(frozen=True)
class RedisAddress:
    """Where Redis listens; its two kinds of clients spell a socket differently."""

    socket: str
    password: str = field(repr=False)

    @property
    def broker_url(self) -> str:
        """As Celery takes it."""
        return f"redis+socket://:{quote(self.password, safe='')}@{self.socket}?virtual_host=0"


@dataclass(frozen=True)
class Addresses:
    """Both servers."""

    database: DatabaseAddress
    redis: RedisAddress


_used: dict[Desk, int] = {}


def ensure_servers(root: Path, *, durable: bool = True) -> Addresses:
    """Return both servers' addresses; they start side by side where they do not run."""
    database, redis = _ensure(root, ("postgres", "redis"), durable=durable)
    return Addresses(DatabaseAddress(**database.address), RedisAddress(**redis.address))


def ensure_database(root: Path, *, durable: bool = True) -> DatabaseAddress:
    """Return the address of PostgreSQL alone."""
    (report,) = _ensure(root, ("postgres",), durable=durable)
    return DatabaseAddress(**report.address)


def ensure_redis(root: Path, *, durable: bool = True) -> RedisAddress:
    """Return the address of Redis alone."""
    (report,) = _ensure(root, ("redis",), durable=durable)
    return RedisAddress(**report.address)


def find_redis(root: Path) -> RedisAddress | None:
    """Return the address of Redis where it runs; unlike `ensure_redis`, never start it."""
    report = read_report(Desk(root.resolve(), "redis").report)
    return RedisAddress(**report.address) if report and _is_running(report) else None


def lost_servers() -> list[str]:
    """Name the servers that this process uses and that no longer run."""
    return [desk.name for desk in _used if not _is_running(read_report(desk.report))]


def stop_using(*, patience: float) -> list[str]:
    """Give up this process's use, wait for the servers to stop, and name those that go on."""
    desks = list(_used)
    for desk in desks:
        os.close(_used.pop(desk))
    give_up_at = time.monotonic() + patience
    while (running := [d for d in desks if _is_supervised(d)]) and time.monotonic() < give_up_at:
        time.sleep(0.05)
    return [desk.name for desk in running]


def _ensure(root: Path, names: tuple[str, ...], *, durable: bool) -> list[Report]:
    desks = [Desk(root.resolve(), name) for name in names]
    with contextlib.ExitStack() as starting:
        for desk in desks:
            desk.prepare()
            _use(desk)
            starting.enter_context(locked(desk.starting))
            if not _is_supervised(desk):
                _start_supervisor(desk, durable=durable)
        return [_wait_until_ready(desk) for desk in desks]


def _use(desk: Desk) -> None:
    """Take our share in the lock; while a supervisor stops its server, wait for that."""
    if desk in _used:
        return
    handle = open_private(desk.users, os.O_RDWR)
    for _attempt in _patiently(f"{desk.name} is being stopped; waiting for that …"):
        if try_lock(handle, exclusive=False):
            break
    if _used.setdefault(desk, handle) != handle:
        os.close(handle)  # another thread of ours was faster


def _is_supervised(desk: Desk) -> bool:
    handle = open_private(desk.supervisor, os.O_RDWR)
    try:
        return not try_lock(handle, exclusive=True)
    finally:
        os.close(handle)


def _start_supervisor(desk: Desk, *, durable: bool) -> None:
    desk.report.unlink(missing_ok=True)
    options = [] if durable else ["--throw-away"]
    log = open_private(desk.supervisor_log, os.O_WRONLY | os.O_APPEND)
    try:
        started = subprocess.run(
            [sys.executable, "-m", "infra.supervisor", desk.name, str(desk.root), *options],
            cwd=PROJECT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            check=False,
        )
    finally:
        os.close(log)
    if started.returncode:
        raise EmbeddedServerError(
            f"The supervisor of {desk.name} could not start; {desk.supervisor_log} says why."
        )


def _wait_until_ready(desk: Desk) -> Report:
    for say in _patiently():
        report = read_report(desk.report)
        if report and report.state == "failed":
            raise EmbeddedServerError(report.message)
        if report and report.state == "ready":
            _check_sockets(report)
            return report
        if not _is_supervised(desk):
            break
        if say and report and report.message:
            sys.stderr.write(f"{report.message}\n")
    raise EmbeddedServerError(
        f"The supervisor of {desk.name} ended without a word; see {desk.supervisor_log}."
    )


def _check_sockets(report: Report) -> None:
    """Trust a socket only in a folder that nobody but the server's user may write to."""
    address = report.address
    folder = Path(address["host"]) if "host" in address else Path(address["socket"]).parent
    if not is_private(folder, report.owner):
        raise EmbeddedServerError(
            f"The folder of the embedded servers' sockets, {folder}, is not there or not private. "
            f"Stop process {report.supervisor} and try again."
        )


def _is_running(report: Report | None) -> bool:
    return report is not None and report.state == "ready" and is_alive(report.supervisor)


def _patiently(words: str = "") -> Iterator[bool]:
    """Yield at short intervals; True once, when a person would wonder what takes so long."""
    speak_at = time.monotonic() + SECONDS_BEFORE_WORDS
    spoken = False
    while True:
        speak = not spoken and time.monotonic() > speak_at
        spoken = spoken or speak
        if speak and words:
            sys.stderr.write(f"{words}\n")
        yield speak
        time.sleep(0.02)
