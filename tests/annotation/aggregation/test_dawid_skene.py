"""Dawid and Skene's estimate: the published example, and what holds for any votes."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.aggregation import NoVotesError
from annotation.aggregation.dawid_skene import DawidSkene, Votes, dawid_skene
from tests.annotation.aggregation import anaesthetists

# The paper's estimates: error rates of the five anaesthetists, to two decimals.
PUBLISHED = [
    [[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0], [0, 0, 0.56, 0.44]],
    [[0.83, 0.17, 0, 0], [0.05, 0.63, 0.31, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
    [[1, 0, 0, 0], [0.11, 0.79, 0.11, 0], [0, 0.40, 0.20, 0.40], [0, 0, 0.67, 0.33]],
    [[0.94, 0.06, 0, 0], [0.05, 0.84, 0.10, 0], [0, 0, 0.80, 0.20], [0, 0, 0.33, 0.67]],
    [[1, 0, 0, 0], [0.16, 0.74, 0.11, 0], [0, 0.21, 0.79, 0], [0, 0, 0.33, 0.67]],
]


def estimate(votes: Votes, **more: float) -> DawidSkene:
    sizes = {
        name: int(getattr(votes, name).max(initial=-1)) + 1
        for name in ("posts", "people", "labels")
    }
    return dawid_skene(votes, **sizes, **more)


def made_of(rows: list[tuple[int, int, int]]) -> Votes:
    posts, people, labels = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    return Votes(posts, people, labels)


def test_the_published_example_comes_out_as_published():
    found = estimate(anaesthetists.votes())
    assert found.converged
    assert found.shares == pytest.approx([0.40, 0.42, 0.11, 0.07], abs=0.006)
    assert found.error_rates == pytest.approx(np.array(PUBLISHED), abs=0.006)
    assert found.posteriors.argmax(axis=1)[[0, 1, 2, 10]].tolist() == [0, 3, 1, 3]
    assert found.posteriors[6] == pytest.approx([0.98, 0.02, 0, 0], abs=0.006)
    assert found.posteriors[37] == pytest.approx([0, 0.02, 0.98, 0], abs=0.006)


@st.composite
def some_votes(draw):
    """Votes of up to five people on up to eight posts; each post and each person has one."""
    posts, people, labels = (draw(st.integers(1, most)) for most in (8, 5, 4))
    cells = [(post, person) for post in range(posts) for person in range(people)]
    chosen = draw(st.lists(st.sampled_from(cells), min_size=1, unique=True))
    assume({post for post, _ in chosen} == set(range(posts)))
    assume({person for _, person in chosen} == set(range(people)))
    rows = [(post, person, draw(st.integers(0, labels - 1))) for post, person in chosen]
    return made_of(rows), {"posts": posts, "people": people, "labels": labels}


@given(some_votes())
@settings(max_examples=150, deadline=None)
def test_chances_are_chances_and_the_same_votes_give_the_same(drawn):
    votes, sizes = drawn
    found, again = dawid_skene(votes, **sizes), dawid_skene(votes, **sizes)
    assert np.array_equal(found.posteriors, again.posteriors)
    assert np.isfinite(found.posteriors).all() and (found.posteriors >= 0).all()
    assert found.posteriors.sum(axis=1) == pytest.approx(1)
    assert found.shares.sum() == pytest.approx(1)
    known = found.error_rates[~np.isnan(found.error_rates).any(axis=2)]
    assert known.sum(axis=1) == pytest.approx(1)
    assert ((found.skills() >= -1e-9) & (found.skills() <= 1 + 1e-9)).all()


@given(some_votes(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_order_of_votes_does_not_matter(drawn, random):
    votes, sizes = drawn
    order = list(range(len(votes.posts)))
    random.shuffle(order)
    shuffled = Votes(votes.posts[order], votes.people[order], votes.labels[order])
    found, other = dawid_skene(votes, **sizes), dawid_skene(shuffled, **sizes)
    assert np.array_equal(other.posteriors, found.posteriors)


@given(some_votes())
@settings(max_examples=100, deadline=None)
def test_each_round_makes_the_votes_more_likely(drawn):
    votes, sizes = drawn
    reached = [
        dawid_skene(votes, **sizes, tolerance=0, most_rounds=rounds).log_likelihood
        for rounds in range(1, 8)
    ]
    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(reached))


def test_people_of_known_skill_are_found_again_and_outvote_a_careless_majority():
    generator = np.random.default_rng(7)
    truth = generator.integers(0, 3, 600)
    skills = np.array([0.95, 0.9, 0.4, 0.35, 0.4])
    right = generator.random((600, 5)) < skills
    said = np.where(
        right, truth[:, None], (truth[:, None] + generator.integers(1, 3, (600, 5))) % 3
    )
    votes = Votes(np.repeat(np.arange(600), 5), np.tile(np.arange(5), 600), said.ravel())
    found = estimate(votes)
    assert found.skills() == pytest.approx(skills, abs=0.06)
    counts = np.stack([(said == label).sum(axis=1) for label in range(3)], axis=1)
    by_majority = (counts.argmax(axis=1) == truth).mean()
    assert (found.posteriors.argmax(axis=1) == truth).mean() > by_majority + 0.05


def test_where_all_agree_all_are_right():
    found = estimate(
        made_of([(post, person, post % 2) for post in range(6) for person in range(3)])
    )
    assert found.posteriors.argmax(axis=1).tolist() == [0, 1] * 3
    assert found.skills() == pytest.approx(1)


def test_thousands_of_votes_on_one_post_do_not_underflow():
    rows = [(0, person, person % 3 == 0) for person in range(3_000)]
    rows += [(1, person, 1) for person in range(3_000)]
    found = estimate(made_of(rows))
    assert np.isfinite(found.posteriors).all() and np.isfinite(found.log_likelihood)


def test_it_stops_after_the_rounds_allowed_and_says_so():
    found = estimate(anaesthetists.votes(), most_rounds=2)
    assert found.rounds == 2 and not found.converged


def test_no_votes_and_votes_for_nothing_are_refused():
    nothing = np.array([], dtype=np.int64)
    with pytest.raises(NoVotesError):
        dawid_skene(Votes(nothing, nothing, nothing), posts=0, people=0, labels=2)
    with pytest.raises(ValueError, match="not there"):
        dawid_skene(made_of([(0, 0, 2)]), posts=1, people=1, labels=2)
    with pytest.raises(ValueError, match="Every post"):
        dawid_skene(made_of([(0, 0, 1)]), posts=2, people=1, labels=2)
    one = np.array([0])
    with pytest.raises(ValueError, match="one length"):
        dawid_skene(Votes(one, one, np.array([0, 1])), posts=1, people=1, labels=2)
