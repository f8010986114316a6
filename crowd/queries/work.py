"""What a labelling screen shows; each query costs the same on a person's first and last post."""

from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.utils import timezone

from annotation.models import (
    Assignment,
    BatchState,
    Member,
    StageCode,
    Study,
    Vote,
)
from crowd.models import Acknowledgement, Instructions, Label

PLACES_LOOKED_AT = 3_000
TASKS_LOOKED_AT = 1_000
VOTES_FOR_PACE = 20
FEWEST_FOR_PACE = 5

# Ahead of a person's cursor lie the posts that they were never offered. Both searches stop early,
# so they cost the same in a batch of five thousand and of five million.
PLACES_AHEAD = """
    SELECT count(DISTINCT (batch_id, position)), count(*) FROM (
        SELECT place.batch_id, place.position
        FROM annotation_batch AS batch
        LEFT JOIN annotation_cursor AS mine
            ON mine.batch_id = batch.id AND mine.member_id = %(member)s
        JOIN annotation_place AS place ON place.batch_id = batch.id
            AND place.filled_at IS NULL AND place.position > coalesce(mine.position, 0)
        WHERE batch.study_id = %(study)s AND batch.stage = %(stage)s AND batch.state = %(open)s
        LIMIT %(limit)s) AS ahead
"""
TASKS_AHEAD = """
    SELECT count(*), count(*) FROM (
        SELECT task.id
        FROM annotation_batch AS batch
        LEFT JOIN annotation_cursor AS mine
            ON mine.batch_id = batch.id AND mine.member_id = %(member)s
        JOIN annotation_task AS task ON task.batch_id = batch.id
            AND task.position > coalesce(mine.position, 0)
        WHERE batch.study_id = %(study)s AND batch.stage = %(stage)s AND batch.state = %(open)s
        LIMIT %(limit)s) AS ahead
"""


@dataclass(frozen=True)
class Ahead:
    """How many posts wait for a person; `is_more` where counting stopped early."""

    posts: int
    is_more: bool


def posts_ahead(member: Member, stage: str) -> Ahead:
    """Return how many posts a person was not offered yet and could vote on now."""
    is_gold = stage == StageCode.GOLD
    limit = TASKS_LOOKED_AT if is_gold else PLACES_LOOKED_AT
    parameters: dict[str, str | int] = {
        "member": member.pk,
        "study": member.study_id,
        "stage": stage,
        "open": BatchState.OPEN,
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(TASKS_AHEAD if is_gold else PLACES_AHEAD, parameters)
        posts, looked_at = cursor.fetchone()
    return Ahead(posts=posts, is_more=looked_at == limit)


@dataclass(frozen=True)
class LastVote:
    """A person's newest vote at a stage."""

    assignment_id: int
    label: str
    created_at: datetime


@dataclass(frozen=True)
class Pace:
    """A person's newest vote, and the median seconds of their last ones (None: too few known)."""

    last: LastVote | None
    seconds: float | None


def pace_of(member: Member, stage: str) -> Pace:
    """Return a person's pace at a stage, from their last votes."""
    mine = Assignment.objects.filter(task=OuterRef("task"), member=OuterRef("member"))
    votes = list(
        Vote.objects.filter(member=member, task__stage=stage)
        .order_by("-created_at", "-pk")
        .annotate(assignment_id=Subquery(mine.values("pk")[:1]))
        .values_list("assignment_id", "label", "created_at", "seconds")[:VOTES_FOR_PACE]
    )
    known = [seconds for *_vote, seconds in votes if seconds is not None]
    return Pace(
        last=LastVote(*votes[0][:3]) if votes else None,
        seconds=median(known) if len(known) >= FEWEST_FOR_PACE else None,
    )


def votes_today(member: Member, stage: str) -> int:
    """Return on how many posts a person has voted since midnight in the zone of the request."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    return Vote.objects.filter(
        member=member, task__stage=stage, version=1, created_at__gte=midnight
    ).count()


def newest_instructions(study: Study, member: Member) -> Instructions | None:
    """Return the newest instructions of a study; `is_read` says whether the person read them."""
    read = Acknowledgement.objects.filter(instructions=OuterRef("pk"), member=member)
    return Instructions.objects.filter(study=study).annotate(is_read=Exists(read)).first()


def labels_of_batch(batch_id: int) -> list[Label]:
    """Return a round's labels in the order of their digits."""
    labels = Label.objects.filter(label_set__rounds__batch=batch_id)
    return list(labels.order_by("key", "order"))


def own_votes(member: Member, stage: str) -> QuerySet[Any]:
    """Return a person's current votes at a stage with their assignments, newest first."""
    mine = Assignment.objects.filter(task=OuterRef("task"), member=OuterRef("member"))
    return (
        Vote.objects.filter(member=member, task__stage=stage)
        .current()
        .select_related("task__post", "task__batch")
        .annotate(assignment_id=Subquery(mine.values("pk")[:1]))
        .order_by("-created_at", "-pk")
    )
