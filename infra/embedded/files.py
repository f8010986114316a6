"""Private files, folders and locks; refuses symbolic links and folders that others may enter."""

import contextlib
import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path


def make_folder(path: Path, mode: int, owner: tuple[int, int] | None = None) -> None:
    """Make a folder with exactly this mode; one that exists is left as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir()
    except FileExistsError:
        return
    if owner is not None:
        os.chown(path, *owner)
    path.chmod(mode)


def is_private(path: Path, owner: int) -> bool:
    """Say whether this is a real folder of that owner which nobody else may enter."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == owner and not found.st_mode & 0o077


def write_private(path: Path, text: str) -> None:
    """Replace a file as a whole; it belongs to the owner of its folder and to nobody else."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(handle, "w", encoding="utf-8") as file:  # noqa: PTH123 -- wraps the descriptor
        _give_to_owner_of(path.parent, handle)
        file.write(text)
        file.flush()
        os.fsync(handle)
    temporary.replace(path)


def open_private(path: Path, flags: int) -> int:
    """Open a file that only its owner may read, making it where it is missing."""
    made = not path.exists()
    handle = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    if made:
        _give_to_owner_of(path.parent, handle)
    return handle


def try_lock(handle: int, *, exclusive: bool) -> bool:
    """Take the lock on an open file if that is possible at once."""
    try:
        fcntl.flock(handle, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the exclusive lock on a file, waiting for whoever has it."""
    handle = open_private(path, os.O_RDWR)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _give_to_owner_of(folder: Path, handle: int) -> None:
    if os.geteuid() == 0:
        owner = folder.stat()
        os.fchown(handle, owner.st_uid, owner.st_gid)
