"""A labelling page costs the same everywhere, and tells nothing of what others said."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import BatchState, Role
from annotation.services.batches import move_batch
from annotation.services.votes import Answer, submit_vote
from crowd.services.batches import create_batch, create_gold_batch
from tests.cast import add_posts, join
from tests.crowd.conftest import has_read, held_by

pytestmark = pytest.mark.django_db

SCRIPT = {"Sec-Fetch-Dest": "empty"}
MOST_QUERIES = 45


def url(name, cast, *more):
    return reverse(name, args=[cast.study.slug, *more])


def queries_of(act):
    with CaptureQueriesContext(connection) as queries:
        assert act().status_code == 200
    return len(queries)


def costs(cast, client, worker):
    """Return the queries of showing a post, and of answering one and getting the next."""
    shown = queries_of(lambda: client.get(url("work", cast)))
    address = url("work_submit", cast, held_by(worker))
    form = {"label": "no_claim", "seconds": "3", "guide_version": "1"}
    answered = queries_of(lambda: client.post(address, form, headers=SCRIPT))
    return shown, answered


def test_the_next_post_costs_the_same_with_more_posts_and_a_longer_history(cast, sign_in, worker):
    client = sign_in(worker)
    add_posts(cast.study, 210)
    first = create_batch(by=None, study=cast.study, posts=10)
    move_batch(by=None, batch=first, to=BatchState.OPEN)
    submit_vote(by=worker, assignment_id=held_by(worker), answer=Answer("no_claim", seconds=2.0))
    costs(cast, client, worker)  # The first time, statements are prepared.
    small = costs(cast, client, worker)
    move_batch(by=None, batch=first, to=BatchState.CLOSED)
    second = create_batch(by=None, study=cast.study, posts=200)
    move_batch(by=None, batch=second, to=BatchState.OPEN)
    for _post in range(100):
        answer = Answer("no_claim", seconds=2.0)
        submit_vote(by=worker, assignment_id=held_by(worker), answer=answer)
    client.get(url("work", cast))  # The first page of a batch finds out which labels it has.
    assert costs(cast, client, worker) == small
    assert max(small) < MOST_QUERIES


def bare(html):
    """Return a page without what changes from request to request."""
    html = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", html)
    return re.sub(r"<lease-clock.*?</lease-clock>", "", html, flags=re.DOTALL)


def test_the_page_is_the_same_whatever_others_said(cast, batch, sign_in, worker):
    client = sign_in(worker)
    before = bare(client.get(url("work", cast)).content.decode())
    for name, label in (("a", "checkworthy"), ("b", "no_claim")):
        other = has_read(join(cast.study, name, Role.CROWD_WORKER))
        submit_vote(by=other, assignment_id=held_by(other), answer=Answer(label))
    assert bare(client.get(url("work", cast)).content.decode()) == before


def test_a_workers_page_says_nothing_of_gold(cast, posts, sign_in, worker):
    gold = create_gold_batch(by=None, study=cast.study, external_ids=["p1"])
    move_batch(by=None, batch=gold, to=BatchState.OPEN)
    answer = Answer("ambiguous")
    submit_vote(by=cast.researcher, assignment_id=held_by(cast.researcher, "gold"), answer=answer)
    batch = create_batch(by=None, study=cast.study, external_ids=["p2"])
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    html = sign_in(worker).get(url("work", cast)).content.decode()
    assert "gold" not in html.lower() and "ambiguous" not in html.lower()
    assert cast.researcher.pseudonym not in html


def test_a_post_is_shown_as_text_with_its_line_breaks_and_direction(cast, sign_in, worker):
    add_posts(cast.study, ["مرحبا <b>x</b>\n\nsecond line https://example.org/a"])
    batch = create_batch(by=None, study=cast.study, posts=1)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    cast.study.protocol.non_ascii = "keep"
    html = sign_in(worker).get(url("work", cast)).content.decode()
    assert "&lt;b&gt;x&lt;/b&gt;" in html and 'dir="auto"' in html
    assert 'href="https://example.org/a"' not in html
