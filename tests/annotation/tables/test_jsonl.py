"""JSON Lines with everything that may stand in them."""

from __future__ import annotations

import json

import pytest

from annotation.tables import CELL_LIMIT, BadRow, Row, RowFault, TableError, TableFault, open_table


@pytest.fixture
def table_of(tmp_path):
    def make(*lines: str, encoding: str = "utf-8"):
        path = tmp_path / "posts.jsonl"
        path.write_bytes("\n".join(lines).encode(encoding))
        return open_table(path)

    return make


GOOD = '{"id": 1, "text": "a"}'


def test_values_keep_their_types(table_of):
    table = table_of(
        '{"id": 1359350943356174337, "text": "a", "n": [1.5, null, {"x": true}]}', GOOD
    )
    assert table.columns == ("id", "text", "n")
    first, second = table
    assert first.values == {"id": 1359350943356174337, "text": "a", "n": [1.5, None, {"x": True}]}
    assert second == Row(2, {"id": 1, "text": "a"})


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"id": 1', RowFault.BAD_JSON),
        ("id,text", RowFault.BAD_JSON),
        ("[" * 100_000, RowFault.BAD_JSON),
        ('{"id": ' + "1" * 5_000 + "}", RowFault.BAD_JSON),
        ("[1, 2]", RowFault.NOT_AN_OBJECT),
        ('"text"', RowFault.NOT_AN_OBJECT),
        ('{"id": 1, "id": 2}', RowFault.REPEATED_NAME),
        ('{"id": NaN}', RowFault.NOT_A_NUMBER),
        ('{"id": -Infinity}', RowFault.NOT_A_NUMBER),
        ('{"id": 1e999}', RowFault.NOT_A_NUMBER),
        (r'{"id": 1, "text": "a\u0000b"}', RowFault.NUL),
        (r'{"id": 1, "text": {"deep": ["\ud83d"]}}', RowFault.LONE_SURROGATE),
        (r'{"\ude00": 1}', RowFault.LONE_SURROGATE),
        (json.dumps({"id": 1, "text": "x" * (CELL_LIMIT + 1)}), RowFault.CELL_TOO_LONG),
    ],
)
def test_a_line_that_is_no_good_is_a_bad_row(table_of, line, fault):
    rows = list(table_of(GOOD, "", line, GOOD))
    assert [row.line for row in rows] == [1, 3, 4]
    bad = rows[1]
    assert isinstance(bad, BadRow)
    assert bad.fault is fault
    assert bad.reason.endswith((".", "}."))
    bad.reason.encode()


def test_escapes_of_whole_characters_are_fine(table_of):
    (row,) = table_of(r'{"id": 1, "text": "\ud83d\ude42 \\u0000 \u00e9"}')
    assert row.values["text"] == r"🙂 \u0000 é"


def test_line_separators_of_unicode_do_not_split_a_line(table_of):
    (row,) = table_of('{"text": "a\u2028b\u0085c"}')
    assert row.values["text"] == "a\u2028b\u0085c"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks_are_no_part_of_the_first_line(table_of, encoding):
    (row,) = table_of('{"text": "é"}', encoding=encoding)
    assert row.values == {"text": "é"}


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (("[", '{"id": 1}', "]"), None),
        (('[{"id": 1}, {"id": 2}]',), TableFault.JSON_ARRAY),
        (("id,text", "1,a"), TableFault.NO_OBJECTS),
        (("", "  "), TableFault.EMPTY),
    ],
)
def test_a_file_that_is_no_json_lines_is_refused(table_of, lines, fault):
    if fault is None:
        assert [type(row) for row in table_of(*lines)] == [BadRow, Row, BadRow]
        return
    with pytest.raises(TableError) as caught:
        table_of(*lines)
    assert caught.value.fault is fault
