"""Counts how many posts got the same votes; refuses labels that were not announced.

A pattern is how often each label was chosen for one post, in the order of the labels: two of three
votes for the last of three labels is `(0, 1, 2)`. A million posts with three votes among three
labels make ten patterns, so what is computed on patterns costs the same for any number of posts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

Patterns = Mapping[tuple[int, ...], int]
"""Votes by label → number of posts with exactly these votes."""


def count_patterns(
    posts: Iterable[Mapping[str, int]], labels: Sequence[str]
) -> dict[tuple[int, ...], int]:
    """The patterns of posts given as label → votes; a label without votes may be absent."""
    known = set(labels)
    patterns: Counter[tuple[int, ...]] = Counter()
    for post in posts:
        if unknown := post.keys() - known:
            names = ", ".join(sorted(unknown))
            raise ValueError(f"Votes were given for labels outside the label set: {names}.")
        patterns[tuple(post.get(label, 0) for label in labels)] += 1
    return dict(patterns)


def pattern_arrays(
    patterns: Patterns,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Votes with shape (patterns, labels) and posts with shape (patterns,), in sorted order.

    Sorting makes what is drawn at random from them independent of the order in which they came.
    """
    ordered = sorted(patterns.items())
    lengths = {len(pattern) for pattern, _ in ordered}
    if len(lengths) > 1:
        raise ValueError("All patterns must name the same labels.")
    votes = np.array([pattern for pattern, _ in ordered], dtype=np.int64)
    posts = np.array([number for _, number in ordered], dtype=np.int64)
    if (votes < 0).any() or (posts < 0).any():
        raise ValueError("A number of votes or posts is negative.")
    return votes.reshape(len(ordered), lengths.pop() if lengths else 0), posts
