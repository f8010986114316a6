"""What a filter run may choose; refuses numbers with which the algorithm has no meaning."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Target(StrEnum):
    """What the softmax of the target is taken over."""

    COUNTS = "counts"
    PROPORTIONS = "proportions"


class Direction(StrEnum):
    """Which way the divergence is measured; `forward` is Equation 2 of the MisLC paper."""

    FORWARD = "forward"
    REVERSE = "reverse"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterSettings:
    """The settings of one trial. `k` is the number of posts below which the set must not fall.

    The training defaults are chosen so that the filter does what it is for, raising the share of
    posts on which people agree: a classifier trained too little throws the unanimous posts out.
    """

    k: int
    target: Target = Target.COUNTS
    direction: Direction = Direction.FORWARD
    learning_rate: float = 1e-2
    epochs: int = 30
    batch_size: int = 64
    weight_decay: float = 0.0
    standardise: bool = True
    max_rounds: int = 100

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", Target(self.target))
        object.__setattr__(self, "direction", Direction(self.direction))
        for name in ("k", "epochs", "batch_size", "max_rounds"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1.")
        if not self.learning_rate > 0 or not self.weight_decay >= 0:
            raise ValueError("The learning rate must be above 0, the weight decay not below.")
