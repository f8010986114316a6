"""Rates: counted by token and by address, said in headers, and nobody's hurdle without Redis."""

import pytest
from django.test import override_settings
from redis.exceptions import ConnectionError as NoRedis

from infra import counting
from tests.api import Caller, caller, refusal_of

pytestmark = pytest.mark.django_db

LIMITS = {"requests": 3, "failures": 2}


@pytest.fixture
def within_a_minute(monkeypatch):
    """Stand still in the middle of a window that nobody else counts in."""
    counting.client().delete(*counting.client().keys("juryroom:count:failures:*") or ["none"])
    monkeypatch.setattr(counting, "_silent_until", 0.0)
    monkeypatch.setattr(counting.time, "time", lambda: 1_000_000_020.0)
    yield
    counting.client().delete(*counting.client().keys("juryroom:count:*:16666667") or ["none"])


@override_settings(API_LIMITS=LIMITS)
def test_a_token_that_asks_too_often_waits_and_others_do_not(cast, within_a_minute):
    hasty, calm = caller(cast.owner), caller(cast.researcher)
    answers = [hasty.get("study") for _number in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[0]["RateLimit-Policy"] == '"requests";q=3;w=60'
    assert [answer["RateLimit"].split(";")[1] for answer in answers] == ["r=2", "r=1", "r=0", "r=0"]
    assert refusal_of(answers[3]) == (429, "too_many_requests")
    assert 1 <= int(answers[3]["Retry-After"]) <= 60
    assert calm.get("study").status_code == 200


@override_settings(API_LIMITS=LIMITS)
def test_tokens_that_are_none_are_counted_by_address_and_good_ones_still_pass(
    cast, within_a_minute
):
    codes = [Caller(f"jr_{number}", cast.study.slug).get("study") for number in range(3)]
    assert [answer.status_code for answer in codes] == [401, 401, 429]
    assert "Retry-After" in codes[2]
    assert caller(cast.owner).get("study").status_code == 200


@override_settings(API_LIMITS=LIMITS)
def test_without_redis_nobody_waits_and_it_is_left_alone_for_a_while(cast, monkeypatch):
    asked = []

    class Gone:
        @staticmethod
        def cache_clear():
            pass

        def pipeline(self, **_options):
            asked.append(1)
            raise NoRedis("gone")

    monkeypatch.setattr(counting, "_silent_until", 0.0)
    monkeypatch.setattr(counting, "client", Gone)
    api = caller(cast.owner)
    answers = [api.get("study") for _number in range(5)]
    assert {answer.status_code for answer in answers} == {200}
    assert len(asked) == 1 and "RateLimit" not in answers[0]


def test_a_request_costs_one_call_of_redis(cast, monkeypatch):
    calls = []
    real = counting.client().connection_pool.get_connection

    def counted(*arguments, **options):
        calls.append(arguments)
        return real(*arguments, **options)

    monkeypatch.setattr(counting, "_silent_until", 0.0)
    monkeypatch.setattr(counting.client().connection_pool, "get_connection", counted)
    assert caller(cast.worker).post("work_next").status_code == 200
    assert len(calls) == 1


@pytest.mark.parametrize("address", ["", "redis://127.0.0.1:1/0", "redis+socket:///no/such.sock"])
def test_counting_neither_starts_redis_nor_waits_for_it(monkeypatch, address):
    monkeypatch.setattr("infra.broker.broker_address", lambda: address)
    monkeypatch.setattr(counting, "_silent_until", 0.0)
    monkeypatch.setattr("time.sleep", lambda _seconds: pytest.fail("it waits"))
    counting.client.cache_clear()
    assert counting.count_in_window("anything", 60) is None
    assert counting._silent_until > 0


@pytest.mark.parametrize(
    ("broker", "client"),
    [
        ("redis://:pw@host:6379/2", "redis://:pw@host:6379/2"),
        ("redis+socket://:p%2Fw@/a/b.sock?virtual_host=0", "unix://:p%2Fw@/a/b.sock?db=0"),
    ],
)
def test_an_address_of_the_queue_is_spelt_as_the_client_takes_it(broker, client):
    assert counting.client_url(broker) == client
