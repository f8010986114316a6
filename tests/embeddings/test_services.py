"""Stored vectors: computed once, the same for all who ask, in the order of the texts."""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest
from django.db import IntegrityError, transaction

from embeddings import encoders, services
from embeddings.models import StoredEmbedding
from embeddings.queries import Key, stored_vectors
from embeddings.services import (
    EmbeddingRefused,
    embed_texts,
    spool_vectors,
    texts_without_vectors,
)

pytestmark = pytest.mark.django_db

TEXTS = ["the vaccine", "", "the vaccine", "a mayor 😀", "the election " * 30, ""]


class Stopped(Exception):
    """Somebody has cancelled."""


def quiet(done: int, total: int) -> None:
    """Nobody watches."""


def embed(tiny: Path, texts: Sequence[str], **options: object) -> np.ndarray:
    chosen = {"revision": "", "pooling": "first", "progress": quiet} | options
    return embed_texts(texts=texts, encoder=str(tiny), **chosen)


@pytest.fixture(autouse=True)
def no_encoder_is_loaded() -> None:
    services._loaded.cache_clear()


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The blocks of texts that an encoder has really computed."""
    blocks: list[list[str]] = []
    real = encoders.load

    def load(weights: encoders.Weights, pooling: encoders.Pooling) -> encoders.Encoder:
        encoder = real(weights, pooling)
        compute = encoder.encode

        def encode(texts: Sequence[str]) -> np.ndarray:
            blocks.append(list(texts))
            return compute(texts)

        encoder.encode = encode
        return encoder

    monkeypatch.setattr(encoders, "load", load)
    return blocks


def test_each_text_gets_its_vector_in_order(tiny: Path) -> None:
    rows = embed(tiny, TEXTS)
    assert (rows.shape, rows.dtype) == ((6, 32), np.float32)
    direct = encoders.load_encoder(str(tiny)).encode(TEXTS)
    np.testing.assert_array_equal(rows, direct.astype(np.float16).astype(np.float32))


def test_equal_texts_are_computed_and_stored_once(tiny: Path, encoded: list[list[str]]) -> None:
    embed(tiny, TEXTS)
    assert sorted(text for block in encoded for text in block) == sorted(set(TEXTS))
    assert StoredEmbedding.objects.count() == 4
    stored = StoredEmbedding.objects.get(text_hash=hashlib.sha256(b"the vaccine").digest())
    assert (stored.encoder, stored.pooling) == (str(tiny), "first")
    assert stored.revision == encoders.locate(str(tiny)).revision


def test_a_later_run_computes_nothing_and_gets_the_same_numbers(
    tiny: Path, encoded: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = embed(tiny, TEXTS)
    encoded.clear()
    monkeypatch.setattr(encoders, "load", lambda *_: pytest.fail("loaded"))
    np.testing.assert_array_equal(embed(tiny, TEXTS), first)
    np.testing.assert_array_equal(embed(tiny, TEXTS[::-1]), first[::-1])


def test_only_what_is_missing_is_computed(tiny: Path, encoded: list[list[str]]) -> None:
    embed(tiny, ["one", "two"])
    encoded.clear()
    embed(tiny, ["two", "three", "one"])
    assert encoded == [["three"]]


def test_poolings_and_revisions_do_not_share_vectors(tiny: Path) -> None:
    first = embed(tiny, ["the vaccine"])
    mean = embed(tiny, ["the vaccine"], pooling="mean")
    assert not np.array_equal(first, mean)
    assert StoredEmbedding.objects.count() == 2
    key = Key(str(tiny), "another revision", "first")
    assert stored_vectors(key, [hashlib.sha256(b"the vaccine").digest()])[1].size == 0


def test_no_texts_give_no_rows(tiny: Path) -> None:
    assert embed(tiny, []).shape[0] == 0


def test_blocks_fit_together(
    tiny: Path, encoded: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "_READ_BLOCK", 7)
    monkeypatch.setattr(services, "_ENCODE_BLOCK", 3)
    texts = [f"the election {number % 20}" for number in range(50)]
    seen: list[tuple[int, int]] = []
    rows = embed(tiny, texts, progress=lambda done, total: seen.append((done, total)))
    assert max(map(len, encoded)) == 3
    np.testing.assert_array_equal(rows, embed(tiny, texts))
    np.testing.assert_array_equal(rows[:20], rows[20:40])
    assert seen[0] == (0, 20)
    assert seen[-1] == (20, 20)
    assert seen == sorted(seen)


def test_what_was_done_before_a_cancel_stays_done(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "_ENCODE_BLOCK", 2)

    def stop(done: int, total: int) -> None:
        if done == 4:
            raise Stopped

    with pytest.raises(Stopped):
        embed(tiny, [f"text {number}" for number in range(10)], progress=stop)
    assert StoredEmbedding.objects.count() == 4


def test_another_workers_vector_is_kept_and_used(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = services._refuse_unstorable

    def meanwhile(vectors: np.ndarray, texts: list[str], encoder: str) -> None:
        real(vectors, texts, encoder)
        StoredEmbedding.objects.create(
            encoder=encoder,
            revision=encoders.locate(encoder).revision,
            pooling="first",
            text_hash=hashlib.sha256(b"raced").digest(),
            vector=[0.5] * 32,
        )

    monkeypatch.setattr(services, "_refuse_unstorable", meanwhile)
    np.testing.assert_array_equal(embed(tiny, ["raced"]), np.full((1, 32), 0.5))
    assert StoredEmbedding.objects.count() == 1


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf"), 65_520.0, -1e6])
def test_numbers_that_cannot_be_stored_are_refused(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, bad: float
) -> None:
    class Broken:
        def encode(self, texts: Sequence[str]) -> np.ndarray:
            rows = np.ones((len(texts), 4), dtype=np.float32)
            rows[-1, 2] = bad
            return rows

    monkeypatch.setattr(encoders, "load", lambda *_: Broken())
    with pytest.raises(EmbeddingRefused, match="cannot be stored"):
        embed(tiny, ["one", "two"])
    assert not StoredEmbedding.objects.exists()


@pytest.mark.usefixtures("hub_cache")
def test_a_missing_encoder_is_refused_with_advice() -> None:
    with pytest.raises(EmbeddingRefused, match="HF_HOME"):
        embed_texts(
            texts=["x"],
            encoder="FacebookAI/roberta-large",
            revision="",
            pooling="first",
            progress=quiet,
        )


def key(tiny: Path) -> dict[str, str]:
    return {"encoder": str(tiny), "revision": "", "pooling": "first"}


def test_what_has_no_vector_yet_is_told(tiny: Path) -> None:
    embed(tiny, ["the vaccine"])
    assert texts_without_vectors(texts=["a", "the vaccine", "b", "a"], **key(tiny)) == [0, 2, 3]


def test_stored_vectors_come_as_a_file_block_by_block(tiny: Path, tmp_path: Path) -> None:
    wanted = embed(tiny, TEXTS)
    seen: list[tuple[int, int]] = []
    rows = spool_vectors(
        blocks=[TEXTS[:2], TEXTS[2:]],
        count=len(TEXTS),
        progress=lambda done, total: seen.append((done, total)),
        spool=tmp_path / "rows.npy",
        **key(tiny),
    )
    assert isinstance(rows, np.memmap) and rows.dtype == np.float16
    np.testing.assert_array_equal(rows.astype(np.float32), wanted)
    assert seen == [(2, 6), (6, 6)]


def test_a_text_without_a_vector_is_refused_where_stored_ones_are_read(
    tiny: Path, tmp_path: Path
) -> None:
    embed(tiny, TEXTS[:1])
    with pytest.raises(EmbeddingRefused, match="have no vector any more"):
        spool_vectors(
            blocks=[TEXTS], count=6, progress=quiet, spool=tmp_path / "rows.npy", **key(tiny)
        )


def test_vectors_of_two_lengths_under_one_key_are_noticed() -> None:
    hashes = [hashlib.sha256(bytes([number])).digest() for number in range(2)]
    for text_hash, size in zip(hashes, (3, 5), strict=True):
        store(text_hash=text_hash, vector=[1.0] * size)
    with pytest.raises(ValueError, match="differ in length"):
        stored_vectors(Key("e", "r", "mean"), hashes)


def store(**fields: object) -> StoredEmbedding:
    usual = {"encoder": "e", "revision": "r", "pooling": "mean", "vector": [1.0]}
    return StoredEmbedding.objects.create(**(usual | {"text_hash": b"x" * 32} | fields))


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({}, "embedding_once_per_text"),
        ({"text_hash": b"short"}, "embedding_hash_is_sha256"),
        ({"revision": ""}, "embedding_names_its_encoder"),
        ({"encoder": ""}, "embedding_names_its_encoder"),
        ({"pooling": "max"}, "embedding_pooling_is_known"),
    ],
)
def test_the_table_refuses_what_must_not_be(fields: dict[str, object], constraint: str) -> None:
    store()
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        store(**fields)


def test_reading_costs_one_query_a_block(
    tiny: Path, django_assert_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    texts = [f"text {number}" for number in range(300)]
    embed(tiny, texts)
    with django_assert_num_queries(1):
        embed(tiny, texts)
