"""What pictures are made of: the numbers that were given, and no more of them than are shown."""

import pytest

from annotation.charts import MOST_SERIES
from tests.annotation.charts.sample import (
    AT,
    HOSTILE,
    PANELS,
    bar_picture,
    histogram_picture,
    interval_picture,
    line_picture,
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
