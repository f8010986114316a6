"""Two finished runs side by side: what both keep, what only one keeps, and how the votes lie."""

from dataclasses import dataclass

import numpy as np
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.models import Post
from filtering.algorithms import Chosen, SideBySide, side_by_side
from filtering.models import FilterRun

SHOWN = 10


class LabelsDiffer(Exception):
    """Runs whose votes cannot be laid side by side; the text is a sentence for the person."""


@dataclass(frozen=True)
class Side:
    """What one of two runs keeps: how its votes lie, and examples of what the other drops.

    `undefined` says why there is no alpha.
    """

    run: FilterRun
    kept: int
    only: int
    unanimous: float | None
    majorities: list[float] | None
    alpha: float | None
    undefined: str
    examples: QuerySet[Post]


@dataclass(frozen=True)
class Comparison:
    """Two runs side by side."""

    found: SideBySide
    first: Side
    second: Side


def refuse_other_labels(first: FilterRun, second: FilterRun) -> None:
    """Refuse runs with other labels."""
    if first.labels != second.labels:
        raise LabelsDiffer(_("These runs have different labels."))


def compared(first: FilterRun, second: FilterRun) -> Comparison:
    """Compare what two finished runs kept; refuse runs with other labels."""
    refuse_other_labels(first, second)
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
    votes = run.shift["after"]
    return Side(
        run=run,
        kept=run.kept_count or 0,
        only=len(only),
        unanimous=votes["unanimous"],
        majorities=votes["majorities"],
        alpha=votes.get("alpha"),
        undefined=votes.get("undefined", ""),
        examples=Post.objects.filter(pk__in=only[:SHOWN]).order_by("pk"),
    )
