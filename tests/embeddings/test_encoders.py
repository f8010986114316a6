"""Encoders: what they load, what they refuse to load, and that their rows belong to their texts."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from embeddings.encoders import (
    OFFLINE_ENCODER,
    EncoderError,
    EncoderMissing,
    EncoderUnusable,
    load_encoder,
    locate,
)
from tests.embeddings.tiny import COMMIT, in_hub_cache, save_tiny_roberta

TEXTS = ["the vaccine", "", "a mayor was seen with a suitcase of money", "😀", "the election " * 3]


@pytest.mark.parametrize("pooling", ["first", "mean"])
def test_rows_are_what_the_model_gives_for_each_text_alone(tiny: Path, pooling: str) -> None:
    encoder = load_encoder(str(tiny), pooling=pooling)
    rows = encoder.encode(TEXTS)
    assert (rows.shape, rows.dtype) == ((5, 32), np.float32)
    for text, row in zip(TEXTS, rows, strict=True):
        np.testing.assert_allclose(row, encoder.encode([text])[0], atol=2e-6)
        np.testing.assert_allclose(row, by_hand(tiny, text, pooling), atol=2e-6)


def by_hand(folder: Path, text: str, pooling: str) -> np.ndarray:
    from transformers import RobertaModel, RobertaTokenizerFast

    tokenizer = RobertaTokenizerFast.from_pretrained(folder)
    model = RobertaModel.from_pretrained(folder, add_pooling_layer=False).eval()
    with torch.inference_mode():
        states = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]
    return (states[0] if pooling == "first" else states.mean(dim=0)).numpy()


def test_no_texts_give_no_rows(tiny: Path) -> None:
    assert load_encoder(str(tiny)).encode([]).shape == (0, 32)


def test_many_texts_keep_their_order_across_batches(tiny: Path) -> None:
    encoder = load_encoder(str(tiny), pooling="mean")
    texts = [f"the election {'moved ' * (number % 17)}{number}" for number in range(300)]
    rows = encoder.encode(texts)
    for index in (0, 16, 17, 150, 299):
        np.testing.assert_allclose(rows[index], encoder.encode([texts[index]])[0], atol=2e-6)


def test_a_long_text_is_cut_where_the_positions_end(tiny: Path) -> None:
    encoder = load_encoder(str(tiny))
    words = "money " * 5000
    np.testing.assert_allclose(
        encoder.encode([words])[0], encoder.encode([words + "bleach"])[0], atol=1e-6
    )


def test_the_revision_of_a_folder_names_its_content(tmp_path: Path, tiny: Path) -> None:
    one = save_tiny_roberta(tmp_path / "one", seed=1)
    two = save_tiny_roberta(tmp_path / "two", seed=2)
    assert locate(str(one)).revision.startswith("sha256:")
    assert locate(str(one)).revision != locate(str(two)).revision
    assert locate(str(one)).revision == locate(str(one), locate(str(one)).revision).revision
    with pytest.raises(EncoderMissing, match="leave the revision empty"):
        locate(str(one), "main")
    before = locate(str(one)).revision
    config = json.loads((one / "config.json").read_text())
    (one / "config.json").write_text(json.dumps(config | {"layer_norm_eps": 0.1}))
    assert locate(str(one)).revision != before


def test_an_encoder_of_the_hub_is_named_by_its_commit(hub_cache: Path) -> None:
    save_tiny_roberta(in_hub_cache(hub_cache, "someone/tiny-roberta"))
    for revision in ("", "main", COMMIT):
        encoder = load_encoder("someone/tiny-roberta", revision)
        assert (encoder.name, encoder.revision) == ("someone/tiny-roberta", COMMIT)
    with pytest.raises(EncoderMissing, match="--revision elsewhere"):
        load_encoder("someone/tiny-roberta", "elsewhere")


@pytest.mark.usefixtures("hub_cache")
def test_missing_weights_are_said_with_what_to_do() -> None:
    with pytest.raises(EncoderMissing) as caught:
        load_encoder("FacebookAI/roberta-large")
    sentence = str(caught.value)
    for advice in ("hf download FacebookAI/roberta-large", "HF_HOME", OFFLINE_ENCODER):
        assert advice in sentence


@pytest.mark.usefixtures("hub_cache")
@pytest.mark.parametrize("name", ["", "../../etc", "a/b/c", "https://evil.example/x", "a b", "."])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(EncoderMissing, match="not the name of an encoder"):
        locate(name)


def test_a_folder_without_an_encoder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EncoderMissing, match=r"config\.json"):
        locate(str(tmp_path))


@pytest.mark.parametrize("place", ["folder", "hub"])
def test_pickled_weights_are_never_loaded(tmp_path: Path, hub_cache: Path, place: str) -> None:
    name = "someone/pickled" if place == "hub" else str(tmp_path / "pickled")
    folder = in_hub_cache(hub_cache, name) if place == "hub" else Path(name)
    save_tiny_roberta(folder)
    (folder / "model.safetensors").unlink()
    trap = tmp_path / "trap"
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(_Trap(str(trap))))
    with pytest.raises(EncoderUnusable, match="safetensors"):
        load_encoder(name)
    assert not trap.exists()


class _Trap:
    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (self.path, "w")


def test_code_that_comes_with_an_encoder_is_not_run(tmp_path: Path) -> None:
    folder = save_tiny_roberta(tmp_path / "coded")
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "trapped", "auto_map": {"AutoConfig": "c.C", "AutoModel": "c.M"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "c.py").write_text(f"open({str(tmp_path / 'trap')!r}, 'w')\n")
    with pytest.raises(EncoderUnusable, match="cannot be loaded"):
        load_encoder(str(folder))
    assert not (tmp_path / "trap").exists()


def test_weights_that_a_file_lacks_are_not_made_up(tmp_path: Path) -> None:
    folder = save_tiny_roberta(tmp_path / "partial")
    file = folder / "model.safetensors"
    weights = load_file(file)
    del weights["encoder.layer.1.output.dense.weight"]
    save_file(weights, file, metadata={"format": "pt"})
    with pytest.raises(EncoderUnusable, match=r"encoder\.layer\.1"):
        load_encoder(str(folder))


def test_damaged_weights_are_said_to_be(tmp_path: Path) -> None:
    folder = save_tiny_roberta(tmp_path / "damaged")
    (folder / "model.safetensors").write_bytes(b"version https://git-lfs.github.com/spec/v1")
    with pytest.raises(EncoderUnusable, match="cannot be loaded"):
        load_encoder(str(folder))


@pytest.mark.parametrize("pooling", ["first", "mean"])
def test_the_offline_encoder_finds_sensible_neighbours(pooling: str) -> None:
    encoder = load_encoder(OFFLINE_ENCODER, pooling=pooling)
    rows = encoder.encode(
        [
            "The new vaccine contains a microchip.",
            "They put tracking devices into the jab.",
            "Bake the bread for forty minutes.",
            "Leave the loaf in the oven for half an hour.",
        ]
    )
    assert rows.shape == (4, 384)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    alike = unit @ unit.T - 2 * np.eye(4)
    assert alike.argmax(axis=1).tolist() == [1, 0, 3, 2]


def test_errors_survive_the_way_between_processes() -> None:
    error = EncoderMissing("“%(name)s” is 100%% missing", {"name": "50% off"})
    assert str(pickle.loads(pickle.dumps(error))) == "“50% off” is 100% missing"
    assert issubclass(EncoderMissing, EncoderError)


def test_importing_the_encoders_brings_no_heavy_library() -> None:
    code = (
        "import sys, embeddings.encoders; "
        "print([n for n in ('torch', 'transformers', 'huggingface_hub', 'django', 'sklearn') "
        "if n in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
