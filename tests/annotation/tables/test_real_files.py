"""Real files, where they are at hand: counts and texts against an independent reading."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from annotation.tables import CsvWriter, Row, open_table

FOLDER = Path(__file__).resolve().parents[4] / "shared" / "data"


def real(name: str) -> Path:
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"{path} is not here, so nothing was compared with it.")
    return path


def independently(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("ct22_en_three_way.csv", 4_542),
        ("md_agreement_items.csv", 10_753),
        ("md_agreement_votes.csv", 53_765),
    ],
)
def test_every_cell_is_exact(name, count):
    path = real(name)
    rows = list(open_table(path))
    assert len(rows) == count
    assert all(isinstance(row, Row) for row in rows)
    assert [row.values for row in rows] == independently(path)


def test_tweets_survive_a_second_writing(tmp_path):
    table = open_table(real("ct22_en_three_way.csv"))
    again = tmp_path / "again.csv"
    with CsvWriter(again, table.columns) as writer:
        for row in table:
            writer.write(row.values)
    assert [row.values for row in open_table(again)] == [row.values for row in table]


def test_the_line_is_where_the_row_starts():
    path = real("ct22_en_three_way.csv")
    physical = path.read_bytes().split(b"\n")
    for row in open_table(path):
        start = physical[row.line - 1].decode("utf-8", "replace")
        assert start.startswith(f"{row.values['split']},{row.values['tweet_id']},")
