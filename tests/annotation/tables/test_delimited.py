"""CSV and TSV as people really send them."""

from __future__ import annotations

import csv
import io
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.tables import (
    CELL_LIMIT,
    ROW_LIMIT,
    BadRow,
    Row,
    RowFault,
    Table,
    TableError,
    TableFault,
    open_table,
)


def table_of(
    tmp_path: Path, content: str | bytes, name: str = "posts.csv", **options: str
) -> Table:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return open_table(path, **options)


def read(tmp_path: Path, content: str | bytes, name: str = "posts.csv", **options: str):
    rows = list(table_of(tmp_path, content, name, **options))
    good = [row for row in rows if isinstance(row, Row)]
    return good, [row for row in rows if isinstance(row, BadRow)]


def refusal(tmp_path: Path, content: str | bytes, name: str = "posts.csv", **options: str):
    with pytest.raises(TableError) as caught:
        table_of(tmp_path, content, name, **options)
    return caught.value


def test_a_row_knows_the_line_on_which_it_starts(tmp_path):
    good, bad = read(tmp_path, 'id,text\n1,"one\ntwo\nthree"\n\n2,plain\n')
    assert [(row.line, row.values["text"]) for row in good] == [
        (2, "one\ntwo\nthree"),
        (6, "plain"),
    ]
    assert not bad


def test_cells_stay_text_as_written(tmp_path):
    good, _ = read(tmp_path, 'id,text\n1359350943356174337," a\r\nb\rc ""d"" 👩‍👩‍👧 שלום "\n007,\n')
    assert good[0].values == {
        "id": "1359350943356174337",
        "text": ' a\r\nb\rc "d" 👩‍👩‍👧 שלום ',
    }
    assert good[1].values == {"id": "007", "text": ""}


def test_record_ends_of_windows_are_no_part_of_the_cells(tmp_path):
    good, bad = read(tmp_path, "id,text\r\n1,a\r\n2,b\r\n")
    assert [row.values for row in good] == [{"id": "1", "text": "a"}, {"id": "2", "text": "b"}]
    assert not bad


def test_a_wrong_number_of_cells_is_a_bad_row_with_its_line(tmp_path):
    good, bad = read(tmp_path, "id,text\n1,a\n2,b,c\n3\n4,d\n")
    assert [row.line for row in good] == [2, 5]
    assert [(row.line, row.fault) for row in bad] == [
        (3, RowFault.CELL_COUNT),
        (4, RowFault.CELL_COUNT),
    ]
    assert bad[0].reason.startswith("This row has 3 cells, but the header names 2 columns.")
    assert bad[0].raw == "2,b,c"


def test_a_lone_quote_costs_one_line_and_not_the_rest_of_the_file(tmp_path):
    rest = "".join(f"{number},text {number}\n" for number in range(2, 5_000))
    good, bad = read(tmp_path, f'id,text\n1,"lone\n{rest}')
    assert [(row.line, row.fault) for row in bad] == [(2, RowFault.UNCLOSED_QUOTE)]
    assert len(good) == 4_998
    assert good[0].line == 3


def test_a_lone_quote_before_quoted_rows_costs_one_line(tmp_path):
    good, bad = read(tmp_path, 'id,text\n1,"lone\n2,fine\n3,"x, y"\n4,z\n')
    assert [(row.line, row.fault) for row in bad] == [(2, RowFault.STRAY_QUOTE)]
    assert [row.values["id"] for row in good] == ["2", "3", "4"]


def test_the_tail_of_a_broken_cell_is_not_taken_for_a_row(tmp_path):
    good, bad = read(tmp_path, 'id,text\n1,"he said "no" to\nthis, and that"\n2,b\n')
    assert [row.line for row in bad] == [2, 3]
    assert [row.values["id"] for row in good] == ["2"]


def test_a_quote_inside_an_unquoted_cell_is_a_character(tmp_path):
    good, bad = read(tmp_path, 'id,text\n1,a 5" screen\n2,b\n')
    assert good[0].values["text"] == 'a 5" screen'
    assert not bad


def test_a_nul_byte_is_a_bad_row_that_can_be_shown(tmp_path):
    good, bad = read(tmp_path, "id,text\n1,a\0b\n2,c\n")
    assert [(row.line, row.fault) for row in bad] == [(2, RowFault.NUL)]
    assert "\0" not in bad[0].raw
    assert [row.line for row in good] == [3]


