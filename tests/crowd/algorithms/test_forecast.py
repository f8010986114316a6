"""What a batch costs, and when it ends: nothing is guessed from too little."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from crowd.algorithms.forecast import Cost, cost_of, end_of, votes_per_hour

NOW = datetime(2025, 3, 1, 12, tzinfo=UTC)
PAY = Decimal("0.18")
few = st.integers(0, 500)


def before(*minutes):
    return [NOW - timedelta(minutes=minute) for minute in minutes]


def test_the_papers_batch_costs_270_dollars_and_up_to_450_with_two_more_votes_for_ties():
    assert cost_of(posts=500, votes=3, tie_votes=0, reward=PAY) == Cost(
        least=Decimal("270.00"), most=Decimal("270.00")
    )
    most = cost_of(posts=500, votes=3, tie_votes=2, reward=PAY).most
    assert most == Decimal("450.00")


def test_answers_beyond_the_wanted_ones_are_paid_too():
    assert cost_of(posts=1, votes=3, tie_votes=0, reward=PAY, given=4).least == 4 * PAY


@given(few, few, few, few)
def test_the_cost_lies_between_all_unanimous_and_all_tied(posts, votes, ties, done):
    cost = cost_of(posts=posts, votes=votes, tie_votes=ties, reward=PAY, given=done)
    assert cost.least <= cost.most
    assert cost.least >= PAY * votes * posts
    assert cost.most >= PAY * done


def test_the_pace_counts_the_time_since_the_last_vote():
    assert votes_per_hour(before(10, 20, 30, 40, 60), NOW) == 5
    later = NOW + timedelta(hours=1)
    assert votes_per_hour(before(10, 20, 30, 40, 60), later) == 2.5


def test_too_few_votes_or_a_day_of_silence_give_no_pace():
    assert votes_per_hour(before(1, 2, 3, 4), NOW) is None
    assert votes_per_hour(before(1, 2, 3, 4, 5), NOW) is not None
    assert votes_per_hour(before(1500, 1501, 1502, 1503, 1504), NOW) is None
    assert votes_per_hour([NOW] * 5, NOW) is None


def test_the_end_is_as_far_as_the_votes_that_are_left():
    assert end_of(left=10, pace=5.0, now=NOW) == NOW + timedelta(hours=2)
    assert end_of(left=10, pace=None, now=NOW) is None
    assert end_of(left=0, pace=5.0, now=NOW) is None
    assert end_of(left=10**9, pace=0.01, now=NOW) is None
