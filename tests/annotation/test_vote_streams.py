"""An id up to which votes are settled: whoever writes at that moment is waited for."""

import threading

import pytest
from django.db import connection, transaction

from annotation.models import Vote
from annotation.queries import vote_streams
from annotation.queries.vote_streams import settled_vote
from annotation.services.batches import move_batch
from annotation.services.votes import Answer, submit_vote
from crowd.services.batches import create_batch
from tests.cast import add_posts
from tests.crowd.conftest import has_read, held_by

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def held(cast):
    add_posts(cast.study, 2)
    move_batch(by=None, batch=create_batch(by=None, study=cast.study, posts=2), to="open")
    return held_by(has_read(cast.worker))


def test_a_vote_that_is_being_written_is_waited_for_and_then_there(cast, held):
    written, go_on = threading.Event(), threading.Event()

    def write():
        try:
            with transaction.atomic():
                answer = Answer("no_claim", seconds=1.0, guide_version=1)
                submit_vote(by=cast.worker, assignment_id=held, answer=answer)
                written.set()
                go_on.wait(10)
        finally:
            connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    assert written.wait(10)
    threading.Timer(0.3, go_on.set).start()
    assert not Vote.objects.exists()
    settled = settled_vote()
    assert settled == Vote.objects.get().pk
    writer.join()


def test_who_writes_for_long_holds_everything_back(cast, held, monkeypatch):
    monkeypatch.setattr(vote_streams, "PATIENCE", 0.1)
    answer = Answer("no_claim", seconds=1.0, guide_version=1)
    submit_vote(by=cast.worker, assignment_id=held, answer=answer)
    assert settled_vote() == Vote.objects.get().pk
    locked, go_on = threading.Event(), threading.Event()

    def hold():
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("LOCK TABLE annotation_vote IN ROW EXCLUSIVE MODE")
                locked.set()
                go_on.wait(10)
        finally:
            connection.close()

    writer = threading.Thread(target=hold)
    writer.start()
    assert locked.wait(10)
    assert settled_vote() == 0
    go_on.set()
    writer.join()
    assert settled_vote() == Vote.objects.get().pk
