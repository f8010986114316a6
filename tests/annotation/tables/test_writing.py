"""Written files can be read back to the last character, and are what their checksum says."""

from __future__ import annotations

import csv
import hashlib
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.tables import CsvWriter, open_table, spreadsheet_safe_text

TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0")
    | st.sampled_from("\",;\t\r\n '=+-@"),
    max_size=20,
)
HARD = [
    '"',
    "a\r\nb",
    "a\rb",
    "\n",
    " a ",
    "\ta\t",
    "",
    ",",
    "👨‍👩‍👧‍👦 🇨🇦 1️⃣",
    "=1+1",
    "שלום",
    '""',
    "\u2028",
]


def written(writer, rows):
    with writer:
        for row in rows:
            writer.write(row)
    return writer.written


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6))
def test_csv_is_read_back_exactly(rows):
    stream = io.BytesIO()
    written(CsvWriter(stream, ["a", "b"]), [{"a": a, "b": b} for a, b in rows])
    text = io.TextIOWrapper(io.BytesIO(stream.getvalue()), encoding="utf-8", newline="")
    assert list(csv.reader(text, strict=True)) == [["a", "b"], *map(list, rows)]


@given(TEXTS)
def test_one_column_of_csv_is_read_back_exactly(cell):
    stream = io.BytesIO()
    written(CsvWriter(stream, ["a"]), [{"a": cell}])
    text = io.TextIOWrapper(io.BytesIO(stream.getvalue()), encoding="utf-8", newline="")
    assert list(csv.reader(text, strict=True)) == [["a"], [cell]]


def test_our_reader_gives_back_what_our_writer_wrote(tmp_path):
    path = tmp_path / "posts.csv"
    rows = [{"id": str(n), "text": text} for n, text in enumerate(HARD)]
    summary = written(CsvWriter(path, ["id", "text"]), rows)
    assert [row.values for row in open_table(path)] == rows
    assert summary.rows == len(rows)
    assert summary.size == path.stat().st_size
    assert summary.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_records_end_with_a_newline_only_and_plain_cells_stay_plain(tmp_path):
    stream = io.BytesIO()
    written(CsvWriter(stream, ["id", "text"]), [{"id": 1, "text": 'say "hi"'}])
    assert stream.getvalue() == b'id,text\n1,"say ""hi"""\n'


def test_values_that_are_no_text():
    stream = io.BytesIO()
    row = {"a": None, "b": True, "c": 1359350943356174337, "d": ["x", {"y": "é"}], "e": -1.5}
    written(CsvWriter(stream, list(row), spreadsheet_safe=True), [row])
    cells = list(csv.reader(io.StringIO(stream.getvalue().decode())))[1]
    assert cells == ["", "true", "1359350943356174337", '["x", {"y": "é"}]', "-1.5"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝"])
def test_the_safe_variant_neutralises_formulas_also_in_the_header(start):
    stream = io.BytesIO()
    written(CsvWriter(stream, [f"{start}h"], spreadsheet_safe=True), [{f"{start}h": f"{start}1"}])
    text = io.StringIO(stream.getvalue().decode(), newline="")
    assert list(csv.reader(text)) == [[f"'{start}h"], [f"'{start}1"]]
    assert spreadsheet_safe_text(f"a{start}") == f"a{start}"


def test_a_row_that_does_not_fit_the_header_is_refused():
    writer = CsvWriter(io.BytesIO(), ["a", "b"])
    with pytest.raises(ValueError, match="differ in these columns: b, c"):
        writer.write({"a": 1, "c": 2})


@pytest.mark.parametrize("text", ["a\0b", "\ud83d"])
def test_what_no_reader_could_give_back_is_refused(text):
    with pytest.raises(ValueError):
        CsvWriter(io.BytesIO(), ["a"]).write({"a": text})
