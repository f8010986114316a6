"""What a supervisor says about its server, in one file; refuses to show a half-written one."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from infra.embedded.files import write_private

State = Literal["starting", "ready", "failed"]


class EmbeddedServerError(RuntimeError):
    """An embedded server cannot be had; the message is a sentence for the person."""


@dataclass(frozen=True)
class Report:
    """State of one embedded server."""

    state: State
    message: str = ""
    supervisor: int = 0
    server: int = 0
    owner: int = -1
    address: dict[str, str] = field(default_factory=dict)


def write_report(path: Path, report: Report) -> None:
    """Replace the report; only the owner may read it, since it holds the password."""
    write_private(path, json.dumps(asdict(report)))


def read_report(path: Path) -> Report | None:
    """Return the report, or None when no supervisor has written one."""
    try:
        return Report(**json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return None


def is_alive(pid: int) -> bool:
    """Say whether a process with this id exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
