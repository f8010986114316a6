"""Finding out what a file is."""

from __future__ import annotations

import gzip
import zipfile

import pytest

from annotation.tables import TableError, TableFault, open_table


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.csv", "id,text\n1,a\n", "csv"),
        ("a.TSV", "id\ttext\n1\ta\n", "tsv"),
        ("a.ndjson", '{"id": 1}\n', "jsonl"),
        ("upload", '\ufeff{"id": 1}\n', "jsonl"),
        ("upload", "id,text\n1,a\n", "csv"),
    ],
)
def test_the_format_is_found_by_name_or_content(tmp_path, name, content, expected):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    assert open_table(path).format == expected


def test_a_chosen_format_goes_before_the_name(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text('{"id": 1}\n', encoding="utf-8")
    assert open_table(path, format="jsonl").format == "jsonl"


def test_a_spreadsheet_and_packed_files_are_refused_with_advice(tmp_path):
    book = tmp_path / "posts.csv"
    with zipfile.ZipFile(book, "w") as archive:
        archive.writestr("xl/workbook.xml", "")
    with pytest.raises(TableError, match="Save it as CSV"):
        open_table(book)
    packed = tmp_path / "posts.csv.gz"
    packed.write_bytes(gzip.compress(b"id,text\n1,a\n"))
    with pytest.raises(TableError, match="Unpack it first"):
        open_table(packed)


def test_an_unknown_format_is_refused(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id\n1\n", encoding="utf-8")
    with pytest.raises(TableError) as caught:
        open_table(path, format="xml")
    assert caught.value.fault is TableFault.UNKNOWN_FORMAT
