"""Gives texts their vectors, each computed once for all; refuses what cannot be stored truly.

What is returned is what the table holds, in its precision: a first run and a later one, on this
machine or another, get the same numbers.
"""

import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import numpy as np
from django.db import connection, transaction
from django.utils.translation import gettext
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from embeddings import encoders
from embeddings.binary import pack_hashed
from embeddings.queries import Key, stored_positions, stored_vectors
from infra.jobs import JobRefused

_READ_BLOCK = 4096
_ENCODE_BLOCK = 256
_LARGEST_HALF = 65_504.0

Progress = Callable[[int, int], None]
Vectors = NDArray[np.float32]


class EmbeddingRefused(JobRefused):
    """Texts that cannot be given vectors; the message is a translated sentence with advice."""


def embed_texts(
    *,
    texts: Sequence[str],
    encoder: str,
    revision: str,
    pooling: encoders.Pooling,
    progress: Progress,
) -> Vectors:
    """Return one vector per text, (n, d), in the order of the texts.

    Vectors that are stored are read; the others are computed and stored block by block, so what a
    cancelled run has done stays done. `progress` gets (done, total) of different texts and may
    raise to stop.
    """
    with _in_words():
        return _embed(texts, _Source(encoder, revision, pooling), progress)


def texts_without_vectors(
    *, texts: Sequence[str], encoder: str, revision: str, pooling: encoders.Pooling
) -> list[int]:
    """Return the positions of the texts that have no vector yet, ascending."""
    with _in_words():
        source = _Source(encoder, revision, pooling)
    return source.missing(texts)


def spool_vectors(
    *,
    blocks: Iterable[Sequence[str]],
    count: int,
    encoder: str,
    revision: str,
    pooling: encoders.Pooling,
    progress: Progress,
    spool: Path,
) -> NDArray[np.float16]:
    """Return the stored vectors of `count` texts, (count, d), as a map of a .npy file.

    Texts come in blocks, so neither they nor their vectors are ever in memory together. Refuses a
    text without a vector.
    """
    with _in_words():
        source = _Source(encoder, revision, pooling)
    rows, start = np.empty((0, 0), dtype=np.float16), 0
    for texts in blocks:
        found, vectors = source.stored(texts)
        if len(found) != len(texts):
            raise EmbeddingRefused(_("Some texts have no vector any more. Try the job again."))
        if not start:
            shape = (count, vectors.shape[1])
            rows = np.lib.format.open_memmap(spool, mode="w+", dtype=np.float16, shape=shape)
        rows[start : start + len(texts)] = vectors
        start += len(texts)
        progress(start, count)
    return rows


@contextmanager
def _in_words() -> Iterator[None]:
    """Turn what is wrong with an encoder into a translated sentence."""
    try:
        yield
    except encoders.EncoderError as error:
        raise EmbeddingRefused(gettext(error.template) % error.values) from error


def _embed(texts: Sequence[str], source: "_Source", progress: Progress) -> Vectors:
    distinct = list(dict.fromkeys(texts))
    number_of = {text: number for number, text in enumerate(distinct)}
    numbers = np.fromiter((number_of[text] for text in texts), dtype=np.int64, count=len(texts))
    progress(0, len(distinct))
    rows: Vectors | None = None
    for start in range(0, len(distinct), _READ_BLOCK):
        block = source.vectors(
            distinct[start : start + _READ_BLOCK], start, len(distinct), progress
        )
        if rows is None:
            rows = np.empty((len(texts), block.shape[1]), dtype=np.float32)
        here = (numbers >= start) & (numbers < start + len(block))
        rows[here] = block[numbers[here] - start]
    return np.empty((0, 0), dtype=np.float32) if rows is None else rows


