"""The embedded PostgreSQL: sets up its folder, starts it, knows when it is ready, stops it.

It listens on a private unix socket and on no network address, asks for a password, and writes a
commit to the disk before it confirms it. Refuses a folder of another major version.
"""

import secrets
import shutil
import signal
import subprocess
from pathlib import Path
from typing import IO

from infra.embedded.accounts import Account
from infra.embedded.binaries import POSTGRES, program_of
from infra.embedded.files import make_folder, write_private
from infra.embedded.places import Site
from infra.embedded.processes import die_with_parent, stop, stop_orphans
from infra.embedded.report import EmbeddedServerError

MAJOR = "18"
NAME = "juryroom"
PORT = "5432"
ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"}
PREFERENCES = {
    "listen_addresses": "",
    "port": PORT,
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "max_wal_size": "1GB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # Statements and details would carry texts of posts and password hashes into the log.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
QUIETLY = "-c client_min_messages=error"
# For servers whose data are thrown away. Vacuum would find no row of a test, which are never
# committed, and have plans made as for empty tables.
IN_A_HURRY = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
}
HOST_RULES = "local all all scram-sha-256\n"
FAST_STOP = ((signal.SIGINT, 60.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 5.0))


class Postgres:
    """One cluster in one folder, owned by the superuser and database `juryroom`."""

    title = "PostgreSQL"

    def __init__(self, site: Site) -> None:
        self.site = site
        self.account: Account = site.account
        self.program = program_of(POSTGRES, site.account, site.home)
        self.sockets = site.socket_folder()
        self.first_message = ""

    def prepare(self) -> None:
        """Set up the folder where there is none, and clear away what a crash left behind."""
        if not self.site.data.exists():
            self._set_up()
        self._check_version()
        if (self.site.data / "postmaster.pid").exists():
            self.first_message = "PostgreSQL recovers after it was not stopped cleanly …"
            self._stop_orphan()
        if not self.site.password_file.exists():
            self._set_password(self.site.data)

    def start(self, log: IO[bytes]) -> "subprocess.Popen[bytes]":
        """Start the server as our child; it stops quickly and cleanly when we are killed."""
        preferences = PREFERENCES | {"unix_socket_directories": str(self.sockets)}
        if not self.site.durable:
            preferences |= IN_A_HURRY
        options = [word for pair in preferences.items() for word in ("-c", "=".join(pair))]
        return subprocess.Popen(  # noqa: S603 -- the binary of a wheel
            [str(self.program), "-D", str(self.site.data), *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env=ENVIRONMENT,
            umask=0o077,
            preexec_fn=die_with_parent(signal.SIGINT),  # noqa: PLW1509 -- no threads here
            **self.account.run_as(),
        )

    def is_ready(self, process: "subprocess.Popen[bytes]") -> bool:
        """Read the state from the server's own file; recovery may take its time."""
        try:
            lines = (self.site.data / "postmaster.pid").read_text("utf-8").splitlines()
        except FileNotFoundError:
            return False
        return len(lines) > 7 and lines[0] == str(process.pid) and lines[7].strip() == "ready"

    def finish(self) -> None:
        """Make sure that the database has vectors; everything else depends on it."""
        tried = subprocess.run(  # noqa: S603 -- the binary of a wheel
            [
                *(str(self.program.with_name("psql")), "--no-psqlrc", "--quiet"),
                *("--host", str(self.sockets), "--port", PORT, "--username", NAME),
                *("--dbname", NAME, "--command", "CREATE EXTENSION IF NOT EXISTS vector"),
            ],
            capture_output=True,
            check=False,
            cwd="/",
            env=ENVIRONMENT | {"PGPASSWORD": self._password(), "PGOPTIONS": QUIETLY},
            **self.account.run_as(),
        )
        if tried.returncode:
            said = tried.stderr.decode("utf-8", "replace").strip()
            raise EmbeddedServerError(f"PostgreSQL cannot make its extension “vector”: {said}")

    def stop(self, process: "subprocess.Popen[bytes]") -> None:
        """Stop the server and wait for it."""
        stop(process, FAST_STOP)

    def address(self) -> dict[str, str]:
        """Return what a client needs."""
        return {
            "host": str(self.sockets),
            "port": PORT,
            "name": NAME,
            "user": NAME,
            "password": self._password(),
        }

    def _password(self) -> str:
        return self.site.password_file.read_text("utf-8")

    def _set_up(self) -> None:
        """Make a complete cluster aside and move it into place at once."""
        aside = self.site.home / "postgres.incomplete"
        shutil.rmtree(aside, ignore_errors=True)
        make_folder(aside, 0o700, self.account.owner)
        self._run(
            self.program.with_name("initdb"),
            *("--pgdata", str(aside), "--username", NAME, "--auth", "reject"),
            *("--encoding", "UTF8", "--locale", "C"),
            *("--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"),
            *(() if self.site.durable else ("--no-sync",)),
        )
        (aside / "pg_hba.conf").write_text(HOST_RULES)
        self._set_password(aside)
        self._single(aside, f"CREATE DATABASE {NAME}")
        aside.rename(self.site.data)

    def _set_password(self, data: Path) -> None:
        """Give the superuser a new password; needs no other, since the server is not running."""
        password = secrets.token_urlsafe(24)
        self._single(data, f"ALTER ROLE {NAME} PASSWORD '{password}'")
        write_private(self.site.password_file, password)

    def _single(self, data: Path, statement: str) -> None:
        self._run(self.program, "--single", "-D", str(data), "postgres", said=statement)

    def _run(self, program: Path, *arguments: str, said: str = "") -> None:
        tried = subprocess.run(  # noqa: S603 -- the binary of a wheel
            [str(program), *arguments],
            input=f"{said}\n".encode(),
            capture_output=True,
            check=False,
            cwd="/",
            env=ENVIRONMENT,
            **self.account.run_as(),
        )
        trouble = tried.stderr.decode("utf-8", "replace")
        if tried.returncode or "ERROR:" in trouble:
            with self.site.desk.log.open("a", encoding="utf-8") as log:
                log.write(trouble)
            raise EmbeddedServerError(
                f"PostgreSQL's folder {self.site.data} could not be set up; {self.site.desk.log} "
                "says why."
            )

    def _check_version(self) -> None:
        version = (self.site.data / "PG_VERSION").read_text("utf-8").strip()
        if version != MAJOR:
            raise EmbeddedServerError(
                f"{self.site.data} was made by PostgreSQL {version}, this is {MAJOR}. Dump it with "
                "the old version and restore it with this one."
            )

    def _stop_orphan(self) -> None:
        """Stop a server that outlived its supervisor; drop a lock file that names somebody else.

        PostgreSQL refuses to start when any process of its user has the recorded id, which after
        a restart of the machine or a container can be anybody.
        """
        lock = self.site.data / "postmaster.pid"
        pid = int(lock.read_text("utf-8").split("\n", 1)[0] or 0)
        if not stop_orphans(self.site.data, first=pid, number=signal.SIGINT):
            raise EmbeddedServerError(
                f"A PostgreSQL of an earlier start (process {pid}) does not stop; "
                f"{self.site.desk.log} says what it does."
            )
        lock.unlink(missing_ok=True)
        for socket in self.sockets.glob(".s.PGSQL.*"):
            socket.unlink()
