"""Whom the embedded servers run as: ourselves, or an unprivileged user when we are root."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.embedded.report import EmbeddedServerError

UNPRIVILEGED = "nobody"


@dataclass(frozen=True)
class Account:
    """A user of the operating system; `switched` when it is not the one that we run as."""

    uid: int
    gid: int
    switched: bool

    @property
    def owner(self) -> tuple[int, int] | None:
        """User and group for what we make on its behalf."""
        return (self.uid, self.gid) if self.switched else None

    def run_as(self) -> dict[str, Any]:
        """Return the arguments of `subprocess` that start a program as this user."""
        if not self.switched:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def can_enter(self, folder: Path) -> bool:
        """Try to enter a folder as this user."""
        if not self.switched:
            return os.access(folder, os.X_OK)
        return self._succeeds(["/bin/sh", "-c", 'cd "$1"', "sh", str(folder)])

    def can_run(self, program: Path) -> bool:
        """Try to run a program as this user."""
        return self._succeeds([str(program), "--version"])

    def _succeeds(self, command: list[str]) -> bool:
        try:
            tried = subprocess.run(  # noqa: S603 -- a shell's `cd` or the binary of a wheel
                command,
                cwd="/",
                check=False,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                **self.run_as(),
            )
        except OSError:
            return False
        return tried.returncode == 0


def account_for(data: Path) -> Account:
    """Return the owner of an existing data folder, else ourselves, or `nobody` when we are root."""
    owner = data.stat() if data.exists() else None
    if os.geteuid() != 0:
        if owner is not None and owner.st_uid != os.geteuid():
            raise EmbeddedServerError(
                f"{data} belongs to {_name(owner.st_uid)}. Run this as that user or as root, or "
                "name another folder in JURYROOM_DATA."
            )
        return Account(os.geteuid(), os.getegid(), switched=False)
    if owner is not None and owner.st_uid != 0:
        return Account(owner.st_uid, owner.st_gid, switched=True)
    return _unprivileged()


def _unprivileged() -> Account:
    try:
        entry = pwd.getpwnam(UNPRIVILEGED)
    except KeyError:
        raise EmbeddedServerError(
            f"PostgreSQL does not run as root, and this system has no user “{UNPRIVILEGED}”. "
            "Run this as an ordinary user."
        ) from None
    account = Account(entry.pw_uid, entry.pw_gid, switched=True)
    if not account.can_enter(Path("/")):
        raise EmbeddedServerError(
            f"PostgreSQL does not run as root, and root may not become “{UNPRIVILEGED}” here. "
            "Run this as an ordinary user."
        )
    return account


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
