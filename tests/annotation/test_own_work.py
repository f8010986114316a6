"""A worker's home: what waits, how far they are, what they earned, and their sittings."""

from decimal import Decimal

import pytest
from django.urls import reverse

from annotation.models import BatchState, StandingState, StudyState
from annotation.queries.own_work import own_work
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.sittings import begin_sitting, end_sitting
from annotation.services.standings import change_standing
from annotation.services.votes import Answer, submit_vote
from crowd.services.batches import create_batch
from crowd.services.ledger import add_entry
from crowd.services.pay import approve, reject
from legal.services.batches import open_legal_batch
from tests.cast import add_posts, join, make_cast
from tests.queries import queries_for

pytestmark = pytest.mark.django_db


def words(response):
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


@pytest.fixture
def worker(cast):
    """Somebody in a sitting of three posts, of which two are voted on."""
    add_posts(cast.study, 6)
    batch = create_batch(by=None, study=cast.study, posts=6, votes_wanted=1)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    worker = join(cast.study, "wanda", "crowd_worker", posts=3)
    vote(worker, 2)
    return worker


def vote(worker, count):
    for _number in range(count):
        held = next_task(by=worker, stage="crowd").assignment
        submit_vote(by=worker, assignment_id=held.pk, answer=Answer("no_claim", 3.0))


def test_home_tells_what_waits_how_far_one_is_and_what_one_earned(worker, sign_in):
    html = words(sign_in(worker).get("/"))
    assert "2 of 3 posts" in html and "2 posts in all" in html
    assert "0.00 USD approved, 0.36 USD pending" in html
    assert "Posts are waiting." in html


def test_home_and_earnings_say_the_same_of_what_is_pending_approved_and_rejected(
    cast, worker, sign_in
):
    sittings = [end_sitting(by=worker, stage="crowd", state="left")]
    for _sitting in range(2):
        begin_sitting(by=worker, stage="crowd", size=3)
        vote(worker, 1)
        sittings.append(end_sitting(by=worker, stage="crowd", state="left"))
    begin_sitting(by=worker, stage="crowd", size=3)
    vote(worker, 1)
    by = cast.owner.user
    approve(by=by, study=cast.study, sittings=[sittings[0].pk])
    reject(by=by, sitting=sittings[1], reason="other", words="Because of this and that. " * 5)
    add_entry(by=by, member=worker, kind="bonus", amount=Decimal(1), reason="Thank you.")
    client = sign_in(worker)
    for address in ("/", reverse("study", args=[cast.study.slug])):
        html = words(client.get(address))
        assert "1.36 USD approved, 0.36 USD pending" in html and "0.18 USD rejected" in html
    ((currency, mine),) = client.get(reverse("earnings", args=[cast.study.slug])).context["sums"]
    assert (currency, mine.entered, mine.rejected) == ("USD", Decimal("1.36"), Decimal("0.18"))
    assert mine.waiting + mine.under_way == Decimal("0.36")


def test_each_sees_only_their_own_work(cast, worker, sign_in):
    html = words(sign_in(cast.worker).get("/"))
    assert "2 of 3" not in html and "0.36" not in html


def test_the_home_and_the_study_lead_to_what_one_earned(cast, worker, sign_in):
    client, address = sign_in(worker), reverse("earnings", args=[cast.study.slug])
    assert f'href="{address}"' in words(client.get("/"))
    assert f'href="{address}"' in words(client.get(reverse("study", args=[cast.study.slug])))
    assert address not in words(sign_in(cast.expert).get("/"))


def test_work_without_pay_earns_nothing_and_says_nothing_of_money(cast, sign_in):
    study = make_cast("free", reward=0).study
    add_posts(study, 1)
    move_batch(by=None, batch=create_batch(by=None, study=study, posts=1), to=BatchState.OPEN)
    worker = join(study, "volunteer", "crowd_worker", posts=3)
    vote(worker, 1)
    html = words(sign_in(worker).get("/"))
    assert "approved" not in html and "pending" not in html


def test_experts_see_their_legal_work(cast, worker, sign_in):
    assert "Nothing is waiting just now" in words(sign_in(cast.expert).get("/"))
    open_legal_batch(by=None, study=cast.study, external_ids=["p1"])
    html = words(sign_in(cast.expert).get("/"))
    assert "Posts are waiting." in html and reverse("legal_work", args=[cast.study.slug]) in html


def test_a_paused_worker_reads_on_the_home_page_that_work_is_paused_and_paid(cast, worker, sign_in):
    state = StandingState.PAUSED
    change_standing(by=cast.owner.user, member=worker, stage="crowd", state=state, reason="odd")
    html = words(sign_in(worker).get("/"))
    assert "paused your work here" in html and "odd" not in html


def test_archived_studies_stand_apart(cast, worker, sign_in):
    cast.study.state = StudyState.ARCHIVED
    cast.study.save()
    html = words(sign_in(worker).get("/"))
    assert "1 archived study" in html and "waiting" not in html
    other = make_cast("fresh")
    assert "archived study" not in words(sign_in(other.worker).get("/"))


def test_two_studies_cost_the_home_page_as_many_queries_as_four(worker, sign_in):
    client = sign_in(worker)
    few = queries_for(client, "/")
    for number in range(3):
        member = join(make_cast(f"more-{number}").study, worker.user.username, "crowd_worker")
        assert own_work([member])[member.pk, "crowd"].sitting
    assert queries_for(client, "/") == few
