"""The posts on which somebody has yet to vote, so that nothing tells them what others said."""

from collections.abc import Sequence

from django.db.models import Exists, OuterRef

from annotation.models import BatchState, Member, Origin, Task, Vote


def unvoted_posts(
    member: Member, stages: Sequence[str], batch_ids: Sequence[int]
) -> frozenset[int]:
    """Return those posts of some rounds on which a person has yet to vote at these stages."""
    if not stages:
        return frozenset()
    mine = Vote.objects.filter(member=member, task=OuterRef("pk"))
    here = Task.objects.filter(batch__in=batch_ids, post=OuterRef("post"))
    tasks = Task.objects.filter(
        Exists(here), batch__study=member.study_id, stage__in=list(stages), origin=Origin.HERE
    )
    waiting = tasks.exclude(batch__state=BatchState.CLOSED).exclude(Exists(mine))
    return frozenset(waiting.values_list("post_id", flat=True))
