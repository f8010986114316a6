"""How far a token reaches: scopes, one study, an end; each endpoint is in the table of scopes."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from annotation.models import ApiToken, Scope
from annotation.services.tokens import TokenRefused, make_token, use_token
from tests.api import Caller, caller, refusal_of
from tests.cast import make_cast
from tests.test_api_schema import ENDPOINTS

pytestmark = pytest.mark.django_db

READ, MANAGE, WORK = "read", "manage", "work"
# Endpoints about one's own work; everything else is read by `read` and changed by `manage`.
WORK_PLACES = ("/work/", "/prescreening/", "/gold/work/")
GOLD = ("/gold/posts/", "/gold/votes/", "/gold/agreement/", "/gold/batches/")
EVERYBODYS = ("schema/", "studies/", "qualifications/", "studies/<slug:slug>/")
CATALOGUE = "/legal/catalogue/"  # what everybody in a study may read


def expected(address: str, method: str) -> set[str]:
    way = address.removeprefix("/api/v1/")
    inside = "/" + way.partition("studies/<slug:slug>/")[2]
    if method == "get":
        if way in EVERYBODYS or inside.startswith(CATALOGUE):
            return {READ, MANAGE, WORK}
        return {READ, WORK} if inside.startswith(WORK_PLACES) or inside in GOLD else {READ}
    return {WORK} if inside.startswith(WORK_PLACES) else {MANAGE}


TABLE = [
    (address, method)
    for address, endpoint in ENDPOINTS.items()
    for method in ("get", "post", "patch")
    if hasattr(endpoint, method)
]


@pytest.mark.parametrize(("address", "method"), TABLE, ids=str)
def test_each_endpoint_opens_to_the_scopes_of_the_table(address, method):
    endpoint = ENDPOINTS[address]
    assert set(endpoint().scopes(method.upper())) == expected(address, method)


def with_scopes(member, *scopes, **more):
    token, secret = make_token(by=member.user, name="a test", scopes=scopes, **more)
    return Caller(secret, member.study.slug), token


def test_a_token_without_the_scope_is_refused_and_told_which_one_is_missing(cast):
    reader, _token = with_scopes(cast.owner, READ)
    assert reader.get("protocol").status_code == 200
    refused = reader.patch("protocol", body={"crowd_votes": 5})
    assert refusal_of(refused) == (403, "token_too_narrow")
    assert "“manage”" in refused.json()["detail"]
    assert refused["WWW-Authenticate"] == 'Bearer error="insufficient_scope", scope="manage"'
    manager, _token = with_scopes(cast.owner, MANAGE)
    assert refusal_of(manager.get("protocol")) == (403, "token_too_narrow")
    assert manager.patch("protocol", body={"crowd_votes": 5}).json()["crowd_votes"] == 5


def test_work_opens_one_s_own_work_and_nothing_else(cast):
    worker, _token = with_scopes(cast.worker, WORK)
    assert worker.get("work_votes").status_code == 200
    assert worker.get("study").status_code == 200
    assert worker.post("work_next").status_code == 200
    reader, _token = with_scopes(cast.worker, READ)
    assert reader.get("work_votes").status_code == 200
    assert refusal_of(reader.post("work_next")) == (403, "token_too_narrow")


def test_a_scope_gives_nothing_that_the_role_does_not_give(cast):
    worker, _token = with_scopes(cast.worker, *Scope)
    assert refusal_of(worker.get("protocol")) == (403, "not_allowed")


def test_a_token_of_one_study_opens_no_other_and_tells_nothing_of_it(cast):
    other = make_cast("other")
    token, secret = make_token(by=cast.owner.user, name="one", study=cast.study)
    other_owner = other.study.members.create(
        study=other.study, user=cast.owner.user, role="owner", pseudonym="r-both"
    )
    assert Caller(secret, cast.study.slug).get("study").status_code == 200
    elsewhere = Caller(secret, other_owner.study.slug).get("study")
    nowhere = Caller(secret, "no-such-study").get("study")
    assert refusal_of(elsewhere) == refusal_of(nowhere) == (403, "token_too_narrow")
    assert elsewhere.json() == nowhere.json()
    listed = Caller(secret).get("studies").json()["results"]
    assert [study["slug"] for study in listed] == [cast.study.slug]
    assert Caller(secret).get("qualifications").status_code == 403
    assert len(Caller(caller(cast.owner).secret).get("studies").json()["results"]) == 2
    assert token.study == cast.study


def test_a_token_that_has_ended_says_so_and_opens_nothing(cast):
    api, token = with_scopes(cast.owner, READ)
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now())
    refused = api.get("study")
    assert refusal_of(refused) == (401, "token_ended")
    assert "ended on" in refused.json()["detail"]


@pytest.mark.parametrize(
    "wrong", [{"days": 0}, {"days": 366}, {"scopes": []}, {"scopes": ["everything"]}], ids=str
)
def test_a_token_lives_no_longer_than_a_year_and_may_something(cast, wrong):
    with pytest.raises(TokenRefused):
        make_token(by=cast.owner.user, name="a test", **wrong)
    with pytest.raises(IntegrityError), transaction.atomic():
        ApiToken.objects.create(
            user=cast.owner.user, name="", digest="", scopes=[], expires_at=timezone.now()
        )


def test_a_token_is_for_a_study_that_one_is_in(cast, sign_in):
    other = make_cast("other")
    with pytest.raises(TokenRefused, match="not a member"):
        make_token(by=cast.owner.user, name="a test", study=other.study)
    form = {"name": "x", "scopes": [READ], "days": 90, "study": other.study.pk}
    assert "Select a valid choice" in page(sign_in(cast.owner).post(reverse("tokens"), form))


def page(answer) -> str:
    return answer.content.decode()


def test_the_page_makes_a_token_as_it_was_chosen(cast, sign_in):
    form = {"name": "x", "scopes": [READ, WORK], "days": 30, "study": cast.study.pk}
    made = page(sign_in(cast.owner).post(reverse("tokens"), form))
    token = use_token("jr_" + made.partition("<code>jr_")[2].partition("</code>")[0])
    assert (token.scopes, token.study) == ([READ, WORK], cast.study)
    assert timedelta(days=29) < token.expires_at - timezone.now() <= timedelta(days=30)


def test_the_page_says_when_tokens_end_and_warns_of_the_last_week(cast, sign_in):
    for name, days in (("fresh", 8), ("waning", 6), ("gone", 1)):
        make_token(by=cast.owner.user, name=name, days=days)
    ApiToken.objects.filter(name="gone").update(expires_at=timezone.now())
    shown = page(sign_in(cast.owner).get(reverse("tokens")))
    assert "Make another one in the place of: waning." in shown
    assert shown.count("ends soon") == 1 and shown.count("ended") >= 1
