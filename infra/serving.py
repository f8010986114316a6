"""The child processes of `manage.py serve` and its port; refuses to go on when one is gone."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from infra.embedded.processes import die_with_parent, stop

PROJECT = Path(__file__).resolve().parent.parent
FIRST_PORT = 8000
PORTS_TRIED = 50
Steps = tuple[tuple[signal.Signals, float], ...]
POLITE: Steps = ((signal.SIGTERM, 5.0), (signal.SIGKILL, 2.0))
# Celery finishes its job at the first signal and drops it at the second; its row runs again later.
WORKER: Steps = ((signal.SIGTERM, 3.0), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 2.0))


class ChildGoneError(Exception):
    """A child process ended although nobody asked it to; the message says which."""


class PortTakenError(Exception):
    """No port could be had; the message says which one."""


@dataclass(frozen=True)
class Child:
    """A process that we started in a session of its own, and how it is stopped."""

    title: str
    process: "subprocess.Popen[bytes]"
    steps: Steps

    def stop(self) -> None:
        """Stop the process, and whatever it may have left in its session."""
        stop(self.process, self.steps)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)


class Household:
    """All children of one `serve`, started and stopped in order."""

    def __init__(self) -> None:
        self.children: list[Child] = []

    def start(
        self, title: str, arguments: Sequence[str], *, steps: Steps, on_our_death: signal.Signals
    ) -> Child:
        """Start a Python module or script with our interpreter; it does not outlive us."""
        process = subprocess.Popen(  # noqa: S603 -- our own modules
            [sys.executable, *arguments],
            cwd=PROJECT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=die_with_parent(on_our_death),  # noqa: PLW1509 -- no threads here
        )
        child = Child(title, process, steps)
        self.children.append(child)
        return child

    def start_web(self, host: str, port: int, *, processes: int) -> Child:
        """Start the web server."""
        arguments = [
            *("-m", "granian", "--interface", "wsgi", "--no-ws", "--log-level", "warning"),
            *("--host", host, "--port", str(port), "--workers", str(processes)),
            *("--blocking-threads", "4", "--workers-kill-timeout", "2"),
            "config.wsgi:application",
        ]
        return self.start(_("The web server"), arguments, steps=POLITE, on_our_death=signal.SIGTERM)

    def start_worker(self, *, concurrency: int) -> Child:
        """Start the worker that does the long jobs."""
        arguments = [
            # Only JSON is accepted, so the warning about pickles read as root says nothing.
            *("-W", "ignore:You're running the worker with superuser privileges"),
            *("-m", "celery", "--app", "config.celery", "--quiet", "worker"),
            *("--loglevel", "WARNING", "--concurrency", str(concurrency)),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            *("--hostname", f"serve-{os.getpid()}@%h"),
        ]
        return self.start(_("The worker"), arguments, steps=WORKER, on_our_death=signal.SIGQUIT)

    def run(self, title: str, arguments: Sequence[str]) -> int:
        """Run a child to its end and return its status."""
        child = self.start(title, arguments, steps=POLITE, on_our_death=signal.SIGTERM)
        status = child.process.wait()
        self.children.remove(child)
        return status

    def check(self) -> None:
        """Raise when a child is gone."""
        for child in self.children:
            status = child.process.poll()
            if status is not None:
                raise ChildGoneError(
                    _("%(title)s ended by itself (status %(status)s).")
                    % {"title": child.title, "status": status}
                )

    def stop(self) -> None:
        """Stop all children, the first one first."""
        while self.children:
            self.children.pop(0).stop()


def free_port(host: str, wanted: int | None, say: Callable[[str], None]) -> int:
    """Return the wanted port or refuse; with none wanted, the first free one from 8000 on."""
    if wanted is not None:
        if not (_is_free(host, wanted) and _is_ours(wanted)):
            raise PortTakenError(
                _("Port %(port)s on %(host)s is taken. Name another with --port, or none at all.")
                % {"port": wanted, "host": host}
            )
        return wanted
    for port in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        if _is_free(host, port) and _is_ours(port):
            return port
        say(_("Port %(port)s is taken, trying the next one.") % {"port": port})
    raise PortTakenError(_("No free port found. Name one with --port."))


_claims: list[socket.socket] = []


def _is_ours(port: int) -> bool:
    """Claim a port among Juryrooms that start at the same moment; kept until this process ends.

    The web server's processes share their port, so the system would let two servers share one.
    """
    if sys.platform != "linux":
        return True  # names outside the file system are Linux's alone
    claim = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        claim.bind(f"\0juryroom-port-{port}")
    except OSError:
        claim.close()
        return False
    _claims.append(claim)
    return True


def _is_free(host: str, port: int) -> bool:
    family, kind, protocol, _name, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except PermissionError:
            raise PortTakenError(
                _("Only root may use port %(port)s. Name one above 1023 with --port.")
                % {"port": port}
            ) from None
        except OSError:
            return False
    return True


def wait_for_web(household: Household, host: str, port: int, *, seconds: float) -> None:
    """Wait until the web server answers; raise when it ends instead."""
    give_up_at = time.monotonic() + seconds
    while not _answers(reachable(host), port):
        household.check()
        if time.monotonic() > give_up_at:
            raise ChildGoneError(_("The web server does not answer; see its messages above."))
        time.sleep(0.05)


def _answers(host: str, port: int) -> bool:
    """Ask for a sign of life; an answer about the host's name is one too."""
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def reachable(host: str) -> str:
    """Return an address at which a server bound to this one can be asked from here."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 -- compared, not bound
