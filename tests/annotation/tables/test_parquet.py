"""Parquet, and that its heavy library stays away until a file is opened."""

from __future__ import annotations

import datetime as dt
import decimal
import subprocess
import sys

import pytest

from annotation.tables import BadRow, Row, RowFault, TableError, TableFault, open_table

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def table_of(tmp_path):
    def make(columns, names=None):
        path = tmp_path / "posts.parquet"
        table = pa.table(columns) if names is None else pa.Table.from_arrays(columns, names=names)
        pq.write_table(table, path)
        return open_table(path)

    return make


def test_rows_keep_types_and_are_numbered(table_of):
    table = table_of({"id": [1359350943356174337, 2], "text": ["a\nb", None], "tags": [["x"], []]})
    assert table.columns == ("id", "text", "tags")
    assert list(table) == [
        Row(1, {"id": 1359350943356174337, "text": "a\nb", "tags": ["x"]}),
        Row(2, {"id": 2, "text": None, "tags": []}),
    ]


def test_what_json_cannot_hold_becomes_text_or_none(table_of):
    moment = dt.datetime(2023, 2, 1, 12, 30, tzinfo=dt.UTC)
    columns = {
        "t": [moment],
        "d": [decimal.Decimal("1.50")],
        "f": [float("nan")],
        "b": [b"\xc3\xa9"],
    }
    (row,) = table_of(columns)
    assert row.values == {"t": moment.isoformat(), "d": "1.50", "f": None, "b": "é"}


def test_bytes_that_are_no_text_and_nul_are_bad_rows(table_of):
    rows = list(table_of({"text": [b"\xff", b"a\0b", b"fine"]}))
    assert [getattr(row, "fault", None) for row in rows] == [RowFault.NOT_TEXT, RowFault.NUL, None]


def test_a_text_column_with_broken_text_costs_its_row_only(table_of):
    broken = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0\3\0\0\0"), pa.py_buffer(b"\xffok")]
    )
    rows = list(table_of([broken], ["text"]))
    assert isinstance(rows[0], BadRow)
    assert rows[1] == Row(2, {"text": "ok"})


def test_many_rows_come_in_order(table_of):
    table = table_of({"id": list(range(2_500))})
    assert [row.values["id"] for row in table] == list(range(2_500))


def test_faults_of_the_whole_file_are_refused(table_of, tmp_path):
    with pytest.raises(TableError) as caught:
        table_of([pa.array([1]), pa.array([2])], ["id", "id"])
    assert caught.value.fault is TableFault.REPEATED_COLUMN
    with pytest.raises(TableError) as caught:
        table_of({"id": pa.array([], pa.int64())})
    assert caught.value.fault is TableFault.HEADER_ONLY
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 and nothing else")
    with pytest.raises(TableError) as caught:
        open_table(broken)
    assert caught.value.fault is TableFault.BAD_PARQUET


def test_importing_the_package_does_not_load_pyarrow():
    code = "import sys, annotation.tables; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
