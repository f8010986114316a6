"""The embedded Redis: starts it on a private unix socket, knows when it is ready, stops it.

It asks for a password and appends every change to a file, so that queued jobs survive. Its settings
come through standard input: no password stands on a command line.
"""

import secrets
import signal
import socket
import subprocess
from typing import IO

from infra.embedded.accounts import Account
from infra.embedded.binaries import REDIS, program_of
from infra.embedded.files import make_folder, write_private
from infra.embedded.places import Site
from infra.embedded.processes import die_with_parent, stop, stop_orphans
from infra.embedded.report import EmbeddedServerError

SOCKET = "redis.sock"
PID_FILE = "redis.pid"
SETTINGS = """
port 0
unixsocket {socket}
unixsocketperm 700
requirepass {password}
pidfile {pid_file}
daemonize no
databases 16
save ""
appendonly {durable}
appendfsync everysec
maxmemory-policy noeviction
"""
STEPS = ((signal.SIGTERM, 30.0), (signal.SIGKILL, 5.0))


class Redis:
    """One Redis in one folder."""

    title = "Redis"

    def __init__(self, site: Site) -> None:
        self.site = site
        self.account: Account = site.account
        self.program = program_of(REDIS, site.account, site.home)
        self.sockets = site.socket_folder()
        self.first_message = ""

    def prepare(self) -> None:
        """Make folder and password, and stop a server that outlived its supervisor."""
        make_folder(self.site.data, 0o700, self.account.owner)
        if not self.site.password_file.exists():
            write_private(self.site.password_file, secrets.token_urlsafe(24))
        pid_file = self.site.data / PID_FILE
        pid = int(pid_file.read_text("utf-8") or 0) if pid_file.exists() else 0
        if pid and not stop_orphans(self.site.data, first=pid, number=signal.SIGTERM):
            raise EmbeddedServerError(
                f"A Redis of an earlier start (process {pid}) does not stop; "
                f"{self.site.desk.log} says what it does."
            )
        pid_file.unlink(missing_ok=True)
        (self.sockets / SOCKET).unlink(missing_ok=True)

    def start(self, log: IO[bytes]) -> "subprocess.Popen[bytes]":
        """Start the server as our child; it saves and stops when we are killed."""
        process = subprocess.Popen(  # noqa: S603 -- the binary of a wheel
            [str(self.program), "-"],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            cwd=self.site.data,
            env={"PATH": "/usr/bin:/bin"},
            umask=0o077,
            preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509 -- no threads here
            **self.account.run_as(),
        )
        assert process.stdin is not None
        process.stdin.write(self._settings().encode())
        process.stdin.close()
        return process

    def is_ready(self, process: "subprocess.Popen[bytes]") -> bool:
        """Ask for a PONG; while it loads its file the server answers with something else."""
        try:
            with socket.socket(socket.AF_UNIX) as line:
                line.settimeout(5)
                line.connect(str(self.sockets / SOCKET))
                line.sendall(f"AUTH {self._password()}\r\nPING\r\n".encode())
                said = b""
                while said.count(b"\r\n") < 2:  # one answer for each command
                    said += line.recv(1024) or b"\r\n\r\n"
        except OSError:
            return False
        return b"+PONG" in said

    def finish(self) -> None:
        """Nothing else is needed."""

    def stop(self, process: "subprocess.Popen[bytes]") -> None:
        """Let the server write its file and wait for it."""
        stop(process, STEPS)

    def address(self) -> dict[str, str]:
        """Return what a client needs."""
        return {"socket": str(self.sockets / SOCKET), "password": self._password()}

    def _password(self) -> str:
        return self.site.password_file.read_text("utf-8")

    def _settings(self) -> str:
        return SETTINGS.format(
            socket=self.sockets / SOCKET,
            password=self._password(),
            pid_file=PID_FILE,
            durable="yes" if self.site.durable else "no",
        )
