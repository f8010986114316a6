"""Who is signed in is read with the session, and forgotten with it."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Session, User
from annotation.sessions import SessionStore
from tests.queries import queries_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def person():
    return User.objects.create_user("person", password="a long enough one")


@pytest.fixture
def client(person):
    browser = Client()
    browser.force_login(person)
    return browser


def is_signed_in(client):
    return client.get("/profile/").status_code == 200


def test_a_session_names_its_account(client, person):
    assert Session.objects.get().user == person


def test_a_session_without_an_account_belongs_to_nobody():
    store = SessionStore()
    store["seen"] = 1
    store.create()
    assert Session.objects.get().user is None


def test_session_and_account_are_read_in_one_statement(client):
    is_signed_in(client)
    assert queries_for(client, "/profile/") == 1


def test_a_new_password_ends_the_other_sessions(client, person):
    assert is_signed_in(client)
    person.set_password("another long one")
    person.save()
    assert not is_signed_in(client)


def test_who_may_not_sign_in_any_more_is_signed_out(client, person):
    assert is_signed_in(client)
    User.objects.filter(pk=person.pk).update(is_active=False)
    assert not is_signed_in(client)


def test_a_session_that_was_signed_out_of_or_deleted_is_nobodys(client):
    key = client.session.session_key
    assert is_signed_in(client)
    Session.objects.filter(session_key=key).delete()
    assert not is_signed_in(client)


def test_a_session_ends_by_time_and_is_then_forgotten(client, person):
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert not is_signed_in(client)
    SessionStore.clear_expired()
    assert not Session.objects.filter(user=person).exists()


def test_nobody_becomes_another_account_by_signing_in_anew(client, person):
    other = User.objects.create_user("other", password="a long enough one")
    client.force_login(other)
    assert list(Session.objects.values_list("user", flat=True)) == [other.pk]
    assert client.get("/profile/").wsgi_request.user == other
