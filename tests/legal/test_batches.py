"""Posts come into the legal stage once, with the catalogue that is in force."""

import pytest

from annotation.models import BatchState, Place, Post
from annotation.services.batches import BatchRefused
from legal.models import Catalogue
from legal.services.batches import open_legal_batch
from tests.cast import add_posts, make_cast

pytestmark = pytest.mark.django_db


def test_a_batch_is_open_and_wants_the_protocols_votes(cast):
    posts = add_posts(cast.study, 3)
    batch = open_legal_batch(
        by=cast.researcher.user,
        study=cast.study,
        post_ids=[post.pk for post in posts],
        source="filter run 1",
    )
    assert (batch.state, batch.votes_wanted, batch.source) == (BatchState.OPEN, 3, "filter run 1")
    assert batch.labels == ["no", "unclear", "yes"]
    assert Place.objects.filter(batch=batch).count() == 9
    assert batch.legal_round.catalogue.version == 1


def test_posts_stand_in_the_studys_random_order_whoever_names_them_how(cast):
    add_posts(cast.study, 6)
    batch = open_legal_batch(
        by=None, study=cast.study, external_ids=[f"p{n}" for n in (5, 1, 4, 2, 3, 6)]
    )
    order = list(batch.tasks.order_by("position").values_list("post", flat=True))
    assert order == list(
        Post.objects.filter(study=cast.study).order_by("position").values_list("pk", flat=True)
    )


def test_posts_that_are_there_already_are_left_out(cast):
    posts = add_posts(cast.study, 3)
    open_legal_batch(by=None, study=cast.study, post_ids=[posts[0].pk, posts[1].pk])
    second = open_legal_batch(by=None, study=cast.study, post_ids=[post.pk for post in posts])
    assert [task.post_id for task in second.tasks.all()] == [posts[2].pk]
    with pytest.raises(BatchRefused, match="No post is left"):
        open_legal_batch(by=None, study=cast.study, post_ids=[post.pk for post in posts])


@pytest.mark.parametrize("which", ["unknown", "dropped", "elsewhere", "none"])
def test_posts_that_cannot_be_had_are_refused_and_nothing_is_made(cast, which):
    posts = add_posts(cast.study, 2)
    ids = {
        "unknown": ["nope"],
        "dropped": ["p1"],
        "elsewhere": ["q9"],
        "none": [],
    }[which]
    if which == "dropped":
        Post.objects.filter(pk=posts[0].pk).update(dropped_reason="empty_after_cleaning")
    if which == "elsewhere":
        other = make_cast("elsewhere")
        Post.objects.filter(pk=add_posts(other.study, 1)[0].pk).update(external_id="q9")
    with pytest.raises(BatchRefused):
        open_legal_batch(by=None, study=cast.study, external_ids=ids)
    assert not cast.study.batches.exists() and not Catalogue.objects.exists()
