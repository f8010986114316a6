"""Which posts are left for new batches: a post is in one of the crowd or of gold, never in two."""

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Origin, Post, StageCode, Study, Task

STAGES = (StageCode.CROWD, StageCode.GOLD)


def taken_tasks(study: Study) -> QuerySet[Task]:
    """Return the tasks of posts that are in a batch of the crowd or of gold."""
    return Task.objects.filter(batch__study=study, stage__in=STAGES, origin=Origin.HERE)


def free_posts(study: Study) -> int:
    """Return how many kept posts no batch has yet."""
    taken = taken_tasks(study).filter(post=OuterRef("pk"))
    return Post.objects.filter(study=study, dropped_reason="").exclude(Exists(taken)).count()
