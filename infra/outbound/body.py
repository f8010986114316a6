"""Reads the body of an answer in small pieces; refuses more than the limit, packed or unpacked.

A few kilobytes can unpack to gigabytes, so unpacking never makes more than the limit allows,
and only encodings that can be unpacked this way are taken.
"""

import zlib
from collections.abc import Iterable, Iterator

from infra.outbound.errors import OutboundFailed, OutboundRefused, gettext_noop

_PIECE = 64 * 1024
_WINDOW_BITS = {"gzip": 31, "x-gzip": 31, "deflate": 15}
ACCEPTED_ENCODINGS = "gzip, deflate"


def unpacked(pieces: Iterable[bytes], encoding: str, limit: int) -> Iterator[bytes]:
    """Yield the body without its content encoding; raise as soon as it passes `limit` bytes."""
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        yield from _limited(pieces, limit)
    elif encoding in _WINDOW_BITS:
        yield from _limited(_unzipped(_limited(pieces, limit), encoding), limit)
    else:
        raise OutboundRefused(
            gettext_noop("The answer is packed in a way that is not accepted (%(encoding)s)."),
            {"encoding": encoding[:40]},
        )


def _limited(pieces: Iterable[bytes], limit: int) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > limit:
            raise OutboundRefused(
                gettext_noop("The answer is larger than the %(limit)s kB that are accepted."),
                {"limit": limit // 1024},
            )
        yield piece


def _unzipped(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Unpack at most `_PIECE` bytes at a time; a gzip body may have several members."""
    unzip = None
    try:
        for packed in pieces:
            rest = packed
            while rest:
                unzip = unzip or _decompressor(encoding, rest)
                yield from _drained(unzip, rest)
                # Between members, and after the last one, there may be padding.
                rest = unzip.unused_data.lstrip(b"\0")
                unzip = None if unzip.eof else unzip
    except zlib.error as error:
        raise OutboundFailed(
            gettext_noop("The answer is damaged: it cannot be unpacked.")
        ) from error
    if unzip is not None:
        raise OutboundFailed(gettext_noop("The answer broke off before its end."))


def _drained(unzip: "zlib._Decompress", packed: bytes) -> Iterator[bytes]:
    """All that these packed bytes give, piece by piece: a full piece may leave more behind."""
    while not unzip.eof:
        piece = unzip.decompress(packed, _PIECE)
        packed = unzip.unconsumed_tail
        yield piece
        if not packed and len(piece) < _PIECE:
            return


def _decompressor(encoding: str, start: bytes) -> "zlib._Decompress":
    """Some servers send bare deflate where the standard wants it wrapped; the first byte tells."""
    is_bare = encoding == "deflate" and start[0] & 0x0F != 8
    return zlib.decompressobj(-15 if is_bare else _WINDOW_BITS[encoding])
