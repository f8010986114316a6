"""Turns texts into vectors with a transformer; refuses code from the hub and missing weights."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from embeddings.encoders.errors import EncoderUnusable, gettext_noop
from embeddings.encoders.weights import Weights, locate

if TYPE_CHECKING:
    import torch

Pooling = Literal["first", "mean"]

LONGEST_TEXT = 512
"""Tokens of a text that are read, special ones included; the rest is cut off."""

_TOKENS_AT_ONCE = {"cpu": 1024, "cuda": 65_536}


class Encoder(Protocol):
    """What makes vectors of texts."""

    name: str
    revision: str
    pooling: Pooling

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text, in the order of the texts: (n, d)."""


def load_encoder(name: str, revision: str = "", pooling: Pooling = "first") -> Encoder:
    """Find and load an encoder. Raises EncoderMissing or EncoderUnusable, each with advice."""
    return load(locate(name, revision), pooling)


def load(weights: Weights, pooling: Pooling) -> Encoder:
    """Load what `locate` has found; on a GPU in half precision, else on the CPU in full."""
    import torch
    from safetensors import SafetensorError

    device = "cuda" if torch.cuda.is_available() else "cpu"
    dtype = torch.float16 if device == "cuda" else torch.float32
    try:
        tokenizer, model, loading = _read(weights, dtype)
    except (OSError, ValueError, KeyError, ImportError, RuntimeError, SafetensorError) as error:
        raise EncoderUnusable(
            gettext_noop("The encoder “%(name)s” cannot be loaded: %(reason)s"),
            {"name": weights.name, "reason": _first_line(error)},
        ) from error
    _check(weights.name, tokenizer, model, loading)
    return _TransformerEncoder(weights, pooling, tokenizer, model.eval().to(device), device)


def _read(weights: Weights, dtype: "torch.dtype") -> tuple[Any, Any, dict[str, Any]]:
    from transformers import AutoModel, AutoTokenizer
    from transformers.utils import logging

    # Both would write into the output of commands; what they warn of is checked below.
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    folder = str(weights.folder)
    tokenizer = AutoTokenizer.from_pretrained(
        folder, local_files_only=True, trust_remote_code=False
    )
    model, loading = AutoModel.from_pretrained(
        folder,
        dtype=dtype,
        local_files_only=True,
        use_safetensors=True,
        trust_remote_code=False,
        output_loading_info=True,
    )
    return tokenizer, model, loading


def _check(name: str, tokenizer: Any, model: Any, loading: dict[str, Any]) -> None:
    """Weights that a file lacks are made up at random by the loader: that is no encoder."""
    lacking = [key for key in loading["missing_keys"] if not key.startswith("pooler.")]
    lacking += [str(key) for key in loading.get("mismatched_keys", ())]
    reason = ""
    if lacking:
        reason = gettext_noop(
            "The encoder “%(name)s” cannot be used: its file lacks the weights “%(detail)s”."
        )
    elif model.config.is_encoder_decoder:
        reason = gettext_noop(
            "“%(name)s” cannot be used: it is a model that writes text, not an encoder."
        )
    elif tokenizer.pad_token_id is None:
        reason = gettext_noop("The encoder “%(name)s” cannot be used: its tokenizer cannot pad.")
    if reason:
        raise EncoderUnusable(reason, {"name": name, "detail": ", ".join(sorted(lacking)[:3])})


class _TransformerEncoder:
    def __init__(
        self, weights: Weights, pooling: Pooling, tokenizer: Any, model: Any, device: str
    ) -> None:
        self.name = weights.name
        self.revision = weights.revision
        self.pooling: Pooling = pooling
        self._tokenizer = tokenizer
        self._model = model
        self._device = device
        self._longest = _longest(tokenizer, model)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts of like length together, so that little is spent on padding."""
        vectors = np.empty((len(texts), self._model.config.hidden_size), dtype=np.float32)
        if not texts:
            return vectors
        tokens = self._tokenizer(
            list(texts), truncation=True, max_length=self._longest, return_token_type_ids=False
        )["input_ids"]
        lengths = [len(ids) for ids in tokens]
        if min(lengths) == 0:
            raise EncoderUnusable(
                gettext_noop("The encoder “%(name)s” makes nothing of an empty text."),
                {"name": self.name},
            )
        for chosen in _batches(lengths, _TOKENS_AT_ONCE[self._device]):
            vectors[chosen] = self._encode_batch([tokens[index] for index in chosen])
        return vectors

    def _encode_batch(self, tokens: list[list[int]]) -> NDArray[np.float32]:
        import torch

        with torch.inference_mode():
            batch = self._tokenizer.pad({"input_ids": tokens}, return_tensors="pt").to(self._device)
            states = self._model(**batch).last_hidden_state.float()
            if self.pooling == "first":
                pooled = states[:, 0]
            else:
                mask = batch["attention_mask"].unsqueeze(-1).float()
                pooled = (states * mask).sum(dim=1) / mask.sum(dim=1)
            rows: NDArray[np.float32] = pooled.cpu().numpy()
            return rows


def _batches(lengths: Sequence[int], tokens_at_once: int) -> Iterator[list[int]]:
    """Yield positions, longest texts first, so that padded batches stay below a token budget."""
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    start = 0
    while start < len(order):
        size = max(1, tokens_at_once // lengths[order[start]])
        yield order[start : start + size]
        start += size


def _longest(tokenizer: Any, model: Any) -> int:
    """The tokens that tokenizer, position table and our own limit all admit."""
    longest = min(LONGEST_TEXT, tokenizer.model_max_length)
    table = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    if table is not None:
        # RoBERTa and its kin count positions from the one after the padding's.
        unused = 0 if table.padding_idx is None else table.padding_idx + 1
        longest = min(longest, table.num_embeddings - unused)
    return int(longest)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:300]
