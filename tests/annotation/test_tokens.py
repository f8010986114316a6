"""Tokens: made and revoked by whom they belong to, shown once, stored as a digest."""

import pytest
from django.urls import reverse

from annotation.models import ApiToken
from annotation.services.tokens import MOST_TOKENS, make_token, revoke_token, use_token
from tests.api import Caller, caller, refusal_of

pytestmark = pytest.mark.django_db

NEW = {"name": "one more", "scopes": ["read"], "days": 90}


def test_a_token_is_shown_once_and_not_stored(cast, sign_in):
    client = sign_in(cast.owner)
    made = client.post(reverse("tokens"), NEW | {"name": "my laptop"})
    secret = made.content.decode().partition("<code>jr_")[2].partition("</code>")[0]
    assert use_token(f"jr_{secret}").user == cast.owner.user
    assert "no-store" in made["Cache-Control"]
    listed = client.get(reverse("tokens")).content.decode()
    assert "my laptop" in listed and secret not in listed
    token = ApiToken.objects.get()
    stored = [str(getattr(token, field.attname)) for field in ApiToken._meta.get_fields()]
    assert not any(secret in value for value in stored)


def test_a_revoked_token_opens_nothing(cast, sign_in):
    token, secret = make_token(by=cast.owner.user, name="my laptop")
    api = Caller(secret, cast.study.slug)
    assert api.get("study").status_code == 200
    sign_in(cast.owner).post(reverse("token_revoke", args=[token.pk]))
    answer = api.get("study")
    assert answer.status_code == 401 and answer["WWW-Authenticate"] == "Bearer"


def test_nobody_revokes_the_token_of_somebody_else(cast, sign_in):
    token, secret = make_token(by=cast.owner.user, name="my laptop")
    assert sign_in(cast.worker).post(reverse("token_revoke", args=[token.pk])).status_code == 404
    assert use_token(secret)


def test_who_may_not_sign_in_any_more_has_no_token_either(cast):
    _token, secret = make_token(by=cast.owner.user, name="my laptop")
    cast.owner.user.is_active = False
    cast.owner.user.save()
    assert use_token(secret) is None


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer jr_x", "Basic abc", "Bearer é"]
)
def test_what_is_no_token_gets_a_sentence(cast, header, client):
    answer = client.get(
        reverse("api_study", args=[cast.study.slug]), headers={"Authorization": header}
    )
    assert refusal_of(answer) == (401, "not_signed_in")
    assert "oken" in answer.json()["detail"]


def test_the_day_of_the_last_use_is_noted_once_a_day(cast, django_assert_num_queries):
    api = caller(cast.owner)
    api.get("study")
    assert ApiToken.objects.get().last_used_on
    with django_assert_num_queries(2):
        api.get("study")


def test_nobody_collects_tokens_without_end(cast, sign_in):
    tokens = [make_token(by=cast.owner.user, name=str(n))[0] for n in range(MOST_TOKENS)]
    refused = sign_in(cast.owner).post(reverse("tokens"), NEW)
    assert "tokens already" in refused.content.decode()
    assert ApiToken.objects.count() == MOST_TOKENS
    revoke_token(by=cast.owner.user, token_id=tokens[0].pk)
    make_token(by=cast.owner.user, name="one more")
