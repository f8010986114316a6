"""Who gets what: every address of the site, asked by everybody; no object of another study."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth import get_user
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.models import Assignment, Member, User
from annotation.services.tokens import make_token
from tests.api import refusal_of
from tests.permissions import MEMBERS, PEOPLE, TABLE, Row
from tests.world import Worlds, build_worlds

pytestmark = pytest.mark.django_db

METHODS = ("GET", "POST")
API_METHODS = (*METHODS, "PATCH", "PUT", "DELETE", "OPTIONS")
OBJECTS = [row for row in TABLE if row.has_object]
POSTS = [row for row in TABLE if row.method == "POST" and not row.is_api]
API = [row for row in TABLE if row.is_api]
OF_ONE_PERSON = (
    "work_",
    "prescreening_",
    "legal_submit",
    "legal_skip",
    "legal_extend",
    "legal_keep_draft",
    "legal_park",
    "legal_take_up",
    "legal_correct",
    "legal_evidence_file",
    "legal_own_file",
    "legal_detach_file",
)
HELD = [row for row in OBJECTS if row.name.removeprefix("api_").startswith(OF_ONE_PERSON)]


@pytest.fixture(scope="module")
def worlds(django_db_setup: None, django_db_blocker: Any) -> Iterator[Worlds]:
    """Build both studies once; everything goes with the transaction around the module."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield build_worlds()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def clients(worlds: Worlds) -> dict[str, Client]:
    return {name: client_of(worlds.person(name)) for name in PEOPLE}


def client_of(user: Any, **options: Any) -> Client:
    client = Client(raise_request_exception=False, **options)
    if user:
        client.force_login(user)
    return client


def ask(client: Client, row: Row, arguments: list[Any], method: str = "") -> HttpResponse:
    """Send a request and undo whatever it did, signing out included."""
    return ask_at(client, row, reverse(row.name, args=arguments), method or row.method)


def ask_at(client: Client, row: Row, address: str, method: str) -> HttpResponse:
    cookies = deepcopy(client.cookies)
    with transaction.atomic():
        if row.is_api:
            response = ask_api(client, row, address, method)
        else:
            response = client.generic(
                method,
                address,
                urlencode(row.body),
                "application/x-www-form-urlencoded",
            )
        transaction.set_rollback(True)
    client.cookies = cookies
    return response


def ask_api(client: Client, row: Row, address: str, method: str) -> HttpResponse:
    """Ask the API as whoever is signed in, by a token of theirs and without the session."""
    user = get_user(client)
    headers = {}
    if isinstance(user, User):
        _token, secret = make_token(by=user, name="a test")
        headers = {"Authorization": f"Bearer {secret}"}
    content = json.dumps(row.body) if method != "GET" else ""
    bare = Client(raise_request_exception=False)
    return bare.generic(method, address, content, "application/json", headers=headers)


def addresses(resolver: URLResolver) -> Iterator[URLPattern]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern)
        else:
            yield pattern


def who_may(row: Row) -> str:
    """Return somebody who may, a member where the address is a study's."""
    return max(row.may, key=PEOPLE.index)


def test_every_address_is_in_the_table_and_nothing_else():
    known = {pattern.name for pattern in addresses(get_resolver())}
    listed = {row.name for row in TABLE}
    assert known - listed == set(), "not in tests/permissions.py"
    assert listed - known == set(), "in tests/permissions.py, but no address"
    assert len({(row.name, row.method) for row in TABLE}) == len(TABLE)


@pytest.mark.parametrize("row", TABLE, ids=str)
def test_everybody_gets_what_the_table_says(row, worlds, clients):
    arguments = row.arguments(worlds.here)
    answers = {name: ask(clients[name], row, arguments) for name in PEOPLE}
    found = {name: answer.status_code for name, answer in answers.items()}
    assert found == {name: row.status_for(name) for name in PEOPLE}
    if row.in_study and not row.is_api:
        assert answers["anonymous"]["Location"].startswith(reverse("account_login"))


@pytest.mark.parametrize("name", sorted({row.name for row in TABLE}))
def test_a_method_that_is_not_in_the_table_is_refused(name, worlds, clients):
    rows = [row for row in TABLE if row.name == name]
    person = clients[who_may(rows[0])]
    methods = API_METHODS if rows[0].is_api else METHODS
    for method in set(methods) - {row.method for row in rows}:
        answer = ask(person, rows[0], rows[0].arguments(worlds.here), method)
        assert answer.status_code == 405, f"{method} {name}"


@pytest.mark.parametrize("row", OBJECTS, ids=str)
def test_an_object_is_not_there_through_another_study(row, worlds):
    role = who_may(row)
    stranger = client_of(getattr(worlds.other.cast, role).user)
    arguments = [worlds.other.slug, *row.arguments(worlds.here)[1:]]
    assert ask(stranger, row, arguments).status_code == 404


