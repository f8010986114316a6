"""Welfare: warnings before the first post, graphic posts closed, a way out that costs nothing."""

import pytest
from django.urls import reverse

from annotation.models import Assignment, AssignmentState, SittingState, SkipReason
from annotation.services.assignments import next_task, skip_task
from annotation.services.posts import mark_graphic
from annotation.services.votes import Answer, submit_vote
from tests.cast import join
from tests.crowd.conftest import has_read, held_by
from tests.queries import queries_for

pytestmark = pytest.mark.django_db


def url(name, cast, *more):
    return reverse(name, args=[cast.study.slug, *more])


def page(response):
    return response.content.decode()


def settings(cast, **changes):
    for name, value in changes.items():
        setattr(cast.study.protocol, name, value)
    cast.study.protocol.save()


def test_the_studys_own_warning_stands_before_the_first_post(cast, batch, sign_in):
    html = page(sign_in(cast.worker).get(url("work", cast)))
    assert "rude, hateful or upsetting" in html
    settings(cast, content_warning="Photos of war are <b>described</b>.")
    html = page(sign_in(cast.worker).get(url("work", cast)))
    assert "Photos of war are &lt;b&gt;described" in html and "rude, hateful" not in html
    assert "Photos of war" in page(sign_in(cast.owner).get(url("protocol", cast)))


def test_the_text_of_a_graphic_post_waits_until_it_is_opened(cast, batch, worker, sign_in):
    held = Assignment.objects.get(pk=held_by(worker))
    assert "marked as graphic" not in page(sign_in(worker).get(url("work", cast)))
    address = url("post_graphic", cast, held.task.post_id)
    answer = sign_in(cast.researcher).post(address, {"to": "graphic"}, follow=True)
    assert "It is not graphic" in page(answer)
    html = page(sign_in(worker).get(url("work", cast)))
    start = html.index('<details class="post-graphic">')
    assert held.task.post.text in html[start : html.index("</details>", start)]
    assert html.count(held.task.post.text) == 1


def test_a_graphic_post_stays_closed_in_ones_own_votes_and_in_a_correction(
    cast, batch, worker, sign_in
):
    held = held_by(worker)
    post = Assignment.objects.get(pk=held).task.post
    submit_vote(by=worker, assignment_id=held, answer=Answer("no_claim"))
    mark_graphic(by=cast.owner.user, post=post, is_graphic=True)
    for address in (url("work_votes", cast), url("work_correct", cast, held)):
        html = page(sign_in(worker).get(address))
        assert html.count(post.text) == 1
        assert "<details" in html[: html.index(post.text)]


def test_the_history_keeps_who_marked_a_post_and_who_took_the_mark_away(cast, posts):
    marked = mark_graphic(by=cast.researcher.user, post=posts[0], is_graphic=True)
    mark_graphic(by=cast.owner.user, post=posts[0], is_graphic=False)
    events = marked.is_graphic_events.order_by("pgh_id")
    assert [event.is_graphic for event in events] == [True, False]
    assert [event.pgh_context.metadata["user"] for event in events] == [
        cast.researcher.user.pk,
        cast.owner.user.pk,
    ]


def test_this_is_harmful_to_me_passes_the_post_on_at_once(cast, batch, worker, sign_in):
    held = held_by(worker)
    client = sign_in(worker)
    html = page(client.get(url("work", cast)))
    assert f'formaction="{url("work_skip", cast, held)}"' in html
    answer = client.post(url("work_skip", cast, held), {"reason": "harmful"}, follow=True)
    assert "costs you nothing" in page(answer)
    mine = Assignment.objects.get(pk=held)
    assert (mine.state, mine.skip_reason) == (AssignmentState.SKIPPED, SkipReason.HARMFUL)
    following = next_task(by=worker, stage="crowd").assignment
    assert following is not None and following.pk != held


def test_researchers_see_what_was_skipped_and_how_often_for_which_reason(cast, batch, sign_in):
    post = None
    for name, reason in (("a", "harmful"), ("b", "harmful"), ("c", "not_sure")):
        held = held_by(has_read(join(cast.study, name, "crowd_worker")))
        skip_task(by=Assignment.objects.get(pk=held).member, assignment_id=held, reason=reason)
        post = Assignment.objects.get(pk=held).task.post
    html = " ".join(page(sign_in(cast.researcher).get(url("crowd_reports", cast))).split())
    assert "1 post was skipped" in html
    assert 'data-label="Harmful">2<' in html and 'data-label="Cannot decide">1<' in html
    html = " ".join(page(sign_in(cast.researcher).get(url("post", cast, post.pk))).split())
    assert "“This is harmful to me” × 2" in html and "“I cannot decide” × 1" in html


def test_nothing_is_reported_where_nobody_skipped(cast, batch, worker, sign_in):
    held_by(worker)
    html = page(sign_in(cast.researcher).get(url("crowd_reports", cast)))
    assert "Nobody has skipped a post" in html


def test_reports_cost_the_same_number_of_queries_for_one_post_and_for_four(
    cast, batch, worker, sign_in
):
    client = sign_in(cast.researcher)
    skip_task(by=worker, assignment_id=held_by(worker), reason="harmful")
    few = queries_for(client, url("crowd_reports", cast))
    for _number in range(3):
        skip_task(by=worker, assignment_id=held_by(worker), reason="harmful")
    assert queries_for(client, url("crowd_reports", cast)) == few


def test_a_worker_leaves_from_the_post_and_keeps_what_was_done(cast, batch, worker, sign_in):
    client = sign_in(worker)
    submit_vote(by=worker, assignment_id=held_by(worker), answer=Answer("no_claim"))
    assert url("work_leave", cast) in page(client.get(url("work", cast)))
    assert "kept and paid" in page(client.get(url("work_leave", cast)))
    client.post(url("work_leave", cast))
    assert worker.sittings.get().state == SittingState.LEFT
    assert worker.votes.counting().count() == 1


def test_the_daily_cap_is_told_before_the_first_post_and_when_it_is_reached(
    cast, batch, worker, sign_in
):
    settings(cast, daily_cap=1)
    newcomer = join(cast.study, "newcomer", "crowd_worker")
    assert "After 1 post in a day" in page(sign_in(newcomer).get(url("work", cast)))
    submit_vote(by=worker, assignment_id=held_by(worker), answer=Answer("no_claim"))
    html = page(sign_in(worker).get(url("work", cast)))
    assert "Enough for today" in html and "The limit is 1 post a day" in html