@pytest.mark.parametrize("inside", ["x", "x\n"])
def test_a_cell_that_is_too_long_is_one_bad_row(tmp_path, inside):
    giant = inside * (CELL_LIMIT // len(inside) + 1)
    good, bad = read(tmp_path, f'id,text\n1,"{giant}"\n2,b\n')
    assert [(row.line, row.fault) for row in bad] == [(2, RowFault.CELL_TOO_LONG)]
    assert "text" in bad[0].reason
    assert "100000" in bad[0].reason
    assert len(bad[0].raw) <= 1_000
    assert [row.values["id"] for row in good] == ["2"]


def test_a_cell_at_the_limit_is_good(tmp_path):
    good, bad = read(tmp_path, f"id,text\n1,{'x' * CELL_LIMIT}\n")
    assert len(good[0].values["text"]) == CELL_LIMIT
    assert not bad


def test_a_line_without_end_is_cut_and_the_next_one_read(tmp_path):
    good, bad = read(tmp_path, f"id,text\n1,{'x' * (2 * ROW_LIMIT + 5)}\n2,b\n")
    assert [(row.line, row.fault) for row in bad] == [(2, RowFault.ROW_TOO_LONG)]
    assert [(row.line, row.values["id"]) for row in good] == [(3, "2")]


def test_blank_lines_and_rows_of_empty_cells_are_passed_over(tmp_path):
    good, bad = read(tmp_path, "\nid,text\n\n1,a\n,\n  \n")
    assert [(row.line, row.values["id"]) for row in good] == [(4, "1")]
    assert not bad


@pytest.mark.parametrize(
    ("encoding", "stated"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("cp1252", "cp1252"),
    ],
)
def test_the_encoding_is_found_and_stated(tmp_path, encoding, stated):
    content = "id,text\n1,café “quoted” — naïve\n".encode(encoding)
    table = table_of(tmp_path, content)
    assert table.encoding == stated
    assert table.columns == ("id", "text")
    assert [row.values["text"] for row in table] == ["café “quoted” — naïve"]


def test_utf16_with_the_other_byte_order_is_read(tmp_path):
    content = b"\xfe\xff" + "id,text\n1,é\n".encode("utf-16-be")
    assert [row.values["text"] for row in table_of(tmp_path, content)] == ["é"]


def test_bytes_without_meaning_in_windows_are_latin_1(tmp_path):
    table = table_of(tmp_path, b"id,text\n1,caf\xe9 \x81\n")
    assert table.encoding == "latin-1"


def test_a_chosen_utf8_does_not_put_the_byte_order_mark_into_the_name(tmp_path):
    content = "id,text\n1,é\n".encode("utf-8-sig")
    assert table_of(tmp_path, content, encoding="utf-8").columns == ("id", "text")


def test_one_broken_byte_in_utf8_is_one_bad_row(tmp_path):
    good, bad = read(tmp_path, "id,text\n1,é 🙂\n2,".encode() + b"\xff\n3,\xc3\xa9\n")
    assert [(row.line, row.fault) for row in bad] == [(3, RowFault.BROKEN_TEXT)]
    assert "utf-8" in bad[0].reason
    bad[0].raw.encode()
    assert [row.values["text"] for row in good] == ["é 🙂", "é"]


def test_half_a_character_in_utf16_is_a_bad_row(tmp_path):
    content = "id,text\n1,\ud83d\n2,b\n".encode("utf-16-le", "surrogatepass")
    good, bad = read(tmp_path, b"\xff\xfe" + content)
    assert [(row.line, row.fault) for row in bad] == [(2, RowFault.BROKEN_TEXT)]
    assert [row.values["id"] for row in good] == ["2"]


def test_a_cut_utf16_file_is_refused_with_its_line(tmp_path):
    content = "id,text\n1,b\n".encode("utf-16")[:-1]
    with pytest.raises(TableError) as caught:
        list(table_of(tmp_path, content))
    assert caught.value.fault is TableFault.WRONG_ENCODING


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_in_text_full_of_commas(tmp_path, delimiter):
    texts = ["well, well, well", "a; b; c", "1,5", "x | y", "one, two; three"]
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    writer.writerows([["id", "text", "label"], *[[n, text, "x"] for n, text in enumerate(texts)]])
    table = table_of(tmp_path, file.getvalue())
    assert table.delimiter == delimiter
    assert [row.values["text"] for row in table] == texts


def test_a_semicolon_wins_against_commas_in_unquoted_text(tmp_path):
    table = table_of(tmp_path, "id;text\n1;a, b, c\n2;d, e\n3;f\n")
    assert table.delimiter == ";"
    assert [row.values["text"] for row in table] == ["a, b, c", "d, e", "f"]


def test_a_header_with_commas_inside_does_not_mislead(tmp_path):
    table = table_of(tmp_path, "id;text, as posted\n1;a, b, c\n2;d\n3;e, f\n")
    assert table.columns == ("id", "text, as posted")


def test_the_name_tsv_prefers_tabs(tmp_path):
    table = table_of(tmp_path, "id\ttext\n1\ta,b\n2\tc,d\n", "posts.tsv")
    assert (table.format, table.delimiter) == ("tsv", "\t")


def test_a_chosen_delimiter_is_used(tmp_path):
    table = table_of(tmp_path, "id:text\n1:a\n", delimiter=":")
    assert table.columns == ("id", "text")


@pytest.mark.parametrize("delimiter", ["", "::", '"', "\n"])
def test_a_delimiter_that_is_none_is_refused(tmp_path, delimiter):
    fault = refusal(tmp_path, "id,text\n1,a\n", delimiter=delimiter).fault
    assert fault is TableFault.BAD_DELIMITER


def test_one_column_is_a_table_too(tmp_path):
    good, _ = read(tmp_path, "text\nhello\nworld\n")
    assert [row.values for row in good] == [{"text": "hello"}, {"text": "world"}]


@pytest.mark.parametrize("content", ["", "\n\n", "  \n"])
def test_an_empty_file_is_refused(tmp_path, content):
    error = refusal(tmp_path, content)
    assert error.fault is TableFault.EMPTY
    assert str(error).startswith("The file posts.csv is empty.")


def test_a_header_alone_is_refused(tmp_path):
    assert refusal(tmp_path, "id,text\n,\n").fault is TableFault.HEADER_ONLY


def test_two_columns_of_one_name_are_refused_with_their_places(tmp_path):
    error = refusal(tmp_path, "id,text, id \n1,a,2\n")
    assert error.fault is TableFault.REPEATED_COLUMN
    assert "called id (columns 1 and 3)" in str(error)


def test_columns_without_a_name_are_named_by_their_place(tmp_path):
    assert table_of(tmp_path, ",text,\n0,a,b\n").columns == ("column_1", "text", "column_3")


def test_a_broken_header_is_refused(tmp_path):
    error = refusal(tmp_path, 'id,"text\n1,a\n')
    assert error.fault is TableFault.BAD_HEADER
    assert "line 1" in str(error)


def test_an_unknown_encoding_is_refused(tmp_path):
    error = refusal(tmp_path, "id,text\n1,a\n", encoding="klingon")
    assert error.fault is TableFault.UNKNOWN_ENCODING


def test_a_table_can_be_read_twice_and_in_blocks(tmp_path):
    table = table_of(tmp_path, "id,text\n" + "".join(f"{n},t\n" for n in range(25)))
    blocks = list(table.blocks(10))
    assert [len(block) for block in blocks] == [10, 10, 5]
    assert [row for block in blocks for row in block] == list(table)


CELLS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0")
    | st.sampled_from("\",;\t\r\n '=|"),
    max_size=12,
)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8))
def test_what_the_csv_module_quotes_is_read_back_exactly(tmp_path_factory, rows):
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerows([["id", "text"], ["0", "first"], *rows])
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    path.write_bytes(file.getvalue().encode("utf-8"))
    read_back = [tuple(row.values.values()) for row in open_table(path, encoding="utf-8")]
    assert read_back == [
        ("0", "first"),
        *[row for row in rows if any(cell.strip() for cell in row)],
    ]


@given(st.binary(max_size=400), st.sampled_from(["csv", "tsv", "jsonl", "parquet"]))
def test_any_bytes_give_rows_or_a_sentence(tmp_path_factory, content, kind):
    path = tmp_path_factory.mktemp("bytes") / f"a.{kind}"
    path.write_bytes(content)
    try:
        sentences = [row.reason for row in open_table(path) if isinstance(row, BadRow)]
    except TableError as error:
        sentences = [str(error)]
    assert all(sentences)


@pytest.mark.parametrize("start", ["", '0,"lone quote '])
def test_memory_does_not_grow_with_the_file(tmp_path, start):
    line = "1," + "x" * 2_000 + "\n"
    table = table_of(tmp_path, f"id,text\n0,a\n{start}{line * 15_000}", delimiter=",")
    size = table.path.stat().st_size
    tracemalloc.start()
    count = sum(1 for _ in table)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 15_001
    assert peak < 8 * ROW_LIMIT < size