@pytest.mark.parametrize("row", OBJECTS, ids=str)
def test_an_object_that_does_not_exist_is_not_found(row, worlds, clients):
    study, _which, *more = row.arguments(worlds.here)
    for wrong in (0, 987_654_321, 10**40):
        assert ask(clients[who_may(row)], row, [study, wrong, *more]).status_code == 404, wrong


@pytest.mark.parametrize("row", OBJECTS, ids=str)
def test_a_null_in_the_place_of_an_object_is_not_found(row, worlds, clients):
    study, which, *more = row.arguments(worlds.here)
    address = reverse(row.name, args=[study, which, *more])
    wrong = address.replace(f"/{which}/", "/%00/").replace(f"/{which}", "/%00")
    assert wrong != address
    assert ask_at(clients[who_may(row)], row, wrong, row.method).status_code == 404


def colleagues(row: Row, worlds: Worlds) -> Iterator[Client]:
    """Yield members of the same role as the person whose assignment the address names."""
    study, which, *_more = row.arguments(worlds.here)
    assignment = Assignment.objects.get(pk=which)
    others = Member.objects.filter(study__slug=study, role=assignment.member.role)
    for member in others.exclude(pk=assignment.member_id):
        yield client_of(member.user)


@pytest.mark.parametrize("row", HELD, ids=str)
def test_what_one_person_holds_is_not_there_for_a_colleague(row, worlds):
    asked = list(colleagues(row, worlds))
    assert len(asked) == 2
    for client in asked:
        assert ask(client, row, row.arguments(worlds.here)).status_code == 404


@pytest.mark.parametrize("row", POSTS, ids=str)
def test_a_form_without_its_token_is_refused(row, worlds):
    person = worlds.person(who_may(row))
    client = client_of(person, enforce_csrf_checks=True)
    answer = ask(client, row, row.arguments(worlds.here))
    assert answer.status_code == 403
    assert "403_csrf.html" in [template.name for template in answer.templates]


def test_who_has_left_a_study_finds_nothing_there(worlds, clients):
    with transaction.atomic():
        Member.objects.filter(pk=worlds.here.cast.owner.pk).update(is_active=False)
        assert clients["owner"].get(reverse("study", args=[worlds.here.slug])).status_code == 404
        transaction.set_rollback(True)


def test_a_permission_given_on_top_opens_its_pages_and_no_others(worlds, clients):
    study = [worlds.here.slug]
    with transaction.atomic():
        given = Member.objects.filter(pk=worlds.here.cast.expert.pk)
        given.update(permissions=["see_results", "no_such_permission"])
        assert clients["expert"].get(reverse("crowd", args=study)).status_code == 200
        assert clients["expert"].get(reverse("imports", args=study)).status_code == 403
        transaction.set_rollback(True)


def test_a_refusal_says_why_and_a_stranger_learns_nothing(worlds, clients):
    refused = clients["worker"].get(reverse("crowd", args=[worlds.here.slug]))
    assert refused.status_code == 403
    assert "Your role in this study (Crowd worker) does not open this page." in words(refused)
    real = clients["stranger"].get(reverse("study", args=[worlds.here.slug]))
    invented = clients["stranger"].get(reverse("study", args=["no-such-study"]))
    assert real.status_code == invented.status_code == 404
    assert words(real) == words(invented)


def test_browsers_keep_no_page_of_a_study(worlds, clients):
    page = clients["worker"].get(reverse("work", args=[worlds.here.slug]))
    assert page["Cache-Control"] == "private, no-store"


def words(response: HttpResponse) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())


def test_names_of_the_table_are_people_of_the_world(worlds):
    assert {name for row in TABLE for name in row.may} <= set(PEOPLE)
    assert all(worlds.person(name) for name in PEOPLE if name != "anonymous")
    assert set(MEMBERS) < set(PEOPLE)


@pytest.mark.parametrize("row", API, ids=str)
def test_the_api_says_what_is_wrong_in_one_shape(row, worlds, clients):
    arguments = row.arguments(worlds.here)
    answers = [ask(clients[name], row, arguments) for name in ("anonymous", "stranger", "worker")]
    for answer in answers:
        if answer.status_code >= 400:
            assert refusal_of(answer)


@pytest.mark.parametrize("row", [row for row in API if row.in_study], ids=str)
def test_a_session_opens_nothing_of_the_api(row, worlds, clients):
    address = reverse(row.name, args=row.arguments(worlds.here))
    client = clients[who_may(row)]
    assert client.generic(row.method, address, "{}", "application/json").status_code == 401
