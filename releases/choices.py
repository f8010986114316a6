"""What a person chooses for a release; stored with its job and stated in its manifest. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any


class Stage(StrEnum):
    """The stages whose work can be released."""

    CROWD = "crowd"
    LEGAL = "legal"


class Texts(StrEnum):
    """What a release shows of the posts' texts."""

    CLEANED = "cleaned"
    ORIGINAL = "original"
    IDS = "ids"


class Versions(StrEnum):
    """Which versions of a vote are released."""

    CURRENT = "current"
    ALL = "all"


class Split(StrEnum):
    """The parts that posts fall into, in the order in which a release lists them."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"


@dataclass(frozen=True, kw_only=True)
class Splits:
    """How many of a hundred posts fall into each split; `seed` mixes them.

    A post's split depends on the seed and its id alone, so it is the same in every release. Shares
    that do not add up to 100, or are negative, raise ValueError.
    """

    train: int = 0
    validation: int = 0
    test: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.shares.values()) < 0 or sum(self.shares.values()) != 100:
            raise ValueError(f"The shares of the splits do not add up to 100: {self.shares}.")

    @cached_property
    def shares(self) -> dict[str, int]:
        """Return the share of each split, also those without one."""
        return {split.value: getattr(self, split) for split in Split}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the splits that have a share."""
        return tuple(name for name, share in self.shares.items() if share)

    def of(self, post_id: str) -> str:
        """Return the split that a post falls into."""
        if len(self.names) == 1:
            return self.names[0]
        digest = hashlib.sha256(f"{self.seed}:{post_id}".encode()).digest()
        place = int.from_bytes(digest[:8]) * 100 >> 64
        for name, share in self.shares.items():
            if place < share:
                return name
            place -= share
        raise AssertionError(place)


@dataclass(frozen=True, kw_only=True)
class ReleaseChoices:
    """Everything that is chosen for a release.

    `licence` is an SPDX identifier or a text. `insists` is the owner's reason for releasing what
    the scan for personal data found; empty where nobody insists.
    """

    stages: tuple[str, ...] = tuple(Stage)
    texts: str = Texts.CLEANED
    versions: str = Versions.CURRENT
    crowd_round: int | None = None
    splits: Splits = field(default_factory=Splits)
    licence: str = ""
    citation: str = ""
    insists: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return what is stored."""
        plain = asdict(self)
        return plain | {"stages": list(self.stages)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> ReleaseChoices:
        """Return the choices that were stored."""
        more = {"stages": tuple(stored["stages"]), "splits": Splits(**stored["splits"])}
        return cls(**(dict(stored) | more))
