"""Refuses embeddings and votes with which a trial has no meaning, naming the posts at fault."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from filtering.algorithms.faults import FilterError, FilterFault
from filtering.algorithms.rows import BLOCK, are_finite


def check_inputs(embeddings: npt.NDArray[Any], counts: npt.NDArray[np.integer[Any]]) -> None:
    """Raise FilterError for posts without votes and embeddings that are not finite.

    Arrays whose shapes or types do not fit are a mistake of the caller: ValueError.
    """
    if embeddings.ndim != 2 or counts.ndim != 2 or len(embeddings) != len(counts):
        raise ValueError(
            f"Embeddings {embeddings.shape} and votes {counts.shape} must be two tables "
            "with a row for each post."
        )
    if not np.issubdtype(counts.dtype, np.integer) or not counts.shape[1]:
        raise ValueError("Votes must be whole numbers for one label or more.")
    if not len(counts):
        raise FilterError(FilterFault.NO_POSTS)
    _refuse(FilterFault.NEGATIVE, np.any(counts < 0, axis=1))
    _refuse(FilterFault.NO_VOTES, np.equal(counts.sum(axis=1), 0))
    finite = [
        are_finite(embeddings[start : start + BLOCK]) for start in range(0, len(embeddings), BLOCK)
    ]
    _refuse(FilterFault.NOT_FINITE, ~np.concatenate(finite))


def _refuse(fault: FilterFault, at_fault: npt.NDArray[np.bool_]) -> None:
    if at_fault.any():
        raise FilterError(fault, positions=tuple(np.flatnonzero(at_fault).tolist()))
