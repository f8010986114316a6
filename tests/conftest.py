"""Fixtures that all tests share."""

import pytest
from django.test import Client

from annotation.models import Member, User
from tests.cast import Cast, make_cast


@pytest.fixture(autouse=True)
def uncounted(request, monkeypatch):
    """Leave tables uncounted, unless a test is about that.

    A count outlives the rows of a test, which are never committed: the tables would be known as
    empty, and a plan for empty tables takes minutes over the 670 posts of the next test.
    """
    if "counted" not in request.fixturenames:
        monkeypatch.setattr("annotation.services.planning.analyze", lambda tables: None)


@pytest.fixture
def counted(transactional_db):
    """Count tables as at work; they are emptied afterwards."""


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def sign_in():
    """Return a function that gives a signed-in client for a member or an account."""

    def client_of(person: Member | User) -> Client:
        client = Client()
        client.force_login(person.user if isinstance(person, Member) else person)
        return client

    return client_of
