"""Two runs side by side: what both keep, what only one keeps, and how the votes lie in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from annotation.agreement import Agreement, krippendorff_alpha
from filtering.algorithms.comparison import LabelMix, label_mix

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The posts that a run saw, by id, and which of them it kept."""

    ids: Ids
    kept: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """How two runs differ, on the posts that both saw.

    The ids are ascending. `overlap` is what both keep as a share of what either keeps (Jaccard),
    `by_chance` what it would be on average if each had drawn as many at random; both are None where
    neither keeps anything. `unshared` counts the posts that only one of the runs saw.
    """

    both: Ids
    only_first: Ids
    only_second: Ids
    neither: Ids
    unshared: int
    overlap: float | None
    by_chance: float | None


def side_by_side(first: Chosen, second: Chosen) -> SideBySide:
    """Compare what two runs kept of the posts that both saw."""
    ids, in_first, in_second = np.intersect1d(
        first.ids, second.ids, assume_unique=True, return_indices=True
    )
    one, other = first.kept[in_first], second.kept[in_second]
    return SideBySide(
        both=ids[one & other],
        only_first=ids[one & ~other],
        only_second=ids[other & ~one],
        neither=ids[~one & ~other],
        unshared=len(first.ids) + len(second.ids) - 2 * len(ids),
        overlap=_jaccard(float((one & other).sum()), one, other),
        by_chance=_jaccard(one.sum() * other.sum() / max(1, len(ids)), one, other),
    )


def _jaccard(both: float, one: npt.NDArray[np.bool_], other: npt.NDArray[np.bool_]) -> float | None:
    either = one.sum() + other.sum() - both
    return float(both / either) if either else None


@dataclass(frozen=True, slots=True)
class VotesOf:
    """How the votes of a set of posts lie, and how far people agree on them."""

    mix: LabelMix
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class VotesShift:
    """The votes before a run and after it, and those of the posts that left."""

    before: VotesOf
    after: VotesOf
    left: VotesOf


def votes_shift(
    counts: npt.NDArray[np.integer[Any]],
    kept: npt.NDArray[np.bool_],
    *,
    generator: np.random.Generator,
) -> VotesShift:
    """How the votes of what was kept differ from those of all; the generator draws intervals."""
    return VotesShift(
        before=votes_of(counts, generator=generator),
        after=votes_of(counts[kept], generator=generator),
        left=votes_of(counts[~kept], generator=generator),
    )


def votes_of(counts: npt.NDArray[np.integer[Any]], *, generator: np.random.Generator) -> VotesOf:
    """How the votes of these posts lie. Every post must have a vote."""
    rows, posts = np.unique(counts, axis=0, return_counts=True)
    patterns = dict(zip(map(tuple, rows.tolist()), posts.tolist(), strict=True))
    return VotesOf(label_mix(counts), krippendorff_alpha(patterns, generator=generator))
