"""Majorities, ties and soft labels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.aggregation import NoVotesError, majority, majority_of_choices, soft_label

COUNTS = st.dictionaries(st.sampled_from(["Aa", "BB", "c", "d"]), st.integers(0, 5), min_size=1)


@pytest.mark.parametrize(
    ("counts", "label", "tie", "share"),
    [
        ({"no": 0, "unclear": 1, "yes": 2}, "yes", False, 2 / 3),
        ({"no": 1, "unclear": 1, "yes": 1}, None, True, 1 / 3),
        ({"a": 2, "b": 2, "c": 1}, None, True, 2 / 5),
        ({"a": 2, "b": 1, "c": 1}, "a", False, 1 / 2),
        ({"a": 3, "b": 0}, "a", False, 1.0),
        ({"Aa": 1, "BB": 1}, None, True, 1 / 2),
        ({"a": 0}, None, False, 0.0),
        ({}, None, False, 0.0),
    ],
)
def test_majority(counts, label, tie, share):
    result = majority(counts)
    assert (result.label, result.tie, result.share) == (label, tie, share)
    assert result.counts == counts
    assert result.votes == sum(counts.values())


def test_a_tie_names_the_labels_that_share_first_place():
    assert majority({"a": 2, "b": 1, "c": 2}).tied == ("a", "c")
    assert majority({"a": 2, "b": 1}).tied == ()


def test_unanimous_needs_votes():
    assert majority({"a": 1, "b": 0}).unanimous
    assert not majority({"a": 2, "b": 1}).unanimous
    assert not majority({}).unanimous


def test_negative_counts_are_refused():
    with pytest.raises(ValueError, match="negative"):
        majority({"a": -1})


@given(COUNTS)
def test_the_order_of_labels_does_not_matter(counts):
    there, back = majority(counts), majority(dict(reversed(counts.items())))
    assert (there.label, there.tie, set(there.tied)) == (back.label, back.tie, set(back.tied))


ISSUES = ["defamation", "hate_speech", "election_laws"]


def test_choices_need_more_than_half_of_the_voters():
    votes = [["hate_speech", "defamation"], ["defamation"], []]
    result = majority_of_choices(votes, ISSUES)
    assert result.chosen == ("defamation",)
    assert result.counts == {"defamation": 2, "hate_speech": 1, "election_laws": 0}
    assert result.voters == 3


def test_half_is_not_enough_and_repeats_count_once():
    votes = [["defamation", "defamation"], ["hate_speech"]]
    assert majority_of_choices(votes, ISSUES).chosen == ()


def test_chosen_come_in_the_order_given():
    votes = [["election_laws", "defamation"]]
    assert majority_of_choices(votes, ISSUES).chosen == ("defamation", "election_laws")


def test_no_voters_choose_nothing():
    assert majority_of_choices([], ISSUES).chosen == ()


def test_an_unknown_choice_is_refused():
    with pytest.raises(ValueError, match="not among those given: arson"):
        majority_of_choices([["arson"]], ISSUES)


def test_soft_label():
    assert soft_label({"a": 1, "b": 3, "c": 0}) == {"a": 0.25, "b": 0.75, "c": 0.0}
    with pytest.raises(NoVotesError):
        soft_label({"a": 0})


@given(COUNTS.filter(lambda counts: sum(counts.values())))
def test_shares_add_up_to_one_and_agree_with_the_majority(counts):
    shares = soft_label(counts)
    assert sum(shares.values()) == pytest.approx(1)
    assert max(shares.values()) == pytest.approx(majority(counts).share)


def test_majorities_of_a_real_round_agree_with_what_was_recorded():
    path = Path(__file__).resolve().parents[4] / "shared" / "data" / "mislc_interim_670.jsonl"
    if not path.exists():
        pytest.skip(f"{path} is not here, so nothing was compared with it.")
    posts = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    counted = [post for post in posts if post["crowd_counts"]]
    assert len(counted) == 556
    for post in counted:
        recorded = post["crowd_majority"].lower().replace(" ", "_")
        assert majority(post["crowd_counts"]).label == recorded
