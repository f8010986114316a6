"""BM25 as Lucene computes it, over passages; `bm25s` builds the index, numpy reads it.

With N passages, n(t) of them with the term t, f(t, d) times t in passage d, |d| terms in d, and avg
the mean of |d|, a passage's score for a query is the sum over the query's terms (each as often as
it stands there) of

    ln(1 + (N - n(t) + 0.5) / (n(t) + 0.5)) · f(t, d) / (f(t, d) + k1 · (1 - b + b · |d| / avg))

Lucene's lengths are rounded to a byte; these are exact ("Lucene (accurate)" in Kamphuis and others,
Which BM25 do you mean?, ECIR 2020). Scores are summed in double precision. Searching imports no
`bm25s`, which would bring SciPy into the process that answers.
"""

import json
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DATA, _INDICES, _STARTS = (f"{name}.csc.index.npy" for name in ("data", "indices", "indptr"))
_VOCABULARY, _IDS = "vocab.index.json", "passages.npy"


class NothingToIndex(ValueError):
    """Passages without a single term."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """The two constants; the defaults are Anserini's, which the MisLC paper used."""

    k1: float = 0.9
    b: float = 0.4


def build(passages: Iterable[tuple[int, Sequence[str]]], formula: Formula, folder: Path) -> None:
    """Write the index of passages, each given by its id and its terms in order, into a folder."""
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)
    vocabulary: dict[str, int] = {}
    ids: list[int] = []
    numbered: list[list[int]] = []
    for passage, terms in passages:
        ids.append(passage)
        numbered.append([vocabulary.setdefault(term, len(vocabulary)) for term in terms])
    if not vocabulary:
        raise NothingToIndex
    index = bm25s.BM25(k1=formula.k1, b=formula.b, method="lucene", dtype="float64")
    index.index((numbered, vocabulary), create_empty_token=False, show_progress=False)
    index.save(folder, show_progress=False)
    np.save(folder / _IDS, np.array(ids, dtype=np.int64))


@dataclass(frozen=True)
class Index:
    """An index on disk, mapped into memory; only the terms that are asked for are read.

    `weights[starts[t]:starts[t + 1]]` are the contributions of term t to the passages in `rows`.
    """

    vocabulary: dict[str, int]
    starts: NDArray[Any]
    rows: NDArray[Any]
    weights: NDArray[np.float64]
    ids: NDArray[np.int64]

    def scores(self, terms: Iterable[str]) -> NDArray[np.float64]:
        """Return the score of every passage, in the order of `ids`; 0 where no term stands."""
        found = np.zeros(len(self.ids), dtype=np.float64)
        for term, times in Counter(terms).items():
            number = self.vocabulary.get(term)
            if number is not None:
                part = slice(self.starts[number], self.starts[number + 1])
                found[self.rows[part]] += times * self.weights[part]
        return found

    def best(self, terms: Iterable[str], most: int) -> list[tuple[int, float]]:
        """Return ids and scores of the best passages, best first; equals in the index's order."""
        scores = self.scores(terms)
        rows = np.flatnonzero(scores > 0)
        if len(rows) > most:
            least = np.partition(scores[rows], -most)[-most]
            rows = rows[scores[rows] >= least]
        ordered = rows[np.lexsort((rows, -scores[rows]))][:most]
        return [(int(self.ids[row]), float(scores[row])) for row in ordered]


def load(folder: Path) -> Index:
    """Map an index into memory."""
    with (folder / _VOCABULARY).open(encoding="utf-8") as file:
        vocabulary = json.load(file)
    mapped = [np.load(folder / name, mmap_mode="r") for name in (_INDICES, _DATA)]
    starts, ids = np.load(folder / _STARTS), np.load(folder / _IDS)
    return Index(vocabulary, starts, mapped[0], mapped[1], ids)
