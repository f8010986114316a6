"""Prints the tables of docs/filter.md from real votes; sets that are not there are skipped.

Usage: python -m tests.acceptance.filter_tables [FOLDER WITH THE DATA] [FOLDER TO KEEP VECTORS IN]
Needs no database: it goes through the encoder and the algorithms alone.
"""

import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from embeddings.encoders import OFFLINE_ENCODER, load_encoder
from filtering.algorithms import (
    AFLiteSettings,
    Chosen,
    FilterSettings,
    MajoritySettings,
    RandomSettings,
    Settings,
    Trial,
    intersect,
    linear_classifier,
    run_trial,
    side_by_side,
    votes_of,
    with_greater_k,
)
from tests.acceptance.findings import ROOT, read_csv, read_jsonl
from tests.acceptance.rounds import LABELS

SEEDS = (1, 2, 3)
SHARES = (0.25, 0.5, 2 / 3, 0.75)
RATES = (1e-3, 3e-3, 1e-2, 3e-2)
EPOCHS = (3, 30)
CHOICES: tuple[dict[str, Any], ...] = (
    {},
    {"schedule": "constant"},
    {"batch_size": 16},
    {"batch_size": 256},
    {"standardise": False},
    {"weight_decay": 1e-2},
    {"weight_decay": 1e-1},
    {"target": "proportions"},
    {"direction": "reverse"},
)

DESCRIBED = ("unanimous", "top label", "alpha")

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Votes:
    """A set of posts with vectors and votes."""

    name: str
    vectors: npt.NDArray[np.float32]
    counts: Counts

    @property
    def half(self) -> int:
        """Return the k that keeps half."""
        return len(self.counts) // 2


Texts = list[tuple[str, list[int]]]


def mislc(data: Path) -> Texts:
    """Posts with counts of the interim set."""
    posts = read_jsonl(data / "mislc_interim_670.jsonl")
    return [
        (post["text"], [post["crowd_counts"][label] for label in LABELS])
        for post in posts
        if post["crowd_counts"]
    ]


def md_agreement(data: Path) -> Texts:
    """Tweets with five votes each."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for row in read_csv(data / "md_agreement_votes.csv"):
        votes[row["item_id"]][row["label"]] += 1
    items = read_csv(data / "md_agreement_items.csv")
    return [(item["text"], [votes[item["item_id"]][label] for label in "01"]) for item in items]


def convabuse(data: Path) -> Texts:
    """What users said to a machine, where two people or more rated it; the newest rating counts."""
    ratings: dict[str, dict[str, int]] = defaultdict(dict)
    for row in read_csv(data / "convabuse_votes.csv"):
        ratings[row["item_id"]][row["annotator"]] = int(row["severity"])
    return [
        (item["user"] or " ", [list(said.values()).count(severity) for severity in range(-3, 2)])
        for item in read_csv(data / "convabuse_items.csv")
        if len(said := ratings[item["item_id"]]) > 1
    ]


SETS: dict[str, Callable[[Path], Texts]] = {
    "MisLC interim": mislc,
    "ConvAbuse": convabuse,
    "MD-Agreement": md_agreement,
}


def votes_in(data: Path, kept: Path) -> Iterator[Votes]:
    """Yield the sets that are there, with vectors of the offline encoder."""
    for name, read in SETS.items():
        try:
            texts = read(data)
        except FileNotFoundError as missing:
            print(f"(no {name}: {missing.filename} is not there)")
            continue
        stored = kept / f"{name}.npy"
        if not stored.exists():
            encoder = load_encoder(OFFLINE_ENCODER)
            np.save(stored, encoder.encode([text for text, _counts in texts]))
        yield Votes(name, np.load(stored), np.array([counts for _text, counts in texts]))


def trials(votes: Votes, settings: Settings) -> list[Trial]:
    """Run three trials."""
    return [run_trial(votes.vectors, votes.counts, settings, seed=seed) for seed in SEEDS]


def table(head: Sequence[str], rows: list[list[str]]) -> None:
    """Print a table in Markdown."""
    for row in (head, ["---"] * len(head), *rows):
        print("| " + " | ".join(row) + " |", flush=True)
    print(flush=True)


def described(counts: Counts, top: int) -> list[str]:
    """Return how many posts are unanimous and lean to a label, and Krippendorff's alpha."""
    found = votes_of(counts, generator=np.random.default_rng(1))
    if found.mix.unanimous is None or found.mix.majorities is None:
        return ["–", "–", "–"]
    alpha = found.agreement.alpha
    shown = "undefined" if alpha is None else f"{alpha:.2f}"
    return [percent(found.mix.unanimous), percent(found.mix.majorities[top]), shown]


def percent(share: float) -> str:
    """Return a share as it is printed."""
    return f"{100 * share:.0f}%"


def top_label(votes: Votes) -> int:
    """Return the place of the label that leads on most posts."""
    return int((votes.counts == votes.counts.max(axis=1, keepdims=True)).sum(axis=0).argmax())


