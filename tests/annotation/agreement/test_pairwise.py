"""Percent agreement, which is not alpha."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.agreement import pair_matrix, pairwise_percent_agreement


def test_pairs_are_counted_over_all_posts():
    found = pairwise_percent_agreement({(3, 0): 2, (1, 1): 1, (1, 0): 9})
    assert (found.share, found.pairs, found.posts) == (pytest.approx(6 / 7), 7, 3)


def test_it_says_that_it_is_not_corrected_for_chance():
    found = pairwise_percent_agreement({(3, 0): 5})
    assert found.share == 1.0
    assert "not corrected for chance" in found.method


@pytest.mark.parametrize("patterns", [{}, {(1, 0): 4}])
def test_without_a_pair_there_is_no_share(patterns):
    assert pairwise_percent_agreement(patterns).share is None


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=5), max_size=6))
def test_it_equals_counting_every_pair(posts):
    pairs = [pair for post in posts for pair in combinations(post, 2)]
    patterns: dict[tuple[int, ...], int] = {}
    for post in posts:
        pattern = tuple(post.count(label) for label in "abc")
        patterns[pattern] = patterns.get(pattern, 0) + 1
    found = pairwise_percent_agreement(patterns)
    assert found.pairs == len(pairs)
    if pairs:
        assert found.share == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))


@given(st.dictionaries(st.tuples(*[st.integers(0, 4)] * 3), st.integers(1, 5), max_size=6))
def test_the_matrix_counts_each_pair_of_votes_from_both_sides(patterns):
    expected = [[0] * 3 for _label in range(3)]
    for pattern, posts in patterns.items():
        votes = [label for label, number in enumerate(pattern) for _vote in range(number)]
        for one, other in permutations(votes, 2):
            expected[one][other] += posts
    found = pair_matrix(patterns)
    assert [list(line) for line in found] == (expected if patterns else [])
    agreement = pairwise_percent_agreement(patterns)
    assert sum(map(sum, found)) == 2 * agreement.pairs
