"""Counts the queries that a page needs: a list of twenty must cost what a list of ten does."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext


def queries_for(client: Client, address: str) -> int:
    """Return how many queries a page needs once sessions and caches are warm."""
    assert client.get(address).status_code == 200
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)
