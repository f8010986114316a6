"""The archive for researchers: lists, one page as plain text, downloads, and the API."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from legal.algorithms import ExpertAnswer
from legal.queries.evidence import citing_votes, evidence_domains
from legal.services.answers import correct_answer
from legal.services.evidence import pages_for
from tests.api import caller
from tests.legal.archive_world import STORY, archived
from tests.legal.world import answering, experts, legal_batch

pytestmark = pytest.mark.django_db


def address(cast, name, *more):
    return reverse(name, args=[cast.study.slug, *more])


def test_the_list_says_how_each_page_stands_and_how_many_votes_cite_it(cast, outside, sign_in):
    legal_batch(cast.study, 1)
    url, gone = outside.story(), "http://blog.example/gone"
    for member in experts(cast.study, 2):
        answering(member, label="yes", issues=("defamation",), evidence=(url, gone))
    archived(cast.study, url)
    archived(cast.study, gone)
    client = sign_in(cast.researcher)
    page = client.get(address(cast, "legal_evidence"))
    assert {(one.url, votes) for one, votes in page.context["rows"]} == {(gone, 2), (url, 2)}
    text = page.content.decode()
    assert "The harbour was closed" in text and "Dead link" in text and "404" in text
    dead = client.get(address(cast, "legal_evidence"), {"state": "dead"})
    assert [one.url for one, _votes in dead.context["rows"]] == [gone]
    site = client.get(address(cast, "legal_evidence"), {"domain": "news.example"})
    assert [one.url for one, _votes in site.context["rows"]] == [url]
    odd = client.get(address(cast, "legal_evidence"), {"state": "no-such", "domain": "a\0b"})
    assert odd.status_code == 200


def test_only_the_newest_version_of_a_vote_cites_a_page(cast):
    legal_batch(cast.study, 1)
    old, new = "https://old.example/", "https://new.example/"
    answering(cast.expert, label="no", evidence=(old,))
    held = cast.expert.assignments.get()
    answer = ExpertAnswer.of_ticks("no", evidence=(new,))
    correct_answer(by=cast.expert, assignment_id=held.pk, answer=answer)
    pages = pages_for(cast.study.pk, [old, new])
    assert citing_votes(pages.values()) == {pages[new]: 1}
    found = {one.name: (one.votes, one.pages) for one in evidence_domains(cast.study)}
    assert found == {"new.example": (1, 1), "old.example": (0, 1)}


def test_a_page_is_shown_as_plain_text_and_its_warc_file_handed_out(cast, outside, sign_in):
    hostile = STORY.replace(
        "Fishermen", "&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(2)&gt; Men"
    ).replace("closed</h1>", "closed &lt;b&gt;</h1>")
    page = archived(cast.study, outside.story(text=hostile))
    assert "<script>" in page.text
    client = sign_in(cast.researcher)
    shown = client.get(address(cast, "legal_evidence_page", page.pk)).content.decode()
    assert "&lt;script&gt;alert(1)" in shown and "<script>alert" not in shown
    assert "<img src=x" not in shown and page.sha256 in shown
    got = client.get(address(cast, "legal_evidence_warc", page.pk))
    assert got.headers["Content-Disposition"] == f'attachment; filename="{page.pk}.warc.gz"'
    assert got.headers["Content-Type"] == "application/octet-stream"
    assert b"".join(got.streaming_content)[:2] == b"\x1f\x8b"


def test_posts_are_named_beside_a_page_only_when_they_have_all_their_votes(cast, outside, sign_in):
    legal_batch(cast.study, 1)
    url = outside.story()
    members = experts(cast.study, 3)
    for member in members[:2]:
        answering(member, label="no", evidence=(url,))
    page = archived(cast.study, url)
    client = sign_in(cast.researcher)
    assert client.get(address(cast, "legal_evidence_page", page.pk)).context["posts"] == []
    answering(members[2], label="no")
    posts = client.get(address(cast, "legal_evidence_page", page.pk)).context["posts"]
    assert [post.external_id for post in posts] == ["p1"]


def test_a_page_that_waits_has_no_warc_file(cast, outside, sign_in):
    pages = pages_for(cast.study.pk, [outside.story()])
    (waiting,) = pages.values()
    client = sign_in(cast.researcher)
    assert client.get(address(cast, "legal_evidence_warc", waiting)).status_code == 404
    assert client.get(address(cast, "legal_evidence_page", waiting)).status_code == 200


def test_a_researcher_starts_fetching_what_failed_and_is_told_when_there_is_nothing(
    cast, outside, sign_in
):
    page = archived(cast.study, "http://news.example/gone")
    assert page.state == "dead"
    client = sign_in(cast.researcher)
    assert "Fetch again what failed" in client.get(address(cast, "legal_evidence")).content.decode()
    answer = client.post(address(cast, "legal_evidence_fetch"))
    job = cast.study.jobs.get(kind="fetch_evidence")
    assert answer.headers["Location"] == reverse("job", args=[cast.study.slug, job.pk])


def test_ten_pages_and_forty_cost_the_same_queries(cast, sign_in):
    client, here = sign_in(cast.researcher), address(cast, "legal_evidence")

    def queries(number):
        pages_for(cast.study.pk, [f"https://a{n}.example/" for n in range(number)])
        with CaptureQueriesContext(
            connection,
        ) as seen:
            client.get(here)
        return len(seen)

    queries(1)
    assert queries(10) == queries(40)


def test_the_api_lists_pages_without_text_and_tells_one_with_it(cast, outside):
    legal_batch(cast.study, 1)
    url = outside.story()
    answering(cast.expert, label="no", evidence=(url, "http://news.example/gone"))
    page = archived(cast.study, url)
    ask = caller(cast.researcher)
    listed = ask.get("legal_evidence", state="fetched").json()["results"]
    assert [(one["address"], one["votes"], one["sha256"]) for one in listed] == [
        (url, 1, page.sha256)
    ]
    assert "text" not in listed[0]
    assert ask.get("legal_evidence_page", page.pk).json()["text"] == page.text
    assert ask.get("legal_evidence_domains").json() == [
        {"name": "news.example", "pages": 2, "fetched": 1, "votes": 2}
    ]
    assert ask.get("legal_evidence", state="no-such").status_code == 422
