"""`python -m infra.supervisor NAME ROOT`: owns one embedded server as long as somebody uses it.

Every process that uses the server holds a shared lock on one file for as long as it lives, in
whatever way it ends. Once a second the supervisor tries to take that lock for itself; when it gets
it nobody is left, and it stops the server and itself. It restarts nothing: a server that ends by
itself is reported.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType
from typing import IO, Protocol

from infra.embedded.files import open_private, try_lock
from infra.embedded.places import Desk, Site, settle
from infra.embedded.postgres import Postgres
from infra.embedded.redis_server import Redis
from infra.embedded.report import EmbeddedServerError, Report, write_report

SECONDS_TO_START = 600
LARGEST_LOG = 10 * 1024 * 1024


class Server(Protocol):
    """What the supervisor needs to know of a server."""

    title: str
    first_message: str
    sockets: Path

    def __init__(self, site: Site) -> None: ...
    def prepare(self) -> None: ...
    def start(self, log: IO[bytes]) -> "subprocess.Popen[bytes]": ...
    def is_ready(self, process: "subprocess.Popen[bytes]") -> bool: ...
    def finish(self) -> None: ...
    def stop(self, process: "subprocess.Popen[bytes]") -> None: ...
    def address(self) -> dict[str, str]: ...


SERVERS: dict[str, type[Server]] = {"postgres": Postgres, "redis": Redis}


class Supervisor:
    """One server's life, from its start to its last user."""

    def __init__(self, desk: Desk, *, durable: bool) -> None:
        self.desk = desk
        self.durable = durable
        self.asked_to_stop = False

    def run(self) -> None:
        """Start the server, wait for its last user, stop it; report every state."""
        try:
            self._report(Report("starting"))
            site = settle(self.desk, durable=self.durable)
            server = SERVERS[self.desk.name](site)
            try:
                self._serve(server, site)
            finally:
                site.tidy()
        except EmbeddedServerError as reason:
            self._report(Report("failed", str(reason)))
        except Exception as fault:
            sentence = f"{fault.__class__.__name__}: {fault}. See {self.desk.supervisor_log}."
            self._report(Report("failed", f"The embedded server could not be started. {sentence}"))
            raise

    def _serve(self, server: Server, site: Site) -> None:
        self._say(f"{server.title} is being prepared …")
        server.prepare()
        with os.fdopen(self._open_log(), "ab") as log:
            process = server.start(log)
        try:
            self._wait_until_ready(server, process)
            server.finish()
            self._report(
                Report(
                    "ready",
                    supervisor=os.getpid(),
                    server=process.pid,
                    owner=site.account.uid,
                    address=server.address(),
                )
            )
            self._wait_for_last_user(server, process)
            self.desk.report.unlink(missing_ok=True)
        finally:
            server.stop(process)

    def _wait_until_ready(self, server: Server, process: "subprocess.Popen[bytes]") -> None:
        self._say(server.first_message or f"{server.title} starts …")
        give_up_at = time.monotonic() + SECONDS_TO_START
        while not server.is_ready(process):
            if process.poll() is not None:
                raise EmbeddedServerError(
                    f"{server.title} ended while it started; {self.desk.log} says why."
                )
            if self.asked_to_stop or time.monotonic() > give_up_at:
                raise EmbeddedServerError(
                    f"{server.title} was not ready in time; {self.desk.log} says what it did."
                )
            time.sleep(0.02)

    def _wait_for_last_user(self, server: Server, process: "subprocess.Popen[bytes]") -> None:
        """Return when nobody uses the server, holding the lock that keeps new users waiting."""
        users = open_private(self.desk.users, os.O_RDWR)
        while not self.asked_to_stop and not try_lock(users, exclusive=True):
            try:
                process.wait(1)
            except subprocess.TimeoutExpired:
                continue
            raise EmbeddedServerError(f"{server.title} ended by itself; {self.desk.log} says why.")

    def _open_log(self) -> int:
        log = self.desk.log
        if log.exists() and log.stat().st_size > LARGEST_LOG:
            log.replace(log.with_suffix(".1.log"))
        return open_private(log, os.O_WRONLY | os.O_APPEND)

    def _say(self, message: str) -> None:
        self._report(Report("starting", message, supervisor=os.getpid()))

    def _report(self, report: Report) -> None:
        write_report(self.desk.report, report)

    def stop_soon(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal: end the waiting."""
        self.asked_to_stop = True


def main(name: str, root: str, *options: str) -> None:
    """Become a background process that holds the supervisor's lock, and supervise."""
    desk = Desk(Path(root), name)
    lock = open_private(desk.supervisor, os.O_RDWR)
    if not try_lock(lock, exclusive=True):
        sys.exit(f"A supervisor of {name} in {root} is running.")
    supervisor = Supervisor(desk, durable="--throw-away" not in options)
    # The caller waits for the process that it started; the work is done by a child of nobody.
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGTERM, supervisor.stop_soon)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    supervisor.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
