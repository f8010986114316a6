"""Two finished runs side by side: what both keep, what only one keeps, and how the votes lie."""

from dataclasses import dataclass

import numpy as np
from django.db.models import QuerySet

from annotation.agreement import Agreement
from annotation.models import Post
from filtering.algorithms import Chosen, SideBySide, side_by_side, votes_of
from filtering.models import FilterRun

SHOWN = 10
SEED = 0
"""Intervals are drawn with one seed, so that a page shows the same numbers each time."""


@dataclass(frozen=True)
class Side:
    """What one of two runs keeps: how its votes lie, and examples of what the other drops."""

    run: FilterRun
    kept: int
    only: int
    unanimous: float | None
    majorities: list[float] | None
    agreement: Agreement
    examples: QuerySet[Post]


@dataclass(frozen=True)
class Comparison:
    """Two runs side by side."""

    found: SideBySide
    first: Side
    second: Side


def compared(first: FilterRun, second: FilterRun) -> Comparison:
    """Compare what two finished runs kept."""
    found = side_by_side(chosen(first), chosen(second))
    return Comparison(
        found, side(first, found.only_first.tolist()), side(second, found.only_second.tolist())
    )


def chosen(run: FilterRun) -> Chosen:
    """Return the posts that a run saw, and which of them it kept."""
    rows = list(run.posts.order_by("post_id").values_list("post_id", "kept"))
    ids = np.array([post_id for post_id, _kept in rows], dtype=np.int64)
    return Chosen(ids, np.array([bool(kept) for _id, kept in rows], dtype=np.bool_))


def side(run: FilterRun, only: list[int]) -> Side:
    """Return what a run keeps, and what of it the other run drops."""
    counts = list(run.posts.filter(kept=True).values_list("counts", flat=True))
    votes = votes_of(
        np.array(counts, dtype=np.int64).reshape(len(counts), len(run.labels)),
        generator=np.random.default_rng(SEED),
    )
    return Side(
        run=run,
        kept=len(counts),
        only=len(only),
        unanimous=votes.mix.unanimous,
        majorities=list(votes.mix.majorities) if votes.mix.majorities else None,
        agreement=votes.agreement,
        examples=Post.objects.filter(pk__in=only[:SHOWN]).order_by("pk"),
    )
