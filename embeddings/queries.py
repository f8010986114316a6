"""Reads stored vectors in blocks; refuses a key whose vectors differ in length."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from embeddings.binary import unpack_numbered


@dataclass(frozen=True)
class Key:
    """Which vectors are meant: encoder, its real revision, and pooling."""

    encoder: str
    revision: str
    pooling: str


def stored_positions(key: Key, hashes: Sequence[bytes]) -> set[int]:
    """Return the positions in `hashes` that have a vector, without reading any."""
    query = """
        SELECT wanted.position - 1
        FROM unnest(%s::bytea[]) WITH ORDINALITY AS wanted(text_hash, position)
        JOIN embeddings_storedembedding AS stored USING (text_hash)
        WHERE stored.encoder = %s AND stored.revision = %s AND stored.pooling = %s
    """
    with connection.cursor() as cursor:
        cursor.execute(query, [list(hashes), key.encoder, key.revision, key.pooling])
        return {position for (position,) in cursor}


def stored_vectors(
    key: Key, hashes: Sequence[bytes]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the positions in `hashes` that have a vector, ascending, and their vectors (m, d)."""
    query = """
        SELECT wanted.position - 1, stored.vector
        FROM unnest(%s::bytea[]) WITH ORDINALITY AS wanted(text_hash, position)
        JOIN embeddings_storedembedding AS stored USING (text_hash)
        WHERE stored.encoder = %s AND stored.revision = %s AND stored.pooling = %s
        ORDER BY wanted.position
    """
    answer = io.BytesIO()
    with connection.cursor() as cursor:
        bound = cursor.mogrify(query, [list(hashes), key.encoder, key.revision, key.pooling])
        cursor.copy_expert(f"COPY ({bound.decode()}) TO STDOUT (FORMAT BINARY)", answer)
    return unpack_numbered(answer.getbuffer())