class _Source:
    """Stored vectors of one encoder, which is loaded only when one of them is missing."""

    def __init__(self, encoder: str, revision: str, pooling: encoders.Pooling) -> None:
        self._weights = encoders.locate(encoder, revision)
        self._key = Key(self._weights.name, self._weights.revision, pooling)
        self._pooling = pooling

    def missing(self, texts: Sequence[str]) -> list[int]:
        """Return which texts have no vector, by position, ascending."""
        found = stored_positions(self._key, _hashes(texts))
        return [position for position in range(len(texts)) if position not in found]

    def stored(self, texts: Sequence[str]) -> tuple[NDArray[np.int64], Vectors]:
        """Return which texts have a vector, by position, and the vectors."""
        return stored_vectors(self._key, _hashes(texts))

    def vectors(self, texts: list[str], before: int, total: int, progress: Progress) -> Vectors:
        """Read the vectors of different texts, after computing and storing what is missing."""
        hashes = _hashes(texts)
        found, vectors = stored_vectors(self._key, hashes)
        done = before + len(found)
        progress(done, total)
        missing = _missing(texts, found)
        if not missing:
            return vectors
        for start in range(0, len(missing), _ENCODE_BLOCK):
            chosen = missing[start : start + _ENCODE_BLOCK]
            self._compute([texts[index] for index in chosen], [hashes[index] for index in chosen])
            progress(done + start + len(chosen), total)
        return stored_vectors(self._key, hashes)[1]

    def _compute(self, texts: list[str], hashes: list[bytes]) -> None:
        vectors = _loaded(self._weights, self._pooling).encode(texts)
        _refuse_unstorable(vectors, texts, self._key.encoder)
        _store(self._key, hashes, vectors)


@lru_cache(maxsize=1)
def _loaded(weights: encoders.Weights, pooling: encoders.Pooling) -> encoders.Encoder:
    """Return an encoder, which stays for the next block of the same run."""
    return encoders.load(weights, pooling)


def _hashes(texts: Sequence[str]) -> list[bytes]:
    return [hashlib.sha256(text.encode()).digest() for text in texts]


def _store(key: Key, hashes: list[bytes], vectors: Vectors) -> None:
    """Store a block at once; where another worker was faster with a text, its vector stays."""
    with transaction.atomic(), connection.cursor() as cursor:
        # Kept for the session and emptied by each commit; emptied here too for callers that
        # have a transaction of their own around several blocks.
        cursor.execute(
            "CREATE TEMPORARY TABLE IF NOT EXISTS embedding_block"
            " (text_hash bytea, vector halfvec) ON COMMIT DELETE ROWS"
        )
        cursor.execute("TRUNCATE embedding_block")
        cursor.copy_expert(
            "COPY embedding_block FROM STDIN (FORMAT BINARY)",
            io.BytesIO(pack_hashed(hashes, vectors)),
        )
        cursor.execute(
            "INSERT INTO embeddings_storedembedding"
            " (encoder, revision, pooling, text_hash, vector)"
            " SELECT %s, %s, %s, text_hash, vector FROM embedding_block"
            " ORDER BY text_hash"  # one order for all workers, so that none waits in a circle
            " ON CONFLICT ON CONSTRAINT embedding_once_per_text DO NOTHING",
            [key.encoder, key.revision, key.pooling],
        )


def _missing(texts: list[str], found: NDArray[np.int64]) -> list[int]:
    """Positions without a vector, longest texts first: like lengths make full batches."""
    present = set(found.tolist())
    missing = [index for index in range(len(texts)) if index not in present]
    return sorted(missing, key=lambda index: -len(texts[index]))


def _refuse_unstorable(vectors: Vectors, texts: list[str], encoder: str) -> None:
    sound = (np.abs(vectors) <= _LARGEST_HALF).all(axis=1)  # false for what is not a number
    if not sound.all():
        raise EmbeddingRefused(
            _(
                "The encoder “%(encoder)s” gave numbers that cannot be stored (not a number, or "
                "beyond 65,504) for %(count)d texts; the first begins with “%(text)s”."
            )
            % {
                "encoder": encoder,
                "count": int((~sound).sum()),
                "text": texts[int(np.argmin(sound))][:60],
            }
        )
