"""The pilot: a batch as an annotator sees it, by the same pages, and nothing is stored."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import BatchState, Place
from annotation.services.batches import move_batch
from crowd.services.batches import create_batch
from tests.cast import make_cast

pytestmark = pytest.mark.django_db

WRITING = ("INSERT", "UPDATE", "DELETE", "SELECT * FROM annotation_")


def url(name, cast, *more):
    return reverse(name, args=[cast.study.slug, *more])


def words(response):
    return " ".join(response.content.decode().split())


def all_counts():
    """Return how many rows each table of the database has."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        cursor.execute(" UNION ALL ".join(f"SELECT '{one}', count(*) FROM {one}" for one in tables))
        return dict(cursor.fetchall())


@pytest.fixture
def draft(cast, posts):
    return create_batch(by=None, study=cast.study, external_ids=["p1", "p2", "p3"])


@pytest.mark.parametrize("state", [BatchState.DRAFT, BatchState.OPEN])
def test_a_whole_pilot_writes_no_row_and_holds_no_place(cast, draft, sign_in, state):
    move_batch(by=None, batch=draft, to=state)
    client = sign_in(cast.researcher)
    before, places = all_counts(), list(Place.objects.order_by("pk").values())
    with CaptureQueriesContext(connection) as captured:
        first = client.get(url("crowd_pilot", cast, 1))
        assert url("crowd_pilot_post", cast, 1, 1) in words(first)
        for position in (1, 2):
            address = url("crowd_pilot_post", cast, 1, position)
            assert client.get(address).status_code == 200
            assert client.post(address, {"label": "checkworthy"}).status_code == 302
        assert client.post(url("crowd_pilot_post", cast, 1, 3), {}).status_code == 422
        assert client.get(url("crowd_pilot_skip", cast, 1, 3)).status_code == 200
        last = client.post(url("crowd_pilot_skip", cast, 1, 3), {"reason": "harmful"})
    assert last.url == url("crowd_batch", cast, 1)
    assert all_counts() == before
    assert before["annotation_place"] and "annotation_assignment" in before
    assert list(Place.objects.order_by("pk").values()) == places
    written = [query["sql"] for query in captured if query["sql"].startswith(WRITING)]
    assert written == []


def test_the_pilot_shows_the_annotators_own_page_marked_as_a_pilot(cast, draft, worker, sign_in):
    researcher = words(sign_in(cast.researcher).get(url("crowd_pilot_post", cast, 1, 1)))
    assert "nothing is stored" in researcher and "Rumour number 1" in researcher
    assert "Post 1 of 3" in researcher and "earned" not in researcher
    assert 'data-part="draft" key=' not in researcher and "<lease-clock" not in researcher
    move_batch(by=None, batch=draft, to=BatchState.OPEN)
    annotator = words(sign_in(worker).get(url("work", cast)))
    assert "nothing is stored" not in annotator and 'data-part="draft" key=' in annotator
    for shared in ('data-key="1"', 'data-key="g"', "Is this post worth checking?", "harmful to me"):
        assert shared in researcher and shared in annotator


def test_an_answer_is_told_and_the_next_post_follows(cast, draft, sign_in):
    client = sign_in(cast.owner)
    chosen = {"label": "not_checkworthy"}
    html = words(client.post(url("crowd_pilot_post", cast, 1, 1), chosen, follow=True))
    assert "You chose “Not checkworthy”. Nothing is stored." in html and "Post 2 of 3" in html
    html = words(client.post(url("crowd_pilot_post", cast, 1, 3), chosen, follow=True))
    assert "last post of the batch" in html


def test_a_label_that_is_not_in_the_set_is_refused_with_the_post_shown_again(cast, draft, sign_in):
    client = sign_in(cast.owner)
    answer = client.post(url("crowd_pilot_post", cast, 1, 1), {"label": "maybe"})
    assert answer.status_code == 422 and "“maybe” is none of them" in words(answer)


def test_closed_imported_and_foreign_batches_have_no_pilot(cast, draft, sign_in):
    client = sign_in(cast.researcher)
    for position in (0, 4):
        assert client.get(url("crowd_pilot_post", cast, 1, position)).status_code == 404
    move_batch(
        by=None, batch=move_batch(by=None, batch=draft, to=BatchState.OPEN), to=BatchState.CLOSED
    )
    assert client.get(url("crowd_pilot", cast, 1)).status_code == 404
    assert "See it as an annotator" not in words(client.get(url("crowd_batch", cast, 1)))
    other = make_cast("other")
    assert sign_in(other.owner).get(url("crowd_pilot", cast, 1)).status_code == 404
