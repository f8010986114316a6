"""Money is exact: properties that hold for all amounts."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from crowd.algorithms.pay import CENT, earned, hourly_rate, to_cents

amounts = st.decimals(min_value=-(10**6), max_value=10**6, places=5)
cents = st.decimals(min_value=0, max_value=10**4, places=2)


@given(amounts)
def test_rounding_moves_by_half_a_cent_at_most_and_twice_changes_nothing(amount):
    rounded = to_cents(amount)
    assert abs(rounded - amount) <= CENT / 2
    assert to_cents(rounded) == rounded == rounded.quantize(CENT)


@given(st.integers(min_value=-(10**6), max_value=10**6))
def test_half_a_cent_goes_to_the_even_side(number):
    rounded = to_cents(Decimal(number) / 100 + Decimal("0.005"))
    assert int(rounded * 100) % 2 == 0


@given(st.lists(st.integers(min_value=0, max_value=10_000), max_size=20), cents)
def test_sittings_at_one_reward_sum_to_what_all_their_votes_earn(votes, reward):
    assert sum((earned(n, reward) for n in votes), Decimal(0)) == earned(sum(votes), reward)


@given(cents, st.floats(min_value=0.1, max_value=10**6))
def test_an_hourly_rate_gives_the_amount_back(amount, seconds):
    rate = hourly_rate(amount, seconds)
    assert rate is not None
    assert abs(rate * Decimal(str(seconds)) / 3600 - amount) <= CENT * Decimal(str(seconds)) / 3600


def test_without_time_there_is_no_hourly_rate():
    assert hourly_rate(Decimal(5), 0) is None
    assert hourly_rate(Decimal(5), 3600) == Decimal("5.00")
