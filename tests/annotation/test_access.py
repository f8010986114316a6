"""The one gate: strangers meet a 404, wrong roles a 403, forms without a token a 403."""

import pytest
from django.test import Client

from annotation.models import ImportFile, User
from annotation.services.jobs import queue_job
from tests.annotation import job_kinds
from tests.cast import add_posts, make_cast, upload

pytestmark = pytest.mark.django_db

OWNERS_PAGES = ("members/", "protocol/")
RESEARCH_PAGES = ("posts/", "imports/", "jobs/")


@pytest.fixture
def things(cast):
    """Return the addresses of one of each thing of the study."""
    job_kinds.register()
    post = add_posts(cast.study, 1)[0]
    upload(cast.study, "id,text\n1,one\n")
    job = queue_job(by=None, study=cast.study, kind="test_steps", parameters={})
    file = ImportFile.objects.latest("pk")
    return {
        "post": f"posts/{post.pk}/",
        "import": f"imports/{file.pk}/",
        "bad rows": f"imports/{file.pk}/bad-rows.csv",
        "job": f"jobs/{job.pk}/",
        "member": f"members/{cast.worker.pseudonym}/",
    }


def test_who_is_not_signed_in_is_asked_to_sign_in(cast):
    for address in ("/", "/profile/", f"/studies/{cast.study.slug}/"):
        assert Client().get(address).url.startswith("/accounts/login/")


def test_a_stranger_cannot_tell_a_study_from_none(cast, sign_in, things):
    for who in (cast.stranger, cast.site_administrator):
        client = sign_in(who)
        for path in ("", *OWNERS_PAGES, *RESEARCH_PAGES, *things.values()):
            assert client.get(f"/studies/{cast.study.slug}/{path}").status_code == 404
        assert client.get("/studies/no-such-study/").status_code == 404


@pytest.mark.parametrize("who", ["worker", "expert"])
def test_annotators_reach_no_page_of_research(cast, sign_in, things, who):
    client = sign_in(getattr(cast, who))
    assert client.get(f"/studies/{cast.study.slug}/").status_code == 200
    for path in (*OWNERS_PAGES, *RESEARCH_PAGES, *things.values()):
        assert client.get(f"/studies/{cast.study.slug}/{path}").status_code == 403


def test_researchers_reach_posts_but_neither_members_nor_protocol(cast, sign_in):
    client = sign_in(cast.researcher)
    for path in RESEARCH_PAGES:
        assert client.get(f"/studies/{cast.study.slug}/{path}").status_code == 200
    for path in OWNERS_PAGES:
        assert client.get(f"/studies/{cast.study.slug}/{path}").status_code == 403


@pytest.mark.parametrize("thing", ["post", "import", "bad rows", "job", "member"])
def test_an_owner_of_one_study_reaches_nothing_of_another(sign_in, things, thing):
    other = make_cast("other")
    client = sign_in(other.owner)
    assert client.get(f"/studies/other/{things[thing]}").status_code == 404
    assert client.get(f"/studies/rumours/{things[thing]}").status_code == 404


@pytest.mark.parametrize("action", ["cancel/", "retry/"])
def test_another_study_s_job_is_neither_cancelled_nor_retried(sign_in, things, action):
    client = sign_in(make_cast("other").owner)
    assert client.post(f"/studies/other/{things['job']}{action}").status_code == 404


@pytest.mark.parametrize("path", ["members/", "imports/", "protocol/"])
def test_a_form_without_its_token_changes_nothing(cast, path):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.owner.user)
    answer = client.post(f"/studies/{cast.study.slug}/{path}", {})
    assert answer.status_code == 403
    assert "403" in answer.content.decode() or "form" in answer.content.decode()


def test_what_changes_something_is_never_a_get(cast, sign_in, things):
    client = sign_in(cast.owner)
    slug = cast.study.slug
    for path in (
        f"{things['job']}cancel/",
        f"{things['job']}retry/",
        f"{things['member']}password/",
    ):
        assert client.get(f"/studies/{slug}/{path}").status_code == 405


def test_sign_up_is_closed(client, cast):
    html = client.get("/accounts/signup/").content.decode()
    assert "<form" not in html[html.index("<main") : html.index("</main>")]
    people = User.objects.count()
    client.post("/accounts/signup/", {"username": "x", "password1": "a long new password"})
    assert User.objects.count() == people


def test_permissions_given_on_top_open_what_the_role_does_not(cast, sign_in):
    cast.worker.permissions = ["see_results", "no_such_permission"]
    cast.worker.save()
    client = sign_in(cast.worker)
    assert client.get(f"/studies/{cast.study.slug}/posts/").status_code == 200
    assert client.get(f"/studies/{cast.study.slug}/imports/").status_code == 403
