"""A draft made by mistake can be thrown away as long as it never was open."""

from functools import partial

import pytest
from django.urls import reverse

from annotation.models import Batch, BatchState, DiscardedBatch, Place, StageCode, Task
from annotation.services.archive import StudyArchived
from annotation.services.batches import BatchRefused, move_batch
from annotation.services.studies import archive_study
from crowd.models import CrowdRound
from crowd.services.batches import create_batch, create_gold_batch, discard_draft
from crowd.services.checks import set_check_share
from crowd.services.gold import close_pool
from tests.api import caller
from tests.cast import add_posts, make_cast
from tests.crowd.test_arrival_races import at_once

ROUNDS = 6

pytestmark = pytest.mark.django_db


def test_a_draft_goes_with_its_posts_places_and_checks_and_its_number_stays_used(cast, posts):
    batch = create_batch(by=None, study=cast.study, posts=len(posts), seed=3)
    set_check_share(by=None, batch=batch, share=0.1)
    with pytest.raises(BatchRefused, match="No post is left"):
        create_batch(by=None, study=cast.study)
    record = discard_draft(by=cast.researcher.user, batch=batch)
    assert (record.number, record.posts, record.seed) == (1, len(posts), 3)
    assert record.created_by == cast.researcher.user
    for table in (Batch, Task, Place, CrowdRound):
        assert not table.objects.exists()
    again = create_batch(by=None, study=cast.study, posts=len(posts))
    assert again.number == 2 and again.tasks.count() == len(posts)
    set_check_share(by=None, batch=again, share=0.1)
    assert again.follower.number == 2


def test_a_gold_draft_goes_alike(cast, posts):
    batch = create_gold_batch(by=None, study=cast.study, posts=4)
    discard_draft(by=None, batch=batch)
    assert not Batch.objects.exists()
    assert create_gold_batch(by=None, study=cast.study, posts=6).number == 2


@pytest.mark.parametrize("later", [None, BatchState.PAUSED, BatchState.CLOSED])
def test_what_was_open_once_is_refused_and_stays_whole(cast, batch, later):
    if later:
        move_batch(by=None, batch=batch, to=later)
    with pytest.raises(BatchRefused, match="Only a draft"):
        discard_draft(by=None, batch=batch)
    assert Task.objects.count() == 4 and Place.objects.count() == 12
    assert CrowdRound.objects.count() == 1 and not DiscardedBatch.objects.exists()


def test_an_archived_study_keeps_its_drafts(cast, posts):
    batch = create_batch(by=None, study=cast.study, posts=2)
    archive_study(by=cast.owner)
    with pytest.raises(StudyArchived):
        discard_draft(by=None, batch=batch)
    assert Batch.objects.get() == batch


def test_who_changes_a_batch_that_is_gone_hears_so(cast, posts):
    batch = create_batch(by=None, study=cast.study, posts=2)
    pool = create_gold_batch(by=None, study=cast.study, posts=2)
    discard_draft(by=None, batch=Batch.objects.get(pk=batch.pk))
    discard_draft(by=None, batch=Batch.objects.get(pk=pool.pk))
    for change in (
        partial(move_batch, by=None, batch=batch, to=BatchState.OPEN),
        partial(discard_draft, by=None, batch=batch),
        partial(set_check_share, by=None, batch=batch, share=0.1),
        partial(close_pool, by=None, batch=pool),
    ):
        with pytest.raises(BatchRefused, match="discarded meanwhile"):
            change()


@pytest.mark.django_db(transaction=True)
def test_of_opening_and_discarding_at_once_one_wins():
    cast = make_cast()
    add_posts(cast.study, 3)
    for number in range(1, ROUNDS + 1):
        batch = create_batch(by=None, study=cast.study, posts=3)
        assert batch.number == number
        outcomes = at_once(
            [
                partial(move_batch, by=None, batch=batch, to=BatchState.OPEN),
                partial(discard_draft, by=None, batch=batch),
            ]
        )
        assert sum(isinstance(one, BatchRefused) for one in outcomes) == 1, outcomes
        left = Batch.objects.filter(pk=batch.pk).first()
        if left:
            assert left.state == BatchState.OPEN and left.places.count() == 9
            break
        assert Task.objects.count() == Place.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_a_number_is_given_once_though_its_draft_goes_at_that_moment():
    cast = make_cast()
    add_posts(cast.study, 4)
    old = create_batch(by=None, study=cast.study, posts=2)
    for _round in range(ROUNDS):
        made = partial(create_batch, by=None, study=cast.study, posts=2)
        outcomes = at_once([partial(discard_draft, by=None, batch=old), made])
        new = next(one for one in outcomes if isinstance(one, Batch))
        assert new.number == old.number + 1, outcomes
        old = new


def test_the_page_asks_first_and_then_says_what_is_free(cast, posts, sign_in):
    create_batch(by=None, study=cast.study, posts=6)
    client = sign_in(cast.researcher)
    for page in ("crowd", "crowd_batch"):
        more = [1] if page == "crowd_batch" else []
        html = client.get(reverse(page, args=[cast.study.slug, *more])).content.decode()
        assert "/crowd/batches/1/discard/" in html
    address = reverse("crowd_batch_discard", args=[cast.study.slug, 1])
    html = client.get(address).content.decode()
    assert "Posts that are free again" in html and Batch.objects.exists()
    html = client.post(address, follow=True).content.decode()
    assert "Its 6 posts are free again" in html and not Batch.objects.exists()
    assert client.post(address).status_code == 404


def test_the_page_of_a_batch_that_was_open_offers_nothing(cast, batch, gold_batch, sign_in):
    client = sign_in(cast.researcher)
    for stage in (StageCode.CROWD, StageCode.GOLD):
        assert "discard" not in client.get(reverse(stage, args=[cast.study.slug])).content.decode()
        address = reverse(f"{stage}_batch_discard", args=[cast.study.slug, 1])
        assert "Discard the draft" not in client.get(address).content.decode()
        assert "Only a draft" in client.post(address, follow=True).content.decode()
    assert Batch.objects.count() == 2


@pytest.mark.parametrize("stage", ["crowd", "gold"])
def test_the_api_discards_a_draft_and_refuses_what_was_open(cast, posts, stage):
    make = create_batch if stage == "crowd" else create_gold_batch
    batch = make(by=None, study=cast.study, posts=2)
    opened = move_batch(by=None, batch=make(by=None, study=cast.study, posts=2), to=BatchState.OPEN)
    discard = partial(caller(cast.researcher).post, f"{stage}_batch_discard")
    assert discard(batch.number).json() == {"number": 1, "posts": 2}
    assert discard(batch.number).status_code == 404
    assert discard(opened.number).status_code == 409
