"""One post, traced backwards: its votes, the people by pseudonym, the guide that they had read."""

from dataclasses import dataclass

from annotation.models import Batch, Post, Tally, Vote


@dataclass(frozen=True)
class Trace:
    """All that was said about a post: each version of each vote, and imported tallies."""

    votes: list[Vote]
    tallies: list[Tally]
    batches: list[Batch]


def post_trace(post: Post) -> Trace:
    """Return a post's votes of all stages, oldest first, and its tallies."""
    votes = (
        Vote.objects.filter(task__post=post)
        .select_related("task__batch", "member")
        .order_by("task__stage", "task__batch__number", "member", "version")
    )
    tallies = Tally.objects.filter(post=post).select_related("batch").order_by("batch", "label")
    batches = Batch.objects.filter(tasks__post=post).order_by("stage", "number").distinct()
    return Trace(votes=list(votes), tallies=list(tallies), batches=list(batches))
