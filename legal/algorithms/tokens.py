"""Counts tokens with a tokenizer's own file, so that the count is the same on any machine."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from legal.algorithms.passages import Offsets


class FileTokenizer:
    """The tokenizer of a `tokenizer.json`, without what it adds around or cuts off a text."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        self.digest = hashlib.sha256(path.read_bytes()).hexdigest()
        self.tokenizer = Tokenizer.from_file(str(path))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()

    def __call__(self, texts: Sequence[str]) -> list[Offsets]:
        """Return for each text the places of its tokens, by code points."""
        encodings = self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [encoding.offsets for encoding in encodings]
