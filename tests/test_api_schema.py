"""The OpenAPI description is valid, whole, and for people with a token or a session."""

import pytest
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from rest_framework.views import APIView

from annotation.api.description import written
from annotation.api.parsing import read
from tests.api import Caller, caller
from tests.api_for_pages import INSTEAD

pytestmark = pytest.mark.django_db


def endpoints(resolver: URLResolver, before: str = "/"):
    for pattern in resolver.url_patterns:
        way = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from endpoints(pattern, way)
        elif is_endpoint(pattern):
            yield way, pattern.callback.cls


def is_endpoint(pattern: URLPattern) -> bool:
    return issubclass(getattr(pattern.callback, "cls", object), APIView)


ENDPOINTS = dict(endpoints(get_resolver()))


@pytest.fixture(scope="module")
def made():
    GENERATOR_STATS.reset()
    return SchemaGenerator().get_schema(request=None, public=True)


def test_the_description_is_valid_and_made_without_a_warning(made, capsys):
    validate_schema(made)
    assert not GENERATOR_STATS._warn_cache and not GENERATOR_STATS._error_cache


def test_the_file_in_docs_is_current():
    kept = (settings.BASE_DIR / "docs" / "openapi.yaml").read_text(encoding="utf-8")
    assert kept == written(), "run script/openapi"


def test_every_endpoint_is_described_with_what_it_refuses(made):
    assert len(made["paths"]) == len(ENDPOINTS) - 1  # the description itself
    for address, methods in made["paths"].items():
        for method, told in methods.items():
            assert told["description"], (method, address)
            assert {"401", "422"} <= set(told["responses"]), (method, address)
            assert told["responses"]["401"]["content"]["application/problem+json"]["schema"] == {
                "$ref": "#/components/schemas/ProblemDetails"
            }


def test_whoever_is_signed_in_reads_it_and_nobody_else(cast, sign_in, client):
    address = reverse("api_schema")
    assert sign_in(cast.worker).get(address).json()["openapi"].startswith("3.")
    assert Caller(caller(cast.stranger).secret).get("schema").status_code == 200
    assert client.get(address).status_code == 401


def with_examples():
    for endpoint in ENDPOINTS.values():
        for method in ("post", "patch"):
            told = getattr(getattr(endpoint, method, None), "operation", None)
            if told and told.example is not None:
                yield pytest.param(told, id=f"{method} {endpoint.__name__}")


@pytest.mark.parametrize("told", list(with_examples()))
def test_what_an_example_shows_may_be_sent(told):
    assert read(told.sends(partial=told.is_partial), told.example)


def names(resolver: URLResolver) -> set[str]:
    found = set()
    for pattern in resolver.url_patterns:
        found |= names(pattern) if isinstance(pattern, URLResolver) else {str(pattern.name)}
    return found


def test_each_page_has_an_address_of_the_api_or_a_reason():
    known = names(get_resolver())
    api = {name.removeprefix("api_") for name in known if name.startswith("api_")}
    accounts = ("account_", "mfa_", "usersessions_")
    pages = {name for name in known if not name.startswith(("api_", *accounts))}
    assert pages - api - set(INSTEAD) == set(), "name what does the same, or why nothing does"
    assert set(INSTEAD) - pages == set(), "no such page"
    told = [instead for instead in INSTEAD.values() if not isinstance(instead, str)]
    assert {name for instead in told for name in instead} - api == set(), "no such address"
