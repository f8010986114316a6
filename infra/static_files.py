"""Collects static files when they have changed; refuses to do it at every start."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def collect_if_changed() -> None:
    """Collect what the web server serves, unless the last collection was of the same files."""
    root = Path(settings.STATIC_ROOT)
    stamp = root.with_name(f"{root.name}.stamp")
    now = _fingerprint()
    if root.is_dir() and stamp.exists() and stamp.read_text("utf-8") == now:
        return
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(now, "utf-8")


def _fingerprint() -> str:
    """Digest names, sizes and times of all static files, and how they are stored."""
    digest = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for finder in get_finders():
        for name, storage in sorted(finder.list([]), key=lambda found: found[0]):
            found = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{found.st_size}\0{found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
