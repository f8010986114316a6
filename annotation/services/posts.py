"""Marks posts as graphic, so that annotators see their text only when they ask for it."""

import pghistory
from django.db import transaction

from annotation.models import Post, User
from annotation.services.archive import hold_open


@transaction.atomic
def mark_graphic(*, by: User, post: Post, is_graphic: bool) -> Post:
    """Mark a post as graphic, or take the mark away; the history keeps who did."""
    with pghistory.context(user=by.pk, action="mark post"):
        hold_open(post.study_id)
        post = Post.objects.select_for_update().get(pk=post.pk)
        post.is_graphic = is_graphic
        post.save(update_fields=["is_graphic"])
    return post
