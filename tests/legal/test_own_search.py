"""Searching one's own answers: words, answer, issue, and the mark for another look."""

import pytest
from django.urls import reverse

from annotation.services.assignments import next_task
from legal.algorithms import ExpertAnswer, IssueSaid
from legal.services.answers import submit_answer
from tests.legal.world import LINK, answering, experts, legal_batch, read_guide

pytestmark = pytest.mark.django_db

TEXTS = ["The harbour is closed", "The mayor took the money", "Harbour fees: 100% up"]


@pytest.fixture
def ids(cast):
    """Answer three posts, and return their texts in the order of the answers."""
    read_guide(cast.expert, legal_batch(cast.study, TEXTS))
    said = {
        "The harbour is closed": ExpertAnswer.of_ticks("unclear", comment="Ask the Pilot"),
        "The mayor took the money": ExpertAnswer(
            "yes", issues=(IssueSaid("defamation"),), evidence=WITH, insists=True
        ),
        "Harbour fees: 100% up": ExpertAnswer(
            "no",
            issues=(IssueSaid("defamation", is_ticked=False, reasoning="None"),),
            discuss=True,
            insists=True,
        ),
    }
    for _post in TEXTS:
        held = next_task(by=cast.expert, stage="legal").assignment
        submit_answer(by=cast.expert, assignment_id=held.pk, answer=said[held.task.post.text])


WITH = ExpertAnswer.of_ticks("yes", evidence=[LINK]).evidence


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, TEXTS),
        ({"q": "HARBOUR"}, [TEXTS[0], TEXTS[2]]),
        ({"q": "harbour pilot"}, [TEXTS[0]]),
        ({"q": "100%"}, [TEXTS[2]]),
        ({"q": "_"}, []),
        ({"label": "yes"}, [TEXTS[1]]),
        ({"issue": "defamation"}, [TEXTS[1]]),
        ({"discuss": "on"}, [TEXTS[2]]),
        ({"q": "harbour", "discuss": "on"}, [TEXTS[2]]),
        ({"q": "mayor", "label": "no"}, []),
        ({"label": "maybe"}, TEXTS),
        ({"issue": "no_such_issue"}, TEXTS),
        ({"q": "x\0y"}, TEXTS),
        ({"q": "x" * 300}, TEXTS),
    ],
    ids=str,
)
def test_answers_are_found_by_what_is_looked_for(cast, ids, sign_in, query, found):
    answer = sign_in(cast.expert).get(reverse("legal_votes", args=[cast.study.slug]), query)
    assert answer.status_code == 200
    assert {vote.task.post.text for vote in answer.context["page"]} == set(found)
    if not found:
        assert "None of your answers is like that" in answer.content.decode()


def test_what_others_said_is_never_found(cast, ids, sign_in):
    other = experts(cast.study, 1)[0]
    answering(other, comment="Another's secret")
    answer = sign_in(cast.expert).get(
        reverse("legal_votes", args=[cast.study.slug]), {"q": "secret"}
    )
    assert list(answer.context["page"]) == []


def test_pages_keep_what_is_looked_for(cast, sign_in, monkeypatch):
    monkeypatch.setattr("legal.views.votes.PER_PAGE", 1)
    read_guide(cast.expert, legal_batch(cast.study, 2))
    for _post in range(2):
        answering(cast.expert, label="no")
    answer = sign_in(cast.expert).get(
        reverse("legal_votes", args=[cast.study.slug]), {"q": "post", "label": "no"}
    )
    assert "?q=post&amp;label=no&amp;page=2" in answer.content.decode()
