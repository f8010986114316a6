"""`script/bench agreement`: alpha with its 1,000 resamples, by number of posts.

Votes are drawn at random; counting them into patterns is in a figure of its own, since in use the
database does that (`annotation.queries.counts.pattern_counts`).
"""

import os
import time

import numpy as np

from annotation.agreement import krippendorff_alpha
from annotation.agreement.alpha import RESAMPLES
from tests.bench.installation import Installation

SIZES = os.environ.get("BENCH_AGREEMENT_POSTS", "1000,1000000")
SHAPES = {"3 votes, 3 labels": (3, [0.76, 0.11, 0.13]), "5 votes, 8 labels": (5, [0.125] * 8)}


def agreement(_installation: Installation) -> dict[str, object]:
    """Seconds for alpha and its interval, and for counting the patterns before."""
    return {
        "resamples": RESAMPLES,
        "measured": [measure(int(posts), shape) for shape in SHAPES for posts in SIZES.split(",")],
    }


def measure(posts: int, shape: str) -> dict[str, object]:
    """Count the patterns of so many posts, then compute alpha and its interval."""
    votes, chances = SHAPES[shape]
    drawn = np.random.default_rng(1).multinomial(votes, chances, size=posts)
    started = time.perf_counter()
    codes = drawn @ (votes + 1) ** np.arange(len(chances))
    _codes, first, numbers = np.unique(codes, return_index=True, return_counts=True)
    rows = zip(drawn[first].tolist(), numbers.tolist(), strict=True)
    patterns = {tuple(row): number for row, number in rows}
    counted = time.perf_counter()
    result = krippendorff_alpha(patterns, generator=np.random.default_rng(2))
    ended = time.perf_counter()
    assert result.interval is not None and result.paired_posts == posts
    return {
        "posts": posts,
        "shape": shape,
        "patterns": len(patterns),
        "counting_seconds": round(counted - started, 3),
        "alpha_and_interval_seconds": round(ended - counted, 3),
    }
