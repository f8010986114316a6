"""What experts answered: one's own answers for oneself, all answers to a post for researchers."""

from collections.abc import Iterable
from typing import Any

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery

from annotation.models import Assignment, Member, Post, StageCode, Vote
from annotation.queries.progress import votes_of
from legal.models import LegalAnswer, LegalRound, RaisedIssue


def own_answers(member: Member) -> QuerySet[Vote]:
    """Return a person's current votes, newest first, with their answers and assignments."""
    assignment = Assignment.objects.filter(task=OuterRef("task"), member=OuterRef("member"))
    return (
        votes_of(member, StageCode.LEGAL)
        .select_related("legal_answer")
        .prefetch_related(*beside("legal_answer__"))
        .annotate(assignment_id=Subquery(assignment.values("pk")[:1]))
    )


def own_answer(assignment: Assignment) -> LegalAnswer | None:
    """Return the newest version of the answer that came out of an assignment."""
    return (
        LegalAnswer.objects.filter(vote__task=assignment.task_id, vote__member=assignment.member_id)
        .select_related("vote")
        .prefetch_related(*beside(""))
        .order_by("-vote__version")
        .first()
    )


def answers_to(post: Post) -> QuerySet[Vote]:
    """Return all current votes of the experts on a post with their answers, oldest first."""
    return (
        Vote.objects.filter(task__post=post, task__stage=StageCode.LEGAL)
        .current()
        .select_related("member", "task__batch__legal_round__catalogue", "legal_answer")
        .prefetch_related(*beside("legal_answer__"))
        .order_by("pk")
    )


def beside(prefix: str) -> "Iterable[Prefetch[Any]]":
    """Return how to fetch an answer's issues and evidence along with it."""
    raised = RaisedIssue.objects.select_related("issue__topic").order_by(
        "issue__topic__order", "issue__order"
    )
    return (Prefetch(f"{prefix}raised", queryset=raised), Prefetch(f"{prefix}evidence"))


def round_of(assignment: Assignment) -> LegalRound:
    """Return the round of an assignment's batch, with its catalogue."""
    return LegalRound.objects.select_related("catalogue").get(batch=assignment.task.batch_id)
