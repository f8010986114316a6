"""Describes a release to others' programs: as Croissant, and as the header of a data card. Pure."""

from releases.describing.croissant import croissant
from releases.describing.description import Description
from releases.describing.huggingface import header

__all__ = ["Description", "croissant", "header"]
