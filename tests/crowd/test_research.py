"""The crowd's pages for researchers: batches, figures and the rows behind them."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Batch, BatchState, Role
from annotation.registry import stages
from annotation.services.batches import BatchRefused, move_batch
from annotation.services.votes import Answer, submit_vote
from crowd.services.batches import create_batch
from crowd.services.vote_import import import_votes
from infra.jobs import no_report
from tests.cast import add_posts, join, upload
from tests.crowd.conftest import held_by

pytestmark = pytest.mark.django_db


def url(name, cast, *more):
    return reverse(name, args=[cast.study.slug, *more])


def page(response):
    assert response.status_code == 200
    return response.content.decode()


def vote_round(cast, *labels_by_person):
    for number, labels in enumerate(labels_by_person):
        member = join(cast.study, f"voter{number}", Role.CROWD_WORKER)
        for label in labels:
            answer = Answer(label=label, seconds=10.0)
            submit_vote(by=member, assignment_id=held_by(member), answer=answer)


def test_an_empty_crowd_says_what_to_do_next(cast, sign_in):
    html = page(sign_in(cast.researcher).get(url("crowd", cast)))
    assert "The crowd has no posts yet" in html and url("crowd_batch_new", cast) in html


def test_a_batch_is_drawn_opened_paused_and_closed_from_the_pages(cast, posts, sign_in):
    client = sign_in(cast.researcher)
    new = {"posts": 4, "votes_wanted": 3, "seed": ""}
    html = page(client.post(url("crowd_batch_new", cast), new, follow=True))
    assert "Batch 1 is made" in html and "2.16 USD" in html and "Draft" in html
    for to, word in (
        ("open", "open"),
        ("paused", "paused"),
        ("open", "open"),
        ("closed", "closed"),
    ):
        answer = client.post(url("crowd_batch_move", cast, 1), {"to": to}, follow=True)
        assert f"Batch 1 is {word} now" in page(answer)
    answer = client.post(url("crowd_batch_move", cast, 1), {"to": "open"}, follow=True)
    assert "cannot become" in page(answer)
    answer = client.post(url("crowd_batch_move", cast, 1), {"to": "anything"}, follow=True)
    assert "Choose whether to open" in page(answer)
    assert Batch.objects.get().seed is not None


def test_the_same_seed_draws_the_same_posts(cast, posts):
    drawn = []
    for _time in range(2):
        batch = create_batch(by=None, study=cast.study, posts=3, seed=42)
        drawn.append(list(batch.tasks.order_by("position").values_list("post_id", flat=True)))
        batch.places.all().delete()
        batch.tasks.all().delete()
    assert drawn[0] == drawn[1]


def test_a_batch_that_cannot_be_made_says_why(cast, posts, sign_in):
    client = sign_in(cast.researcher)
    create_batch(by=None, study=cast.study, posts=6)
    answer = client.post(url("crowd_batch_new", cast), {"posts": 1, "votes_wanted": 3})
    assert "No post is left" in page(answer)
    assert "greater than or equal to 1" in page(
        client.post(url("crowd_batch_new", cast), {"posts": 0, "votes_wanted": 3})
    )
    with pytest.raises(BatchRefused, match="no kept post with these ids: p77"):
        create_batch(by=None, study=cast.study, external_ids=["p77"])


def test_agreement_labels_and_people_are_shown_and_lead_to_their_rows(cast, batch, sign_in):
    vote_round(
        cast,
        ["checkworthy", "checkworthy", "no_claim", "no_claim"],
        ["checkworthy", "checkworthy", "no_claim", "not_checkworthy"],
    )
    client = sign_in(cast.researcher)
    html = page(client.get(url("crowd", cast)))
    assert "Krippendorff" in html and "95% interval" in html
    assert "8 votes on 4 posts" in html and "No majority (a tie)" in html
    assert f"{url('crowd_posts', cast)}?majority=checkworthy" in html
    assert "2 posts" in page(client.get(url("crowd_posts", cast) + "?majority=checkworthy"))
    assert "1 post" in page(client.get(url("crowd_posts", cast) + "?majority=tie"))
    one = page(client.get(url("crowd_batch", cast, 1)))
    assert "4 posts" in one and "tie" in one
    person = cast.study.members.get(user__username="voter0")
    assert "4 rows" in page(client.get(url("crowd_person", cast, person.pseudonym)))


def test_undefined_agreement_is_a_sentence(cast, batch, sign_in):
    vote_round(cast, ["checkworthy"])
    assert "no pair of votes to compare" in page(sign_in(cast.owner).get(url("crowd", cast)))


def test_rounds_with_other_labels_are_shown_apart(cast, batch, sign_in):
    file = upload(cast.study, "id,annotator,label\np1,a,0\np1,b,1\n", kind="crowd_votes")
    import_votes(by=None, file=file, report=no_report)
    client = sign_in(cast.researcher)
    assert "cannot be counted together" in page(client.get(url("crowd", cast)))
    assert "2 votes on 1 post" in page(client.get(url("crowd_batch", cast, 2)))
    answer = client.get(url("crowd_posts", cast), follow=True)
    assert "different label sets" in page(answer)


def test_a_label_that_no_round_has_is_not_found(cast, batch, sign_in):
    client = sign_in(cast.researcher)
    assert client.get(url("crowd_posts", cast) + "?majority=maybe").status_code == 404
    assert client.get(url("crowd_batch", cast, 9)).status_code == 404
    assert client.get(url("crowd_person", cast, "w-00000000")).status_code == 404


def test_a_post_is_shown_as_text_never_as_html(cast, sign_in):
    add_posts(cast.study, ["<script>alert(1)</script> & <b>bold</b>"])
    batch = move_batch(
        by=None, batch=create_batch(by=None, study=cast.study, posts=1), to=BatchState.OPEN
    )
    html = page(sign_in(cast.owner).get(url("crowd_batch", cast, batch.number)))
    assert "<script>alert" not in html and "&lt;script&gt;" in html


def report_of(cast):
    stage = next(stage for stage in stages() if stage.code == "crowd")
    cast.study.refresh_from_db()
    return stage.describe(cast.study)


def test_the_stage_tells_the_next_step(cast):
    assert report_of(cast).blocked
    add_posts(cast.study, 2)
    assert "Make a batch" in report_of(cast).next_step.title
    batch = create_batch(by=None, study=cast.study, posts=2, votes_wanted=1)
    assert "Open crowd batch 1" in report_of(cast).next_step.title
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    assert "See how the crowd" in report_of(cast).next_step.title
    vote_round(cast, ["checkworthy", "checkworthy"])
    described = report_of(cast)
    assert described.next_step is None and described.counts[0].value == 2


@pytest.mark.parametrize("name", ["crowd", "crowd_posts", "crowd_batch", "crowd_person"])
def test_pages_cost_the_same_number_of_queries_with_more_rows(cast, sign_in, name):
    add_posts(cast.study, 30)
    batch = create_batch(by=None, study=cast.study, posts=30, votes_wanted=9)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    members = [join(cast.study, f"v{number}", Role.CROWD_WORKER) for number in range(6)]
    more = {"crowd_batch": [1], "crowd_person": [members[0].pseudonym]}.get(name, [])
    client = sign_in(cast.researcher)
    counted = []
    for some in (members[:2], members[2:]):
        for member in [*some, members[0]]:
            for _post in range(5):
                answer = Answer(label="checkworthy", seconds=3.0)
                submit_vote(by=member, assignment_id=held_by(member), answer=answer)
        page(client.get(url(name, cast, *more)))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page(client.get(url(name, cast, *more)))
        counted.append(len(queries))
    assert counted[0] == counted[1]
