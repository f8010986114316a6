"""What a labelling screen shows; each query costs the same on a person's first and last post."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery

from annotation.models import (
    Assignment,
    BatchState,
    Member,
    Sitting,
    SittingState,
    StageCode,
    Study,
    Task,
    Vote,
    worked_at,
)
from annotation.queries.rows import Columns, Statement
from crowd.models import CrowdRound, Instructions, Label

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


INSTRUCTIONS = Columns(
    "newest", Instructions, without=["introduction", "markdown", "created_by", "created_at"]
)
NEWEST_INSTRUCTIONS = Statement(
    "newest_instructions",
    f"""
    SELECT EXISTS (
        SELECT FROM crowd_acknowledgement AS known
        WHERE known.instructions_id = newest.id AND known.member_id = $1), {INSTRUCTIONS.sql}
    FROM crowd_instructions AS newest WHERE newest.study_id = $2
    ORDER BY newest.version DESC LIMIT 1
""",  # noqa: S608 -- columns
)


@dataclass(frozen=True)
class LastVote:
    """A person's newest vote at a stage."""

    assignment_id: int
    label: str
    created_at: datetime


def last_vote(member: Member, stage: str) -> LastVote | None:
    """Return a person's newest vote at a stage."""
    mine = Assignment.objects.filter(task=OuterRef("task"), member=OuterRef("member"))
    newest = (
        Vote.objects.filter(member=member, task__stage__in=worked_at(stage))
        .order_by("-created_at", "-pk")
        .annotate(assignment_id=Subquery(mine.values("pk")[:1]))
        .values_list("assignment_id", "label", "created_at")
        .first()
    )
    return LastVote(*newest) if newest else None


def last_sitting(member: Member, stage: str) -> Sitting | None:
    """Return somebody's newest sitting at a stage."""
    return Sitting.objects.filter(member=member, stage=stage).first()


def newest_instructions(study: Study, member: Member) -> tuple[Instructions, bool] | None:
    """Return the newest instructions of a study, and whether this person has read them."""
    row = NEWEST_INSTRUCTIONS.row(member.pk, study.pk)
    return (INSTRUCTIONS.read(row[1:]), row[0]) if row else None


@lru_cache(maxsize=1_000)
def label_set_of(batch_id: int) -> int:
    """Return the label set of a round, which never changes."""
    return CrowdRound.objects.values_list("label_set_id", flat=True).get(batch=batch_id)


def labels_of_batch(batch_id: int) -> list[Label]:
    """Return a round's labels, with their set, in the order of their keys."""
    labels = Label.objects.filter(label_set__rounds__batch=batch_id).select_related("label_set")
    return list(labels.order_by("key", "order"))


def own_votes(member: Member, stage: str) -> QuerySet[Any]:
    """Return a person's current votes at a stage with assignments and sittings, newest first."""
    mine = Assignment.objects.filter(task=OuterRef("task"), member=OuterRef("member"))
    return (
        Vote.objects.filter(member=member, task__stage__in=worked_at(stage))
        .current()
        .select_related("task__post", "task__batch")
        .annotate(
            assignment_id=Subquery(mine.values("pk")[:1]),
            sitting_state=Subquery(mine.values("sitting__state")[:1]),
        )
        .order_by("-created_at", "-pk")
    )


def takes_corrections(task: Task, sitting_state: str | None) -> bool:
    """Say whether a vote can be corrected: until its batch is closed, or its test is complete."""
    if task.stage == StageCode.PRESCREENING and sitting_state != SittingState.OPEN:
        return False
    return task.batch.state != BatchState.CLOSED
