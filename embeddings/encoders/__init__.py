"""Encoders by name, from safetensors alone; another one never stands in for what is missing.

Pure: knows torch and transformers, which are imported when an encoder is loaded and not before,
and knows nothing of Django. Messages are English templates that the services translate.
"""

from embeddings.encoders.errors import EncoderError, EncoderMissing, EncoderUnusable
from embeddings.encoders.transformer import (
    LONGEST_TEXT,
    Encoder,
    Pooling,
    load,
    load_encoder,
)
from embeddings.encoders.weights import OFFLINE_ENCODER, Weights, locate

__all__ = [
    "LONGEST_TEXT",
    "OFFLINE_ENCODER",
    "Encoder",
    "EncoderError",
    "EncoderMissing",
    "EncoderUnusable",
    "Pooling",
    "Weights",
    "load",
    "load_encoder",
    "locate",
]
