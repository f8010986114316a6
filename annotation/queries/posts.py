"""One post, traced backwards: its votes, the people by pseudonym, the guide that they had read."""

from dataclasses import dataclass

from django.db.models import Count

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Member,
    Post,
    SkipReason,
    StageCode,
    Tally,
    Task,
    Vote,
)
from annotation.models.votes import is_newest


@dataclass(frozen=True)
class Trace:
    """All that was said about a post: each version of each vote, and imported tallies, by round."""

    rounds: list["Round"]


@dataclass(frozen=True)
class Round:
    """What was said about a post in one batch."""

    batch: Batch
    votes: list[Vote]
    tallies: list[Tally]


def post_trace(post: Post) -> Trace:
    """Return a post's votes of all stages, oldest first, and its tallies."""
    votes = (
        Vote.objects.filter(task__post=post)
        .annotate(is_newest=is_newest())
        .select_related("task", "member")
        .order_by("member", "version")
    )
    by_batch: dict[int, list[Vote]] = {}
    for vote in votes:
        by_batch.setdefault(vote.task.batch_id, []).append(vote)
    tallies: dict[int, list[Tally]] = {}
    for tally in Tally.objects.filter(post=post).order_by("label"):
        tallies.setdefault(tally.batch_id, []).append(tally)
    batches = Batch.objects.filter(tasks__post=post) | Batch.objects.filter(tallies__post=post)
    return Trace(
        rounds=[
            Round(batch, by_batch.get(batch.pk, []), tallies.get(batch.pk, []))
            for batch in batches.distinct().order_by("stage", "number")
        ]
    )


def skips_of(post: Post) -> list[tuple[str, int]]:
    """Return why people skipped a post, in words, and how many did for each reason."""
    skips = Assignment.objects.filter(task__post=post, state=AssignmentState.SKIPPED)
    found = skips.values_list("skip_reason").annotate(people=Count("pk")).order_by("-people")
    return [(str(SkipReason(reason).label), people) for reason, people in found if reason]


def awaits_gold_vote(post: Post, member: Member) -> bool:
    """Say whether a post stands in a gold batch in which this person has yet to label it.

    Until then they are shown nothing that others said about it.
    """
    return (
        Task.objects.filter(post=post, stage=StageCode.GOLD)
        .exclude(batch__state=BatchState.CLOSED)
        .exclude(votes__member=member)
        .exists()
    )
