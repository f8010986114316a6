"""Tables as files: what is written is read back the same by Python, polars and pandas."""

import csv
import io
import json
import tempfile
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotation.tables import spreadsheet_safe_text
from releases.columns import LIST_SEPARATOR, VOTES, Type
from releases.layout import Layout
from releases.writing import TableFiles

LAYOUT = Layout(
    stages=("crowd", "legal"), splits=("train", "test"), has_text=True, labels=(), metadata=()
)
# PostgreSQL, from which every text comes, has neither NUL nor half characters.
ANY = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
TEXT = st.one_of(
    st.text(ANY, max_size=30),
    st.lists(st.sampled_from(list(",\"\r\n\t =+-@'a;＝")), max_size=8).map("".join),
)
CELLS = {
    Type.TEXT: TEXT,
    Type.WHOLE: st.integers(-(2**63), 2**63 - 1),
    Type.NUMBER: st.floats(allow_nan=False, allow_infinity=False),
    Type.TRUTH: st.booleans(),
    Type.TIME: st.integers(0, 2**32),
    Type.LIST: st.lists(st.from_regex(r"\A[a-z]{1,9}\Z"), max_size=3),
}
ROW = st.fixed_dictionaries(
    {column.name: st.none() | CELLS[column.type] for column in VOTES.columns}
    | {"split": st.sampled_from(["train", "test"])}
)
HOSTILE = dict.fromkeys([column.name for column in VOTES.columns]) | {
    "split": "test",
    "label": "=1+1\r",
    "comment": '  "a", b\r\n\r',
    "kind": "",
    "issues": [],
}


def written(rows, folder, *, block=3):
    with TableFiles(folder, LAYOUT, VOTES) as files:
        for start in range(0, len(rows), block):
            part = rows[start : start + block]
            files.write(files.frame({name: [row[name] for row in part] for name in HOSTILE}))
    return files.written


def as_csv(column, value):
    """Return what a cell of CSV says."""
    if value is None:
        return None
    if column.type == Type.LIST:
        return LIST_SEPARATOR.join(value)
    if column.type == Type.TRUTH:
        return str(value).lower()
    if column.type == Type.TIME:
        return pd.Timestamp(value, unit="s", tz="UTC").isoformat()
    return value


@settings(max_examples=60)
@given(rows=st.lists(ROW, max_size=7))
@example(rows=[HOSTILE])
def test_csv_is_read_back_to_the_last_character_with_nulls_apart_from_empty_texts(rows):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written(rows, folder)
        path = folder / "csv" / "votes.csv"
        wanted = [{c.name: as_csv(c, row[c.name]) for c in VOTES.columns} for row in rows]
        types = {c.name: pl.String for c in VOTES.columns}
        numbers = {"round": pl.Int64, "seconds": pl.Float64}
        by_polars = pl.read_csv(path, schema=types | numbers).to_dicts()
        with path.open(encoding="utf-8", newline="") as file:
            by_python = list(csv.DictReader(file))
        by_pandas = pd.read_csv(path, dtype=str, keep_default_na=False)
        for column in VOTES.columns:
            texts = [row[column.name] for row in wanted]
            if column.type in {Type.TEXT, Type.LIST, Type.TRUTH, Type.TIME}:
                assert [row[column.name] for row in by_polars] == texts
                assert [row[column.name] for row in by_python] == [one or "" for one in texts]
                assert by_pandas[column.name].tolist() == [one or "" for one in texts]
        assert [row["seconds"] for row in by_polars] == [row["seconds"] for row in rows]
        assert [row["round"] for row in by_polars] == [row["round"] for row in rows]


@settings(max_examples=40)
@given(rows=st.lists(ROW, max_size=7))
@example(rows=[HOSTILE])
def test_parquet_and_json_lines_hold_the_same_rows(rows):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = written(rows, folder)
        lines = (folder / "jsonl" / "votes.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
        wanted = [
            row | {"voted_at": as_csv(column, row["voted_at"])}
            for row in rows
            for column in VOTES.columns
            if column.type == Type.TIME
        ]
        assert [json.loads(line) for line in lines] == wanted
        for split in ("train", "test"):
            found = pq.read_table(folder / "data" / f"votes-{split}.parquet").to_pylist()
            for row in found:
                if row["voted_at"] is not None:
                    row["voted_at"] = row["voted_at"].isoformat()
            assert found == [row for row in wanted if row["split"] == split]
            assert files[f"data/votes-{split}.parquet"].rows == len(found)


@settings(max_examples=40)
@given(rows=st.lists(ROW, max_size=5))
@example(rows=[HOSTILE])
def test_the_copy_for_spreadsheets_differs_in_an_apostrophe_alone(rows):
    with tempfile.TemporaryDirectory() as name:
        written(rows, Path(name))
        exact, safe = (
            list(csv.reader(io.StringIO((Path(name) / form).read_bytes().decode(), newline="")))
            for form in ("csv/votes.csv", "spreadsheet/votes.csv")
        )
        assert exact[0] == safe[0]
        texts = [n for n, c in enumerate(VOTES.columns) if c.type in {Type.TEXT, Type.LIST}]
        for first, second in zip(exact[1:], safe[1:], strict=True):
            for place, cell in enumerate(first):
                is_text = place in texts
                assert second[place] == (spreadsheet_safe_text(cell) if is_text else cell)


def test_a_label_in_the_name_of_a_column_cannot_run_either(tmp_path):
    labels = ("=1+1", '@a,"b"')
    layout = Layout(stages=("crowd",), splits=("test",), has_text=True, labels=labels, metadata=())
    posts = next(table for table in layout.tables if table.name == "posts")
    with TableFiles(tmp_path, layout, posts):
        pass
    for form in ("csv", "spreadsheet"):
        with (tmp_path / form / "posts.csv").open(encoding="utf-8", newline="") as file:
            header = next(csv.reader(file))
        assert header == [column.name for column in posts.columns]
        assert "crowd_=1+1" in header and not [name for name in header if name[0] in "=+-@"]


def test_a_table_without_rows_is_a_header_and_an_empty_parquet_file_with_its_types(tmp_path):
    files = written([], tmp_path)
    assert {one.rows for one in files.values()} == {0}
    assert (tmp_path / "jsonl/votes.jsonl").read_bytes() == b""
    schema = pq.read_schema(tmp_path / "data/votes-test.parquet")
    assert str(schema.field("seconds").type) == "double"
    assert str(schema.field("issues").type).startswith("list<")


def test_a_file_that_is_there_is_not_written_over(tmp_path):
    written([HOSTILE], tmp_path)
    with pytest.raises(FileExistsError):
        written([HOSTILE], tmp_path)
