"""A batch before it is opened and while it runs: cost, time, people, and a search of its posts."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Batch, BatchState, ExclusionKind
from annotation.queries.progress import stage_progress
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.standings import exclude
from annotation.services.votes import Answer, submit_vote
from crowd.queries.forecast import duration, outlook_of
from crowd.services.batches import create_batch
from tests.api import caller
from tests.cast import join
from tests.crowd.conftest import held_by

pytestmark = pytest.mark.django_db


def url(name, cast, *more):
    return reverse(name, args=[cast.study.slug, *more])


def words(response):
    return " ".join(response.content.decode().split())


def vote(member, count, seconds=30.0):
    for _number in range(count):
        answer = Answer("no_claim", seconds)
        submit_vote(by=member, assignment_id=held_by(member), answer=answer)


def test_cost_and_work_are_shown_before_a_batch_is_made(cast, posts, sign_in):
    client = sign_in(cast.researcher)
    html = words(client.get(url("crowd_batch_new", cast)))
    assert "18 for 6 posts" in html and "3.24 USD" in html
    assert "6 posts are in no batch yet" in html
    assert "Unknown yet" in html
    look = {"posts": 4, "votes_wanted": 2, "look": "1"}
    html = words(client.post(url("crowd_batch_new", cast), look))
    assert "8 for 4 posts" in html and "1.44 USD" in html and not Batch.objects.exists()
    made = client.post(url("crowd_batch_new", cast), {"posts": 4, "votes_wanted": 2})
    assert made.url == url("crowd_batch", cast, 1)
    assert "others were left" not in words(client.get(made.url))


def test_the_cost_of_more_posts_than_are_left_is_that_of_those_left(cast, batch, sign_in):
    look = {"posts": 500, "votes_wanted": 3, "look": "1"}
    html = words(sign_in(cast.researcher).post(url("crowd_batch_new", cast), look))
    assert "6 for 2 posts" in html and "1.08 USD" in html and "2 posts are in no batch yet" in html


def test_a_batch_of_fewer_posts_than_asked_for_says_so(cast, posts, sign_in):
    client = sign_in(cast.researcher)
    wanted = {"posts": len(posts) + 5, "votes_wanted": 2}
    html = words(client.post(url("crowd_batch_new", cast), wanted, follow=True))
    assert f"It has {len(posts)} posts, not {len(posts) + 5}: no others were left." in html


def test_bad_numbers_are_refused_and_the_cost_stays_that_of_the_protocol(cast, posts, sign_in):
    look = {"posts": -1, "votes_wanted": 2, "look": "1"}
    html = words(sign_in(cast.researcher).post(url("crowd_batch_new", cast), look))
    assert "3.24 USD" in html and "greater than or equal to 1" in html


def test_ties_make_the_cost_a_range(cast, posts, sign_in):
    cast.study.protocol.tie_votes = 2
    cast.study.protocol.save()
    create_batch(by=None, study=cast.study, posts=4)
    html = words(sign_in(cast.researcher).get(url("crowd_batch", cast, 1)))
    assert "2.16 to 3.60 USD" in html and "up to 2 further votes a post" in html


def test_a_draft_says_what_opening_means_and_offers_it(cast, posts, sign_in):
    create_batch(by=None, study=cast.study, posts=4)
    html = words(sign_in(cast.researcher).get(url("crowd_batch", cast, 1)))
    assert "A draft is handed out to nobody" in html and 'value="open"' in html
    assert "Time left" not in html and "Spent so far" not in html


def test_a_running_batch_tells_what_is_spent_who_works_and_that_its_end_is_unknown_yet(
    cast, batch, worker, sign_in
):
    vote(worker, 2)
    html = words(sign_in(cast.researcher).get(url("crowd_batch", cast, 1)))
    assert "2 of 12 votes" in html and "0.36 USD" in html and "1 person" in html
    assert "Unknown yet: too few votes of late." in html and "Ends about" not in html


def test_after_enough_votes_a_running_batch_has_a_pace_an_end_and_a_length(
    cast, batch, worker, sign_in
):
    vote(worker, 3, seconds=60)
    vote(join(cast.study, "w2", "crowd_worker"), 3, seconds=60)
    outlook = outlook_of(cast.study, batch)
    assert outlook.left == 6 and outlook.people == 2 and outlook.seconds == 60
    assert outlook.work == "12 min"
    assert outlook.ends_at is not None
    assert timezone.now() < outlook.ends_at < timezone.now() + timedelta(hours=1)
    html = words(sign_in(cast.researcher).get(url("crowd_batch", cast, 1)))
    assert "Ends about" in html and "votes an hour" in html


def test_a_batch_that_hands_nothing_out_has_no_end(cast, batch, worker):
    vote(worker, 3)
    vote(join(cast.study, "w2", "crowd_worker"), 3)
    paused = move_batch(by=None, batch=batch, to=BatchState.PAUSED)
    assert outlook_of(cast.study, paused).ends_at is None
    closed = move_batch(by=None, batch=paused, to=BatchState.CLOSED)
    assert outlook_of(cast.study, closed).pace is None


def test_votes_that_were_taken_out_are_in_no_progress_but_are_paid(cast, batch, worker, sign_in):
    vote(worker, 4)
    shown = caller(cast.researcher).get("crowd_batch", 1).json()
    assert (shown["votes"], shown["places"], shown["cost"]) == (4, 12, "2.16")
    exclude(by=None, member=worker, stage="crowd", kind=ExclusionKind.DISMISSED)
    shown = caller(cast.researcher).get("crowd_batch", 1).json()
    assert (shown["votes"], shown["places"], shown["cost"]) == (0, 12, "2.88")
    assert "0 of 12 votes" in words(sign_in(cast.researcher).get(url("crowd", cast)))
    assert "0 of 12 votes" in words(sign_in(cast.researcher).get(url("crowd_batch", cast, 1)))
    progress = stage_progress(cast.study, "crowd")
    assert (progress.places, progress.filled, progress.complete) == (12, 0, 0)


@pytest.mark.parametrize("is_dismissed", [False, True])
def test_a_closed_batch_is_complete_only_with_votes_that_count(cast, posts, is_dismissed):
    made = create_batch(by=None, study=cast.study, posts=2, votes_wanted=1)
    batch = move_batch(by=None, batch=made, to=BatchState.OPEN)
    vote(cast.worker, 2)
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)
    if is_dismissed:
        exclude(by=None, member=cast.worker, stage="crowd", kind=ExclusionKind.DISMISSED)
    progress = stage_progress(cast.study, "crowd")
    assert progress.posts == 2 and progress.complete == (0 if is_dismissed else 2)


def test_who_only_holds_a_post_is_at_work_too(cast, batch, worker):
    assert outlook_of(cast.study, batch).people == 0
    next_task(by=worker, stage="crowd")
    assert outlook_of(cast.study, batch).people == 1


def test_posts_of_a_batch_are_found_by_words_and_by_id(cast, batch, worker, sign_in):
    vote(worker, 4)
    client, address = sign_in(cast.researcher), url("crowd_batch", cast, 1)
    assert "1 post<" in words(client.get(address, {"q": "number 3"})).replace(" <", "<")
    assert "1 post<" in words(client.get(address, {"q": "p2"})).replace(" <", "<")
    assert "No post here has these words" in words(client.get(address, {"q": "Number 6"}))
    won = {"q": "number 3", "majority": "no_claim"}
    assert "1 post<" in words(client.get(address, won)).replace(" <", "<")
    lost = {"q": "number 3", "majority": "checkworthy"}
    assert "No post here has these words" in words(client.get(address, lost))
    assert "1 post<" in words(client.get(url("crowd_posts", cast), {"q": "p2"})).replace(" <", "<")


@pytest.mark.parametrize("bad", ["\0", "'; DROP TABLE annotation_post; --", "%s %(x)s", "🙂" * 500])
def test_odd_words_find_nothing_and_break_nothing(cast, batch, worker, sign_in, bad):
    vote(worker, 1)
    client = sign_in(cast.researcher)
    for majority in ("", "no_claim"):
        answer = client.get(url("crowd_batch", cast, 1), {"q": bad, "majority": majority})
        assert answer.status_code == 200


def test_lengths_of_time_are_told_no_finer_than_they_are_known():
    assert [duration(seconds) for seconds in (1, 600, 4000, 50_000, 400_000)] == [
        "1 min",
        "10 min",
        "1 h 7 min",
        "14 h",
        "5 days",
    ]
