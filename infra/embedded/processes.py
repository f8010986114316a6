"""Starts and stops child processes; refuses to leave one behind where the system allows it.

On Linux a child gets a signal from the kernel when its parent ends in whatever way. Elsewhere a
parent that is killed outright leaves its children to be found by the next start.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1
ORPHAN_PATIENCE = 60
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent(number: signal.Signals) -> Callable[[], None]:
    """Return what a child runs before its program, so that it gets this signal with our end."""
    parent = os.getpid()

    def ask_kernel() -> None:
        if _libc is None:
            return
        _libc.prctl(PR_SET_PDEATHSIG, int(number))
        if os.getppid() != parent:
            os._exit(1)

    return ask_kernel


def stop(process: "subprocess.Popen[bytes]", steps: Sequence[tuple[signal.Signals, float]]) -> bool:
    """Send each signal and wait that many seconds, until the process has ended."""
    for number, seconds in steps:
        if process.poll() is None:
            process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            return True
    return False


def stop_orphans(folder: Path, *, first: int, number: signal.Signals) -> bool:
    """Stop a server of ours that outlived its supervisor, and wait for all of its processes.

    Its processes are known by their working folder, which is the server's data folder: an id alone
    may belong to anybody by now, and a server may be dead while its children still write.
    """
    if _works_in(first, folder):
        os.kill(first, number)
    for _attempt in range(ORPHAN_PATIENCE * 10):
        if not any(_works_in(pid, folder) for pid in _processes(first)):
            return True
        time.sleep(0.1)
    return False


def _processes(first: int) -> list[int]:
    if sys.platform != "linux":
        return [first]
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _works_in(pid: int, folder: Path) -> bool:
    if pid <= 0:
        return False
    if sys.platform == "linux":
        try:
            return Path(f"/proc/{pid}/cwd").samefile(folder)
        except OSError:
            return False
    command = ["ps", "-o", "command=", "-p", str(pid)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return any(name in found.stdout for name in ("postgres", "redis-server"))
