"""Krippendorff's alpha against published examples, the reference package, and its own meaning."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotation.agreement import Undefined, count_patterns, krippendorff_alpha

EXAMPLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "krippendorff_examples.json"


def alpha_of(patterns, seed=1):
    return krippendorff_alpha(patterns, generator=np.random.default_rng(seed))


def patterns_of_matrix(matrix):
    labels = sorted({value for row in matrix for value in row if value is not None})
    columns = zip(*matrix, strict=True)
    posts = [Counter(str(value) for value in column if value is not None) for column in columns]
    return count_patterns(posts, [str(label) for label in labels])


def test_published_matrices():
    if not EXAMPLES.exists():
        pytest.skip(f"{EXAMPLES} is not here, so nothing was compared with it.")
    matrices = json.loads(EXAMPLES.read_text(encoding="utf-8"))["matrices"]
    assert matrices
    for matrix in matrices:
        alpha = alpha_of(patterns_of_matrix(matrix["matrix"])).alpha
        assert alpha == pytest.approx(matrix["exact"]["nominal"], abs=1e-9), matrix["name"]


def test_a_case_worked_by_hand():
    # Two posts, two votes each: (2, 0) and (1, 1). n = 4, n_a = 3, n_b = 1.
    # A_o = (2 + 0) / 4 = 1/2; A_e = (3·2 + 1·0) / (4·3) = 1/2; alpha = 0.
    assert alpha_of({(2, 0): 1, (1, 1): 1}).alpha == pytest.approx(0, abs=1e-12)


PATTERNS = st.integers(2, 4).flatmap(
    lambda labels: st.dictionaries(
        st.tuples(*[st.integers(0, 4)] * labels), st.integers(1, 6), min_size=1, max_size=6
    )
)


def defined(patterns):
    found = alpha_of(patterns)
    assume(found.alpha is not None)
    return found


@given(PATTERNS)
def test_it_equals_the_reference_package(patterns):
    found = defined(patterns)
    expanded = np.repeat(np.array(list(patterns)), list(patterns.values()), axis=0)
    expected = krippendorff.alpha(value_counts=expanded, level_of_measurement="nominal")
    assert found.alpha == pytest.approx(float(expected), abs=1e-9)


@given(PATTERNS, st.randoms(use_true_random=False))
def test_the_order_of_posts_does_not_matter(patterns, random):
    shuffled = list(patterns.items())
    random.shuffle(shuffled)
    assert alpha_of(dict(shuffled)) == alpha_of(patterns)


@given(PATTERNS, st.randoms(use_true_random=False))
def test_the_names_of_labels_do_not_matter(patterns, random):
    places = list(range(len(next(iter(patterns)))))
    random.shuffle(places)
    renamed = {tuple(pattern[place] for place in places): n for pattern, n in patterns.items()}
    there, back = alpha_of(patterns), alpha_of(renamed)
    assert there.undefined == back.undefined
    assert there.alpha == (None if back.alpha is None else pytest.approx(back.alpha))


@given(PATTERNS)
def test_posts_with_fewer_than_two_votes_do_not_matter(patterns):
    labels = len(next(iter(patterns)))
    single = (1, *[0] * (labels - 1))
    without = {pattern: n for pattern, n in patterns.items() if sum(pattern) >= 2}
    assume(without)
    there, back = alpha_of({**without, single: 9, (0,) * labels: 4}), alpha_of(without)
    assert (there.alpha, there.interval) == (back.alpha, back.interval)
    assert there.paired_posts == back.paired_posts
    assert there.posts == back.posts + 9


@given(st.lists(st.integers(2, 5), min_size=2, max_size=5), st.integers(2, 50))
def test_perfect_agreement_on_two_labels_or_more_is_one(votes, posts):
    patterns = {
        tuple(count if place == label else 0 for place in range(len(votes))): posts
        for label, count in enumerate(votes)
    }
    found = alpha_of(patterns)
    assert found.alpha == 1.0
    assert found.interval == (1.0, 1.0) or found.interval is None


@given(PATTERNS)
def test_the_interval_is_ordered_and_below_one(patterns):
    found = defined(patterns)
    assert found.alpha <= 1 + 1e-12
    if found.interval:
        low, high = found.interval
        assert low <= high <= 1 + 1e-12


def test_the_interval_narrows_with_posts_and_holds_alpha():
    few, many = (
        alpha_of({(3, 0): 4 * n, (2, 1): 2 * n, (1, 2): n, (0, 3): 3 * n}) for n in (2, 50)
    )
    assert few.alpha == pytest.approx(many.alpha, abs=0.05)
    assert few.interval[0] < many.interval[0] < many.alpha < many.interval[1] < few.interval[1]


def test_the_interval_is_that_of_a_plain_bootstrap():
    patterns = {(3, 0): 30, (2, 1): 15, (1, 2): 10, (0, 3): 20}
    posts = np.repeat(np.array(list(patterns)), list(patterns.values()), axis=0)
    generator = np.random.default_rng(7)
    plain = [
        krippendorff.alpha(
            value_counts=posts[generator.integers(0, len(posts), len(posts))],
            level_of_measurement="nominal",
        )
        for _ in range(1_000)
    ]
    assert alpha_of(patterns).interval == pytest.approx(np.percentile(plain, [2.5, 97.5]), abs=0.03)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    patterns = {(3, 0): 30, (2, 1): 15, (0, 3): 20}
    assert alpha_of(patterns, 1).interval == alpha_of(patterns, 1).interval
    assert alpha_of(patterns, 1).interval != alpha_of(patterns, 2).interval


@pytest.mark.parametrize(
    ("patterns", "undefined"),
    [
        ({}, Undefined.NO_VOTES),
        ({(0, 0): 3}, Undefined.NO_VOTES),
        ({(1, 0): 5, (0, 1): 5}, Undefined.NO_PAIRS),
        ({(3, 0): 5}, Undefined.ONE_LABEL),
        ({(3, 0): 5, (0, 1): 5}, Undefined.ONE_LABEL),
        ({(3,): 5}, Undefined.ONE_LABEL),
    ],
)
def test_undefined_is_said_and_is_no_number(patterns, undefined):
    found = alpha_of(patterns)
    assert (found.alpha, found.interval) == (None, None)
    assert found.undefined is undefined
    assert found.reason.endswith(".")


def test_a_single_paired_post_has_no_interval():
    found = alpha_of({(1, 1): 1, (1, 0): 30})
    assert found.alpha is not None
    assert found.interval is None


def test_what_it_rests_on_is_counted():
    found = alpha_of({(2, 1): 4, (1, 0): 3, (0, 0): 2, (0, 2): 1})
    assert (found.posts, found.votes) == (8, 17)
    assert (found.paired_posts, found.paired_votes) == (5, 14)
    assert found.reason == ""


def test_labels_of_equal_length_are_different_labels():
    posts = [{"Aa": 1, "BB": 1}] * 10
    assert alpha_of(count_patterns(posts, ["Aa", "BB"])).alpha < 0


@given(st.lists(st.lists(st.sampled_from(["Aa", "BB", "AaAa", "BBBB"]), max_size=4), max_size=8))
def test_labels_whose_hashes_are_alike_elsewhere_count_as_any_other_names(posts):
    # Java's strings give “Aa” and “BB” one hash, and an alpha that compared hashes made them one.
    alike = ["Aa", "BB", "AaAa", "BBBB"]
    plain = dict(zip(alike, "wxyz", strict=True))
    renamed = [Counter(plain[label] for label in post) for post in posts]
    there = alpha_of(count_patterns(map(Counter, posts), alike))
    assert there == alpha_of(count_patterns(renamed, "wxyz"))


@given(st.integers(2, 5), st.integers(1, 40))
def test_with_nothing_in_common_alpha_is_below_zero(labels, posts):
    found = alpha_of({(1,) * labels: posts})
    # A_o = 0 and A_e = (posts − 1) / (posts · labels − 1), so alpha = −A_e / (1 − A_e).
    expected = (posts - 1) / (posts * labels - 1)
    assert found.alpha == pytest.approx(-expected / (1 - expected), abs=1e-12)
    assert found.alpha < 0 or posts == 1


def test_labels_outside_the_set_are_refused():
    with pytest.raises(ValueError, match="outside the label set: c"):
        count_patterns([{"a": 1, "c": 1}], ["a", "b"])


@pytest.mark.parametrize("patterns", [{(1, 1): 1, (1, 1, 1): 1}, {(-1, 3): 1}, {(1, 1): -1}])
def test_patterns_that_make_no_sense_are_refused(patterns):
    with pytest.raises(ValueError):
        alpha_of(patterns)


def test_a_million_posts_cost_no_more_than_a_hundred():
    patterns = {(a, b, 5 - a - b): 50_000 + a for a in range(6) for b in range(6 - a)}
    assert sum(patterns.values()) > 1_000_000
    start = time.perf_counter()
    assert alpha_of(patterns).interval is not None
    assert time.perf_counter() - start < 1
