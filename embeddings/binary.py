"""Vectors in PostgreSQL's binary COPY form, to and from numpy; refuses vectors of mixed length.

Pure. All rows of a block have one size, so the block is one structured array and no row is touched
in Python. The text form of a vector is read and written some twenty times slower.
"""

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_HEADER = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)  # no flags, nothing more to follow
_TRAILER = struct.pack(">h", -1)
_VECTOR_PREFIX = [("bytes", ">i4"), ("dimensions", ">i2"), ("unused", ">i2")]
_POSITION_PREFIX = [("fields", ">i2"), ("size", ">i4"), ("position", ">i8"), *_VECTOR_PREFIX]


def pack_hashed(hashes: Sequence[bytes], vectors: NDArray[np.float32]) -> bytes:
    """Write rows of (hash as bytea, vector as halfvec) for COPY … FROM STDIN."""
    width, dimensions = len(hashes[0]), vectors.shape[1]
    row = np.dtype(
        [
            *(("fields", ">i2"), ("size", ">i4"), ("hash", f"V{width}")),
            *_VECTOR_PREFIX,
            ("vector", ">f2", (dimensions,)),
        ]
    )
    rows = np.zeros(len(hashes), dtype=row)
    rows["fields"], rows["size"] = 2, width
    rows["hash"] = np.frombuffer(b"".join(hashes), dtype=f"V{width}")
    rows["bytes"], rows["dimensions"] = 4 + 2 * dimensions, dimensions
    rows["vector"] = vectors
    return b"".join((_HEADER, rows.tobytes(), _TRAILER))


def unpack_numbered(answer: memoryview) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Read rows of (bigint, halfvec) from COPY … TO STDOUT: the numbers (m,) and vectors (m, d)."""
    rows_bytes = len(answer) - len(_HEADER) - len(_TRAILER)
    if rows_bytes == 0:
        return np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.float32)
    first = np.frombuffer(answer, np.dtype(_POSITION_PREFIX), count=1, offset=len(_HEADER))[0]
    dimensions = int(first["dimensions"])
    row = np.dtype([*_POSITION_PREFIX, ("vector", ">f2", (dimensions,))])
    if rows_bytes % row.itemsize:
        raise ValueError("stored vectors of one encoder differ in length")
    count = rows_bytes // row.itemsize
    rows = np.frombuffer(answer, row, count=count, offset=len(_HEADER))
    if not (rows["dimensions"] == dimensions).all():
        raise ValueError("stored vectors of one encoder differ in length")
    return rows["position"].astype(np.int64), rows["vector"].astype(np.float32)
