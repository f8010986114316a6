"""Packs a release's files into one ZIP while it is sent; nothing is written, memory stays small."""

import io
import zipfile
from collections.abc import Iterator

from releases.models import Release
from releases.services.making import release_folder

BLOCK = 256 * 1024


class Outgoing(io.RawIOBase):
    """A stream that cannot be wound back, and that keeps what was written until it is taken."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = bytearray()

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def write(self, content: object) -> int:
        """Take bytes."""
        added = bytes(content)  # type: ignore[call-overload]
        self.waiting += added
        return len(added)

    def take(self) -> bytes:
        """Return what was written since it was asked last."""
        taken = bytes(self.waiting)
        self.waiting.clear()
        return taken


def packed(release: Release, folder: str) -> Iterator[bytes]:
    """Yield a ZIP of all files below one folder; stored, since Parquet is packed already."""
    outgoing, place = Outgoing(), release_folder(release)
    made_at = release.created_at.timetuple()[:6]
    with zipfile.ZipFile(outgoing, "w", zipfile.ZIP_STORED) as archive:
        for file in release.files.all():
            entry = zipfile.ZipInfo(f"{folder}/{file.name}", made_at)
            entry.file_size, entry.external_attr = file.size, 0o644 << 16
            with (place / file.name).open("rb") as source, archive.open(entry, "w") as target:
                while block := source.read(BLOCK):
                    target.write(block)
                    yield outgoing.take()
    yield outgoing.take()
