"""Why there is no post now: the page and the API say it in the same words."""

import html

import pytest
from django.urls import reverse

from annotation.models import BatchState, StandingState, StudyState
from annotation.services.assignments import Nothing
from annotation.services.batches import move_batch
from annotation.services.standings import change_standing
from crowd.queries.reasons import REASONS
from tests.api import caller

pytestmark = pytest.mark.django_db


def archive(cast, batch):
    cast.study.state = StudyState.ARCHIVED
    cast.study.save()


def pause_batch(cast, batch):
    move_batch(by=None, batch=batch, to=BatchState.PAUSED)


def close_batch(cast, batch):
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)


def stand(state):
    def change(cast, batch):
        change_standing(by=None, member=cast.worker, stage="crowd", state=state, reason="")

    return change


CASES = {
    "no_batch": close_batch,
    "paused": pause_batch,
    "archived": archive,
    "you_paused": stand(StandingState.PAUSED),
    "you_waiting": stand(StandingState.WAITING),
}


@pytest.mark.parametrize("case", CASES)
def test_the_page_and_the_api_say_the_same(cast, batch, worker, sign_in, case):
    CASES[case](cast, batch)
    told = caller(worker).post("work_next").json()
    page = sign_in(worker).get(reverse("work", args=[cast.study.slug])).content.decode()
    reason = REASONS[case]
    assert told["detail"] == str(reason.sentence)
    assert str(reason.sentence) in html.unescape(page) and f">{reason.title}</h1>" in page


def test_whatever_the_engine_answers_has_words():
    assert set(map(str, Nothing)) <= set(REASONS)
    assert all(reason.title and reason.sentence and reason.icon for reason in REASONS.values())
