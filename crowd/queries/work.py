"""What a labelling screen shows; each query costs the same on a person's first and last post."""

from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet, Subquery

from annotation.models import (
    Assignment,
    BatchState,
    Member,
    Sitting,
    Study,
    Vote,
    worked_at,
)
from crowd.models import Acknowledgement, Instructions, Label

VOTES_FOR_PACE = 20
FEWEST_FOR_PACE = 5

TASKS_AHEAD = """
    SELECT coalesce(sum(done), 0), coalesce(sum(ahead), 0) FROM (
        SELECT (SELECT count(*) FROM annotation_task AS task
                WHERE task.batch_id = batch.id AND task.position <= coalesce(mine.position, 0)
               ) AS done,
               (SELECT count(*) FROM annotation_task AS task
                WHERE task.batch_id = batch.id AND task.position > coalesce(mine.position, 0)
               ) AS ahead
        FROM annotation_batch AS batch
        LEFT JOIN annotation_cursor AS mine
            ON mine.batch_id = batch.id AND mine.member_id = %(member)s
        WHERE batch.study_id = %(study)s AND batch.stage = %(stage)s AND batch.state = %(open)s
    ) AS batches
"""


@dataclass(frozen=True)
class Ahead:
    """How many open tasks somebody was offered before the present one, and how many wait."""

    done: int
    posts: int


def tasks_ahead(member: Member, stage: str) -> Ahead:
    """Return how far somebody is in the open tasks of a stage (a gold pool of a hundred or so)."""
    parameters: dict[str, str | int] = {
        "member": member.pk,
        "study": member.study_id,
        "stage": stage,
        "open": BatchState.OPEN,
    }
    with connection.cursor() as cursor:
        cursor.execute(TASKS_AHEAD, parameters)
        offered, posts = cursor.fetchone()
    return Ahead(done=max(0, int(offered) - 1), posts=int(posts))


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
        Vote.objects.filter(member=member, task__stage__in=worked_at(stage))
        .order_by("-created_at", "-pk")
        .annotate(assignment_id=Subquery(mine.values("pk")[:1]))
        .values_list("assignment_id", "label", "created_at", "seconds")[:VOTES_FOR_PACE]
    )
    known = [seconds for *_vote, seconds in votes if seconds is not None]
    return Pace(
        last=LastVote(*votes[0][:3]) if votes else None,
        seconds=median(known) if len(known) >= FEWEST_FOR_PACE else None,
    )


def last_sitting(member: Member, stage: str) -> Sitting | None:
    """Return somebody's newest sitting at a stage."""
    return Sitting.objects.filter(member=member, stage=stage).first()


def newest_instructions(study: Study, member: Member) -> Instructions | None:
    """Return the newest instructions of a study; `is_read` says whether the person read them."""
    read = Acknowledgement.objects.filter(instructions=OuterRef("pk"), member=member)
    return Instructions.objects.filter(study=study).annotate(is_read=Exists(read)).first()


def labels_of_batch(batch_id: int) -> list[Label]:
    """Return a round's labels, with their set, in the order of their keys."""
    labels = Label.objects.filter(label_set__rounds__batch=batch_id).select_related("label_set")
    return list(labels.order_by("key", "order"))


def own_votes(member: Member, stage: str) -> QuerySet[Any]:
    """Return a person's current votes at a stage with their assignments, newest first."""
    mine = Assignment.objects.filter(task=OuterRef("task"), member=OuterRef("member"))
    return (
        Vote.objects.filter(member=member, task__stage__in=worked_at(stage))
        .current()
        .select_related("task__post", "task__batch")
        .annotate(assignment_id=Subquery(mine.values("pk")[:1]))
        .order_by("-created_at", "-pk")
    )
