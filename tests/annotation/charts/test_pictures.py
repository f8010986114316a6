"""What pictures are made of: the numbers that were given, and no more of them than are shown."""

import pytest

from annotation.charts import MOST_SERIES
from tests.annotation.charts.sample import (
    AT,
    HOSTILE,
    PANELS,
    bar_picture,
    heat_picture,
    histogram_picture,
    interval_picture,
    line_picture,
    stack_picture,
    week_picture,
)


def values_of(picture):
    """Return all rows of the data in a picture."""
    found = []

    def look(node):
        if isinstance(node, dict):
            found.extend(node["data"]["values"] if "values" in node.get("data", {}) else [])
            for one in node.values():
                look(one)
        elif isinstance(node, list):
            for one in node:
                look(one)

    look(picture.to_dict())
    return found


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.title)
def test_a_histogram_has_the_counts_of_each_bin_one_upon_the_other(panel):
    rows = [row for row in values_of(histogram_picture()) if row["panel"] == panel.title]
    steps = {
        kind: [row for row in rows if row.get("kind") == kind and row["from"] < AT.edges[-1]]
        for kind in ("stayed", "left")
    }
    for kind, counts in (("stayed", panel.lower), ("left", panel.upper)):
        assert [row["high"] - row["low"] for row in steps[kind]] == counts
        assert [row["from"] for row in steps[kind]] == list(AT.edges[:-1])
    assert [row["high"] for row in steps["stayed"]] == [row["low"] for row in steps["left"]]


def test_a_threshold_is_marked_once_in_each_panel_and_beyond_the_axis_at_its_end():
    marks = [row["mark"] for row in values_of(histogram_picture()) if "mark" in row]
    assert marks == [0.02, AT.edges[-1]]


def test_a_line_has_its_values_at_the_whole_numbers_from_0():
    rows = [row for row in values_of(line_picture()) if row.get("series") == "Trial 1"]
    assert [(row["at"], row["value"]) for row in rows] == [(0, 9), (1, 6 - 1 / 9)]
    assert {"value": 4} in values_of(line_picture())


def test_as_many_lines_as_there_may_be_differ_in_colour_or_in_shape():
    encoding = line_picture(MOST_SERIES).to_dict()["layer"][1]["encoding"]
    pairs = zip(
        encoding["color"]["scale"]["range"], encoding["shape"]["scale"]["range"], strict=True
    )
    assert len(set(pairs)) == MOST_SERIES


def test_bars_and_intervals_have_the_values_and_the_words_given():
    rows = [(row["group"], row["value"], row["shown"]) for row in values_of(bar_picture())]
    assert rows == [(HOSTILE, 40, "40%"), (HOSTILE, 60, "60%")]
    rows = [(row["low"], row["value"], row["high"]) for row in values_of(interval_picture())[-2:]]
    assert rows == [(0.0, 0.1, 0.2), (-0.3, -0.3, -0.3)]


def test_a_whole_is_parted_without_a_gap_and_a_whole_of_nothing_has_no_parts():
    parts = [
        (row["kind"], row["from"], row["to"], row["share"]) for row in values_of(stack_picture())
    ]
    assert parts == [("One", 0, 0.75, 0.75), ("Other", 0.75, 1, 0.25)]


def test_cells_are_darker_the_greater_their_share_of_the_line_is_and_margins_are_not():
    cells = {(row["line"], row["column"]): row for row in values_of(heat_picture())}
    assert {key: cell["shown"] for key, cell in cells.items()} == {
        ("A", HOSTILE): "1", ("A", "B"): "9", ("A", "All"): "10",
        ("All", HOSTILE): "1", ("All", "B"): "9", ("All", "All"): "10",
    }  # fmt: skip
    assert [cells["A", column]["step"] for column in (HOSTILE, "B", "All")] == ["1", "5", "0"]
    assert {cells["All", column]["step"] for column in (HOSTILE, "B", "All")} == {"0"}


def test_a_course_has_its_values_and_intervals_week_by_week_and_is_broken_where_it_is_undefined():
    rows = [row for row in values_of(week_picture()) if row.get("course") == "Stage 1"]
    assert [(row["week"], row["value"], row["low"], row["high"]) for row in rows[:3]] == [
        ("2026-W52", 0.5, 0.4, 0.6),
        ("2026-W53", None, None, None),
        ("2027-W01", 0.7, None, None),
    ]
    assert {"value": 0.8} in values_of(week_picture())