def by_k(votes: Votes) -> None:
    """Print what the defaults do, by k."""
    posts, top = len(votes.counts), top_label(votes)
    ks = [int(posts * share) for share in SHARES]
    ran = trials(votes, FilterSettings(k=ks[0]))
    rows = [["before", str(posts), "", "", "", "", *described(votes.counts, top)]]
    for k in ks:
        cut = [with_greater_k(trial, k) for trial in ran]
        kept = intersect(cut)
        rows.append(
            [
                f"{k} ({percent(k / posts)})",
                " → ".join(str(one.size) for one in cut[0].rounds),
                " → ".join(f"{one.threshold:.3f}" for one in cut[0].rounds),
                str(int(kept.sum())),
                str(int(intersect(cut, at_least=2).sum())),
                percent(float(np.mean([kept.sum() / trial.kept.sum() for trial in cut]))),
                *described(votes.counts[kept], top),
            ]
        )
    print(f"**{votes.name}**, by k\n")
    table(
        [
            "k",
            "sizes (trial 1)",
            "thresholds (trial 1)",
            "in all 3",
            "in 2 or more",
            "of each trial in all",
            *DESCRIBED,
        ],
        rows,
    )


def by_training(votes: Votes) -> None:
    """Print what three trials keep after filtering to half, by how training went."""
    base = FilterSettings(k=votes.half)
    choices: dict[str, dict[str, Any]] = {
        ", ".join(f"{name} {value}" for name, value in choice.items()) or "defaults": choice
        for choice in CHOICES
    }
    for epochs in EPOCHS:
        for rate in RATES:
            name = f"rate {rate:g}, epochs {epochs}"
            choices[name] = {"learning_rate": rate, "epochs": epochs, "most_steps": 10**6}
    print(f"**{votes.name}**, k = half, by training (before: {unanimous(votes.counts)})\n")
    head = ["training", "unanimous", "in all 3", "of each trial in all", "moved by the last digit"]
    table(head, [[name, *after(votes, replace(base, **choices[name]))] for name in choices])


def after(votes: Votes, settings: FilterSettings) -> list[str]:
    """Return the unanimous share of what three trials keep, how many, and how steady that is."""
    ran = trials(votes, settings)
    kept = intersect(ran)
    share = float(np.mean([kept.sum() / trial.kept.sum() for trial in ran]))
    with last_digit_moved():
        moved = run_trial(votes.vectors, votes.counts, settings, seed=SEEDS[0])
    decided_otherwise = float((moved.kept != ran[0].kept).mean())
    return [
        unanimous(votes.counts[kept]),
        str(int(kept.sum())),
        percent(share),
        f"{100 * decided_otherwise:.1f}%",
    ]


@contextmanager
def last_digit_moved() -> Iterator[None]:
    """Start classifiers from weights that differ in the seventh digit, as processors' sums do."""
    start = linear_classifier.initial_weights
    linear_classifier.initial_weights = lambda *sizes: start(*sizes) * np.float32(1 + 3e-7)
    try:
        yield
    finally:
        linear_classifier.initial_weights = start


def unanimous(counts: Counts) -> str:
    """Return the unanimous share of posts."""
    return described(counts, 0)[0]


def beside_baselines(votes: Votes) -> None:
    """Print what each method keeps; AFLite and chance are asked for as many as the filter keeps."""
    posts, top = len(votes.counts), top_label(votes)
    ours = run_trial(votes.vectors, votes.counts, FilterSettings(k=votes.half), seed=1)
    size = int(ours.kept.sum())
    others: dict[str, Settings] = {
        "AFLite": AFLiteSettings(k=size, slice_size=-(-posts // 20)),
        "majority, two thirds": MajoritySettings(share=2 / 3),
        "majority, all": MajoritySettings(share=1),
        "random": RandomSettings(k=size),
    }
    rows = [["KL filter", str(size), "", "", *described(votes.counts[ours.kept], top)]]
    for name, settings in others.items():
        ran = run_trial(votes.vectors, votes.counts, settings, seed=1)
        compared = side_by_side(chosen(ours), chosen(ran))
        rows.append(
            [
                name,
                str(int(ran.kept.sum())),
                percent(compared.overlap or 0),
                percent(compared.by_chance or 0),
                *described(votes.counts[ran.kept], top),
            ]
        )
    print(f"**{votes.name}**, one trial of each method, k = half\n")
    table(
        ["method", "kept", "overlap with KL", "by chance", *DESCRIBED],
        rows,
    )


def chosen(trial: Trial) -> Chosen:
    """Return a trial for comparing."""
    return Chosen(np.arange(len(trial.kept)), trial.kept)


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT.parent / "shared" / "data").resolve()
    with tempfile.TemporaryDirectory(prefix="juryroom-filter-tables-") as folder:
        for votes in votes_in(data, Path(sys.argv[2] if len(sys.argv) > 2 else folder)):
            by_k(votes)
            by_training(votes)
            beside_baselines(votes)


if __name__ == "__main__":
    main()
