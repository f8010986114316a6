"""Fixtures that all tests share."""

import pytest
from django.test import Client

from annotation.models import Member, User
from tests.cast import Cast, make_cast


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
