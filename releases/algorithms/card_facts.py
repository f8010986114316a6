"""What a data card can say about a study by itself: figures and settings, and nobody's name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Run:
    """The filter run that says which posts passed."""

    number: int
    method: str
    encoder: str
    revision: str
    pooling: str
    k: int | None
    trials: int
    at_least: int
    seed: int
    posts: int
    kept: int


@dataclass(frozen=True, kw_only=True)
class Pay:
    """What the crowd earned: a vote's reward, and the median of what people earned by the hour."""

    reward: Decimal
    currency: str
    people: int
    hourly: Decimal | None


@dataclass(frozen=True, kw_only=True)
class Guide:
    """The catalogue by which experts judged, in which versions."""

    title: str
    jurisdiction: str
    versions: Sequence[int]
    issues: int


@dataclass(frozen=True, kw_only=True)
class CeilingFacts:
    """How well experts do against the others on a post: mean macro F1 of those with most votes.

    Against the verdict itself an expert's own vote would help to be right, and alone makes it so.
    """

    experts: int
    counted: int
    least: int
    ma_f1: float | None


@dataclass(frozen=True, kw_only=True)
class CardFacts:
    """All that the sections are prefilled from.

    `counts`, `agreement` and `open_tasks` are as in statistics.json; `verdicts` and `crowd_labels`
    are posts by the label that leads; `sources` names where a stage's votes were made: `here`, or
    `imported`. `stages` are those that are released.
    """

    description: str
    protocol: Mapping[str, Any]
    stages: tuple[str, ...]
    texts: str
    counts: Mapping[str, int]
    verdicts: Mapping[str, int]
    crowd_labels: Mapping[str, int]
    agreement: Mapping[str, Mapping[str, Any]]
    open_tasks: Mapping[str, int]
    sources: Mapping[str, Sequence[str]] = field(default_factory=dict)
    crowd_round: int | None = None
    instructions: Sequence[int] = ()
    guide: Guide | None = None
    run: Run | None = None
    pay: Pay | None = None
    consent: int | None = None
    background: Sequence[Mapping[str, Any]] = ()
    ceiling: CeilingFacts | None = None
