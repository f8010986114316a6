"""What `script/bench tasks` starts from still fits the tables."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from annotation.models import Member, StageCode, Vote
from annotation.services.assignments import next_task
from tests.bench.annotators import keeps, next_assignment
from tests.bench.filling import fill


@pytest.mark.django_db
def test_a_filled_study_has_people_in_the_midst_of_their_work():
    known = fill("bench", posts=30, people=3)
    assert known["cookie"] == settings.SESSION_COOKIE_NAME
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = known["sessions"][1]
    page = client.get(reverse("work", args=["bench"])).content
    assert next_assignment(page) and keeps(page)
    answer = client.post(
        reverse("work_submit", args=["bench", next_assignment(page)]),
        {"label": "no_claim"},
        headers={"Sec-Fetch-Dest": "empty", "X-Kept": keeps(page)},
    )
    assert next_assignment(answer.content) not in (0, next_assignment(page))
    assert b"<html" not in answer.content and len(answer.content) < 3_000


@pytest.mark.django_db
def test_the_last_of_the_people_has_voted_on_many_posts_before():
    known = fill("bench", posts=30, people=2)
    past = Member.objects.filter(study=known["study"]).latest("pk")
    assert Vote.objects.filter(member=past).counting().count() == 15
    offer = next_task(by=past, stage=StageCode.CROWD)
    assert offer.assignment and offer.assignment.task.position == 16
