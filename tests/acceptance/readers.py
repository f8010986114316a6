"""The released interim set as its readers load it: pandas, polars, datasets, mlcroissant."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.acceptance.findings import Findings

LABELS = ("no_claim", "not_checkworthy", "checkworthy")
Y = {"yes": 2, "unclear": 1, "no": 0}
Loaded = dict[str, list[dict[str, Any]]]


def by_polars(folder: Path) -> Loaded:
    """Read posts, votes and verdicts from Parquet with polars."""
    import polars as pl

    return {
        table: pl.read_parquet(folder / "data" / f"{table}-test.parquet").to_dicts()
        for table in ("posts", "votes", "verdicts")
    }


def by_pandas(folder: Path) -> Loaded:
    """Read the same from CSV with pandas, an empty cell as missing."""
    import pandas as pd

    def table(name: str) -> list[dict[str, Any]]:
        path = folder / "csv" / f"{name}.csv"
        frame = pd.read_csv(path, dtype={"post_id": str}, keep_default_na=False, na_values=[""])
        rows: list[dict[str, Any]] = (
            frame.astype(object).where(frame.notna(), None).to_dict("records")
        )
        return rows

    return {name: table(name) for name in ("posts", "votes", "verdicts")}


def by_datasets(folder: Path) -> Loaded:
    """Read the same from the folder with the library of the Hugging Face hub, by its data card."""
    from datasets import load_dataset

    cache = str(folder.parent / "cache")
    return {
        name: load_dataset(str(folder), name, cache_dir=cache)["test"].to_list()
        for name in ("posts", "votes", "verdicts")
    }


def by_croissant(folder: Path) -> Loaded:
    """Read the same by what croissant.json says of the folder."""
    from mlcroissant import Dataset

    described = Dataset(jsonld=folder / "croissant.json")
    return {
        name: [
            {key.partition("/")[2]: in_words(cell) for key, cell in record.items()}
            for record in described.records(name)
        ]
        for name in ("posts", "votes", "verdicts")
    }


def in_words(cell: Any) -> Any:
    """Return a cell with its text decoded."""
    return cell.decode() if isinstance(cell, bytes) else cell


READERS: dict[str, Callable[[Path], Loaded]] = {
    "polars": by_polars,
    "pandas": by_pandas,
    "datasets": by_datasets,
    "mlcroissant": by_croissant,
}


def readers(
    folder: Path,
    posts: list[dict[str, Any]],
    counted: list[dict[str, Any]],
    findings: Findings,
) -> None:
    """Hold what each reader loads against the file that the posts came from."""
    votes = Counter(sum(post["crowd_counts"].values()) for post in counted)
    expected = {
        "posts": len(posts),
        "texts": sorted(post["text"] for post in posts),
        "crowd counts": sorted(
            (post["item_id"], *(post["crowd_counts"][label] for label in LABELS))
            for post in counted
        ),
        "crowd votes": sum(number * times for number, times in votes.items()),
        "verdicts": Counter(
            Y[post["expert_legality"]] for post in posts if post["expert_legality"]
        ),
        "experts' votes": Counter(
            post["expert_legality"] for post in posts if post["expert_legality"]
        ),
        "experts": len({post["expert"] for post in posts if post["expert_legality"]}),
    }
    for name, read in READERS.items():
        found = figures(read(folder))
        for what, value in expected.items():
            findings.check(f"{what}, read by {name}", found[what] == value, True)


def figures(loaded: Loaded) -> dict[str, Any]:
    """Return the counts of a release as it was loaded."""
    posts, votes, verdicts = (loaded[table] for table in ("posts", "votes", "verdicts"))
    return {
        "posts": len(posts),
        "texts": sorted(row["text"] for row in posts),
        "crowd counts": sorted(
            (row["post_id"], *(row[f"crowd_{label}"] for label in LABELS))
            for row in posts
            if row["crowd_votes"]
        ),
        "crowd votes": sum(row["crowd_votes"] for row in posts),
        "verdicts": Counter(row["y"] for row in verdicts),
        "experts' votes": Counter(row["label"] for row in votes if row["stage"] == "legal"),
        "experts": len({row["annotator"] for row in votes if row["stage"] == "legal"}),
    }
