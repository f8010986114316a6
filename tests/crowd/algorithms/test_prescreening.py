"""Tests of candidates are drawn as their seed says, and scored exactly."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crowd.algorithms.prescreening import (
    Answered,
    Known,
    Outcome,
    Requirements,
    draw_test,
    score_test,
)

LABELS = ("checkworthy", "not_checkworthy", "no_claim")
RULES = Requirements(pass_share=Fraction("0.70"), min_votes=10)

golds = st.sampled_from([*LABELS, None])
votes = st.sampled_from([*LABELS, None])
answers = st.lists(st.builds(Answered, golds, votes, st.just(False)), max_size=60)
pools = st.lists(golds, max_size=60).map(
    lambda found: [Known(number, gold) for number, gold in enumerate(found)]
)
requirements = st.builds(
    Requirements,
    st.fractions(0, 1, max_denominator=10_000),
    st.integers(1, 30),
    st.just(LABELS),
    st.integers(0, 4),
)


def a_test(correct, wrong, ambiguous=0, spared=0):
    """Return the answers of a test."""
    return [
        *[Answered("no_claim", "no_claim")] * correct,
        *[Answered("no_claim", "checkworthy")] * wrong,
        *[Answered(None, "checkworthy")] * ambiguous,
        *[Answered("no_claim", None, is_spared=True)] * spared,
    ]


@pytest.mark.parametrize(
    ("correct", "wrong", "ambiguous", "outcome"),
    [
        (7, 3, 0, Outcome.PASSED),  # exactly 70% of exactly ten
        (6, 4, 0, Outcome.FAILED),
        (6_999, 3_001, 0, Outcome.FAILED),  # 69.99%
        (7_000, 3_000, 0, Outcome.PASSED),
        (9, 0, 0, Outcome.UNDECIDED),  # nine are too few, however right
        (9, 0, 11, Outcome.UNDECIDED),
        (10, 0, 10, Outcome.PASSED),
        (0, 10, 10, Outcome.FAILED),
        (0, 0, 20, Outcome.UNDECIDED),  # the paper's case: all ambiguous
    ],
)
def test_seventy_percent_of_ten_unambiguous_votes_pass(correct, wrong, ambiguous, outcome):
    score = score_test(a_test(correct, wrong, ambiguous), RULES)
    assert (score.outcome, score.correct, score.scored) == (outcome, correct, correct + wrong)


def test_posts_that_one_merely_skips_make_a_test_fail_but_harmful_ones_do_not():
    skipped = [*a_test(9, 0), Answered("no_claim", None)]
    assert score_test(skipped, RULES).outcome is Outcome.FAILED
    assert score_test(a_test(9, 0, spared=1), RULES).outcome is Outcome.UNDECIDED
    assert score_test(a_test(10, 0, spared=5), RULES).outcome is Outcome.PASSED


def test_each_label_needs_its_votes():
    rules = Requirements(Fraction("0.70"), 2, LABELS[:2], min_per_label=1)
    one_sided = [Answered("checkworthy", "checkworthy")] * 3
    assert score_test(one_sided, rules).outcome is Outcome.UNDECIDED
    both = [*one_sided, Answered("not_checkworthy", "checkworthy")]
    assert score_test(both, rules).outcome is Outcome.PASSED


@given(answers, requirements)
def test_only_unambiguous_votes_are_scored_and_an_outcome_keeps_its_promise(given_answers, rules):
    score = score_test(given_answers, rules)
    known = [one for one in given_answers if one.gold and one.vote]
    assert score.scored == len(known)
    assert score.correct == sum(one.gold == one.vote for one in known)
    if score.outcome is Outcome.PASSED:
        assert score.scored >= rules.min_votes
        assert Fraction(score.correct, score.scored) >= rules.pass_share
    if score.outcome is Outcome.UNDECIDED:
        assert not rules.are_met_by(one.gold for one in given_answers)


@given(answers, requirements, votes)
def test_what_is_said_of_ambiguous_posts_never_matters(given_answers, rules, vote):
    more = [*given_answers, Answered(None, vote)]
    assert score_test(more, rules) == score_test(given_answers, rules)


@given(answers, requirements)
def test_a_right_answer_more_never_makes_somebody_fail(given_answers, rules):
    before = score_test(given_answers, rules).outcome
    after = score_test([*given_answers, Answered(LABELS[0], LABELS[0])], rules).outcome
    if before is Outcome.PASSED:
        assert after is Outcome.PASSED


@given(pools, st.integers(1, 30), requirements, st.booleans(), st.integers(0, 2**31))
def test_a_draw_has_its_size_no_post_twice_and_its_share_of_each_label(
    pool, size, rules, only_unambiguous, seed
):
    size = max(size, rules.min_per_label * len(LABELS))
    drawn = draw_test(
        pool, size=size, requirements=rules, only_unambiguous=only_unambiguous, seed=seed
    )
    gold_of = {post.task: post.gold for post in pool}
    usable = [post for post in pool if post.gold or not only_unambiguous]
    assert len(drawn) == len(set(drawn)) == min(size, len(usable))
    assert set(drawn) <= {post.task for post in usable}
    for label in LABELS:
        there = sum(post.gold == label for post in usable)
        got = sum(gold_of[task] == label for task in drawn)
        assert got >= min(rules.min_per_label, there)


@given(pools, st.integers(0, 2**31), st.integers(1, 30))
def test_the_same_seed_draws_the_same_posts_in_the_same_order(pool, seed, size):
    def draw():
        return draw_test(pool, size=size, requirements=RULES, only_unambiguous=False, seed=seed)

    assert draw() == draw()


def test_every_post_can_come_first():
    pool = [Known(number, LABELS[number % 3]) for number in range(9)]
    rules = Requirements(Fraction("0.70"), 1, LABELS, min_per_label=1)
    first = {
        draw_test(pool, size=3, requirements=rules, only_unambiguous=False, seed=seed)[0]
        for seed in range(200)
    }
    assert first == set(range(9))
