"""The home page says whether gold posts wait for a researcher."""

import pytest

from annotation.models import BatchState, StageCode
from annotation.queries.studies import open_work_of
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.votes import Answer, submit_vote
from crowd.services.batches import create_gold_batch
from tests.cast import add_posts

pytestmark = pytest.mark.django_db


def test_gold_waits_for_each_researcher_until_they_have_labelled_it_all(cast):
    add_posts(cast.study, 2)
    batch = create_gold_batch(by=None, study=cast.study, posts=2)
    waiting = (cast.study.pk, StageCode.GOLD)
    assert waiting not in open_work_of([cast.researcher])
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    for _post in range(2):
        assert waiting in open_work_of([cast.researcher])
        held = next_task(by=cast.researcher, stage=StageCode.GOLD).assignment
        submit_vote(by=cast.researcher, assignment_id=held.pk, answer=Answer("ambiguous"))
    assert waiting not in open_work_of([cast.researcher])
    assert waiting in open_work_of([cast.owner])
