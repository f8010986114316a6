"""A connection that the server ended is replaced before it is used; a living one is not asked."""

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def kept():
    """Return a connection that is kept from request to request, as the web process has it."""
    live = connections.create_connection("default")
    live.settings_dict = {**live.settings_dict, "CONN_HEALTH_CHECKS": True}
    live.connect()
    yield live
    live.close()


def next_request(live):
    """Do what happens to connections when a request comes in."""
    live.health_check_enabled, live.health_check_done = True, False


def backend_of(live):
    return live.connection.info.backend_pid


def test_a_connection_that_the_server_ended_is_replaced_unnoticed(kept):
    ended = backend_of(kept)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [ended])
    next_request(kept)
    with kept.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)
    assert backend_of(kept) != ended


def test_a_living_connection_is_used_without_a_question(kept):
    same = backend_of(kept)
    next_request(kept)
    with CaptureQueriesContext(kept) as captured, kept.cursor() as cursor:
        cursor.execute("SELECT 1")
    assert backend_of(kept) == same and kept.health_check_done
    assert [query["sql"] for query in captured] == ["SELECT 1"]


def test_plans_are_kept_whatever_else_the_connection_asks_for(kept):
    with kept.cursor() as cursor:
        cursor.execute("SHOW plan_cache_mode")
        assert cursor.fetchone() == ("force_generic_plan",)
