"""A tiny RoBERTa with random weights and a tokenizer of its own, saved as real ones are."""

from pathlib import Path

import torch
from tokenizers import ByteLevelBPETokenizer
from transformers import RobertaConfig, RobertaModel, RobertaTokenizerFast

COMMIT = "0123456789abcdef0123456789abcdef01234567"
_SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
_CORPUS = [
    "the vaccine turns people into antennas",
    "the election was moved to another day",
    "a mayor was seen with a suitcase of money",
    "drinking bleach heals every illness",
]


def save_tiny_roberta(folder: Path, *, positions: int = 66, seed: int = 0) -> Path:
    """Build and save one; texts of more than `positions` - 2 tokens are cut off."""
    folder.mkdir(parents=True, exist_ok=True)
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(
        _CORPUS * 5, vocab_size=300, min_frequency=1, special_tokens=_SPECIAL, show_progress=False
    )
    trained.save_model(str(folder))
    RobertaTokenizerFast(
        vocab=str(folder / "vocab.json"), merges=str(folder / "merges.txt")
    ).save_pretrained(folder)
    torch.manual_seed(seed)
    config = RobertaConfig(
        vocab_size=300,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=positions,
    )
    RobertaModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder


def in_hub_cache(cache: Path, name: str, commit: str = COMMIT) -> Path:
    """The folder in which the hub's cache would keep this commit of the encoder."""
    base = cache / f"models--{name.replace('/', '--')}"
    (base / "refs").mkdir(parents=True)
    (base / "refs" / "main").write_text(commit)
    return base / "snapshots" / commit
