"""What a run may choose, method by method; refuses numbers with which a method has no meaning."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar


class Method(StrEnum):
    """How posts are chosen: the filter of the MisLC paper, or what it is compared with."""

    KL = "kl"
    AFLITE = "aflite"
    MAJORITY = "majority"
    RANDOM = "random"

    @property
    def learns(self) -> bool:
        """Whether scores come from training, so that their last digits differ by processor."""
        return self in (Method.KL, Method.AFLITE)


class Target(StrEnum):
    """What the softmax of the target is taken over."""

    COUNTS = "counts"
    PROPORTIONS = "proportions"


class Direction(StrEnum):
    """Which way the divergence is measured; `forward` is Equation 2 of the MisLC paper."""

    FORWARD = "forward"
    REVERSE = "reverse"


class Schedule(StrEnum):
    """How the learning rate goes over a training: down to 0 along a line, or not at all."""

    LINEAR = "linear"
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterSettings:
    """The KL filter. `k` is the number of posts below which the set must not fall.

    The training defaults are chosen by measurement (docs/filter.md) so that the filter does what it
    is for, raising the share of posts on which people agree, and decides alike on any processor: a
    classifier trained too little throws the unanimous posts out, and one trained in steps too great
    or too many makes of the last digit of a number another result.

    Without a learning rate it is 170 / (features × √steps), at most 0.03: a step moves a logit by
    rate × features, and differences grow with the steps. A training makes `epochs` passes through
    the posts, but at most `most_steps` steps: through a large set it goes less often, through a
    very large one once in larger batches.
    """

    method: ClassVar[Method] = Method.KL

    k: int
    target: Target = Target.COUNTS
    direction: Direction = Direction.FORWARD
    learning_rate: float | None = None
    schedule: Schedule = Schedule.LINEAR
    epochs: int = 30
    most_steps: int = 5_000
    batch_size: int = 64
    weight_decay: float = 0.0
    standardise: bool = True
    max_rounds: int = 100

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", Target(self.target))
        object.__setattr__(self, "direction", Direction(self.direction))
        object.__setattr__(self, "schedule", Schedule(self.schedule))
        _at_least_one(self, "k", "epochs", "most_steps", "batch_size", "max_rounds")
        if not self.rate(features=1, steps=1) > 0 or not self.weight_decay >= 0:
            raise ValueError("The learning rate must be above 0, the weight decay not below.")

    def rate(self, features: int, steps: int) -> float:
        """The learning rate with which a training of so many steps starts."""
        if self.learning_rate is None:
            return min(0.03, 170 / (features * math.sqrt(steps)))
        return self.learning_rate


@dataclass(frozen=True, slots=True, kw_only=True)
class AFLiteSettings:
    """AFLite. `k` is the number of posts at which it stops; the others are named in `aflite`.

    WinoGrande trains 64 classifiers on 10,000 posts each, removes up to 500 of about 47,000 at a
    time above 0.75, and ends at 12,282. What is left open here is put near to these proportions:
    trained on four fifths of k, an eightieth of the posts removed at a time.
    """

    method: ClassVar[Method] = Method.AFLITE

    k: int
    classifiers: int = 64
    train_size: int | None = None
    slice_size: int | None = None
    tau: float = 0.75
    standardise: bool = True

    def __post_init__(self) -> None:
        _at_least_one(self, "k", "classifiers", "train_size", "slice_size")
        if not 0 < self.tau <= 1:
            raise ValueError("tau must be above 0 and at most 1.")
        if self.train_size is not None and self.train_size > self.k:
            raise ValueError("train_size must be at most k, or no post would be held out.")

    def posts_to_train(self) -> int:
        return max(1, 4 * self.k // 5) if self.train_size is None else self.train_size

    def posts_at_a_time(self, posts: int) -> int:
        return -(-posts // 80) if self.slice_size is None else self.slice_size


@dataclass(frozen=True, slots=True, kw_only=True)
class MajoritySettings:
    """A threshold on agreement: a post stays when its top label has `share` of its votes."""

    method: ClassVar[Method] = Method.MAJORITY

    share: float = 2 / 3

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ValueError("share must be above 0 and at most 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomSettings:
    """Chance alone: `k` posts stay."""

    method: ClassVar[Method] = Method.RANDOM

    k: int

    def __post_init__(self) -> None:
        _at_least_one(self, "k")


Settings = FilterSettings | AFLiteSettings | MajoritySettings | RandomSettings

_SETTINGS: dict[Method, type[Settings]] = {
    Method.KL: FilterSettings,
    Method.AFLITE: AFLiteSettings,
    Method.MAJORITY: MajoritySettings,
    Method.RANDOM: RandomSettings,
}


def settings_for(method: Method | str, chosen: Mapping[str, Any]) -> Settings:
    """The settings of a method, by name; what it does not know is refused with a TypeError."""
    return _SETTINGS[Method(method)](**chosen)


def _at_least_one(settings: object, *names: str) -> None:
    for name in names:
        value = getattr(settings, name)
        if value is not None and value < 1:
            raise ValueError(f"{name} must be at least 1.")
