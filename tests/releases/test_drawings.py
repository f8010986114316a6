"""What charts are made of: label sets of any size, names that are taken, weeks without votes."""

import pytest

from annotation.charts import rendered
from annotation.services.week_drawings import every_week
from releases.algorithms import RowCounts, statistics
from releases.services.row_drawings import row_drawings, unlike

FIGURES = {
    "counts": {},
    "agreement": {"crowd": {"alpha": None, "interval": None, "posts": 0, "votes": 0}},
    "issue_names": {"defamation": "Defamation"},
    "open_tasks": {},
}
TRUTHS = ("tie", "decided", "no_claim", "no_claim_any", "defence", "defence_any")
VERDICT = dict.fromkeys(TRUTHS, False) | {
    "verdict": "mislc",
    "votes_yes": 2,
    "votes_unclear": 1,
    "votes_no": 0,
    "issues": ["defamation"],
    "evidence": [],
}


def drawn(labels, names=None):
    """Return the charts of one post on which each label has a vote and the first one more."""
    counts = RowCounts({label: f"crowd_{label}" for label in labels})
    post = {f"crowd_{label}": 1 + (label == labels[0]) for label in labels} if labels else {}
    leads = {"crowd_label": labels[0], "crowd_tie": False} if labels else {}
    counts.add(post | leads | {"filter_kept": None, "legal_votes": 3}, VERDICT)
    found = row_drawings(statistics(counts, FIGURES), names or {})
    return {drawing.name: drawing for drawing in found}


@pytest.mark.parametrize("count", [2, 9])
def test_a_label_set_of_any_size_is_drawn_with_all_its_numbers(count):
    labels = [f"label_{number}" for number in range(count)]
    drawing = drawn(labels)["labels-crowd"]
    votes = {row["label"]: row["count"] for row in drawing.rows if row["of"] == "crowd_votes"}
    assert votes == {label: 1 + (label == labels[0]) for label in labels}
    assert "<svg" in rendered(drawing, label="a").svg


def test_without_the_crowd_there_are_no_charts_of_it():
    assert set(drawn([])) == {"table-1", "issues", "labels-legal", "votes-per-post"}


def test_a_name_that_is_taken_gets_its_code_beside_it():
    names = {"one": "Tie", "two": "Same", "three": "Same"}
    assert unlike(["one", "two", "three"], names, ["Tie"]) == ["Tie (one)", "Same", "Same (three)"]
    alternative = drawn(["one", "two"], names)["crowd-by-verdict"].alternative
    assert "Tie (one): MisLC 1" in alternative and "Same: MisLC 0" in alternative


def test_weeks_without_votes_are_there_also_over_the_end_of_a_long_year():
    assert every_week(["2027-W02", "2026-W52"]) == ["2026-W52", "2026-W53", "2027-W01", "2027-W02"]
    assert every_week([]) == []
