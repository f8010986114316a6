"""How far batches, stages and people are."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Avg, Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.db.models.lookups import LessThan

from annotation.models import Batch, BatchState, Member, Origin, Place, Study, Task, Vote


@dataclass(frozen=True)
class StageProgress:
    """Posts and votes of a stage's own tasks."""

    posts: int
    complete: int
    places: int
    filled: int

    @property
    def open_posts(self) -> int:
        """Return how many posts still want votes."""
        return self.posts - self.complete


def stage_progress(study: Study, stage: str) -> StageProgress:
    """Return how far a stage's tasks are; posts of imported rounds count as complete."""
    tasks = Task.objects.filter(batch__study=study, stage=stage)
    totals = tasks.aggregate(
        posts=Count("post", distinct=True),
        complete=Count("post", distinct=True, filter=~lacks_votes()),
    )
    standing = Place.objects.standing().filter(batch__study=study, batch__stage=stage)
    places = standing.aggregate(
        places=Count("pk"), filled=Count("pk", filter=Q(filled_at__isnull=False))
    )
    return StageProgress(**totals, **places)


def lacks_votes() -> Q:
    """Return the condition on a task that votes are missing: still wanted, or taken out for good.

    A closed batch gets none anew for votes that were taken out.
    """
    places = Place.objects.filter(task=OuterRef("pk"))
    vacated = places.filter(vacated_at__isnull=False)
    standing = places.standing().order_by().values("task").annotate(number=Count("pk"))
    left = Coalesce(Subquery(standing.values("number")), 0)
    return Q(Exists(places.unfilled())) | Q(
        Exists(vacated), LessThan(left, F("batch__votes_wanted"))
    )


def batches_of(study: Study, stage: str) -> QuerySet[Any]:
    """Return a stage's batches with their posts, places and filled places counted.

    Votes that were taken out are paid, too: `paid_count` has their places with the others. Each is
    counted on its own: tasks and places joined would be multiplied with each other.
    """
    places = Place.objects.filter(batch=OuterRef("pk"))
    return (
        Batch.objects.filter(study=study, stage=stage)
        .annotate(
            posts=number_of(Task.objects.filter(batch=OuterRef("pk"))),
            place_count=number_of(places.standing()),
            filled_count=number_of(places.filled()),
            paid_count=number_of(places),
        )
        .order_by("number")
    )


def number_of(rows: QuerySet[Any]) -> Coalesce:
    """Return the number of a batch's rows as a column."""
    counted = rows.order_by().values("batch").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), 0)


def has_open_batch(study: Study, stage: str) -> bool:
    """Say whether a stage hands out tasks."""
    return Batch.objects.filter(
        study=study, stage=stage, origin=Origin.HERE, state=BatchState.OPEN
    ).exists()


def votes_of(member: Member, stage: str) -> QuerySet[Vote]:
    """Return a person's current votes at a stage, newest first, with their posts."""
    return (
        Vote.objects.filter(member=member, task__stage=stage)
        .current()
        .select_related("task__post", "task__batch", "task__batch__study")
        .order_by("-created_at", "-pk")
    )


def own_progress(member: Member, stage: str) -> dict[str, int]:
    """Return how many posts a person has voted on at a stage, and how many are left for them."""
    done = Vote.objects.filter(member=member, task__stage=stage, version=1).count()
    mine = Vote.objects.filter(member=member, task=OuterRef("task"))
    left = (
        Place.objects.unfilled()
        .filter(
            batch__study=member.study_id,
            batch__stage=stage,
            batch__state=BatchState.OPEN,
        )
        .exclude(Exists(mine))
        .values("task")
        .distinct()
        .count()
    )
    return {"done": done, "left": left, "total": done + left}


def annotators_of(study: Study, stage: str) -> QuerySet[Member]:
    """Return who voted at a stage, with their votes and mean active seconds."""
    at_stage = Q(votes__task__stage=stage, votes__version=1)
    return (
        Member.objects.filter(study=study)
        .annotate(
            vote_count=Count("votes", filter=at_stage),
            mean_seconds=Avg("votes__seconds", filter=at_stage),
        )
        .filter(vote_count__gt=0)
        .order_by(F("vote_count").desc(), "pk")
    )
