"""Checks: the posts that may be drawn, what a person has not met yet, and what became of them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Member,
    Origin,
    Place,
    StageCode,
    Study,
    Vote,
)
from crowd.models import Check, CrowdRound, GoldLabel, GoldSource
from crowd.models.defaults import AMBIGUOUS


def known_answers(study: Study) -> QuerySet[Any]:
    """Return the posts that may serve as checks, attention posts first, with what became of them.

    `votes` are current votes of checks; `right` those with the known answer.
    """
    votes = Q(post__tasks__stage=StageCode.CHECK, post__tasks__votes__in=current_check_votes(study))
    return (
        GoldLabel.objects.filter(post__study=study)
        .exclude(label=AMBIGUOUS)
        .select_related("post", "check_post")
        .annotate(
            votes=Count("post__tasks__votes", filter=votes),
            right=Count(
                "post__tasks__votes", filter=votes & Q(post__tasks__votes__label=F("label"))
            ),
        )
        .order_by("source", "pk")
    )


def gold_by_post(study: Study, external_ids: Collection[str]) -> dict[str, int]:
    """Return the known answers to posts that may serve as checks, by the posts' ids."""
    known = GoldLabel.objects.filter(post__study=study, post__external_id__in=external_ids)
    return dict(known.exclude(label=AMBIGUOUS).values_list("post__external_id", "pk"))


def current_check_votes(study: Study) -> QuerySet[Vote]:
    """Return the current votes on checks of a study."""
    return Vote.objects.current().filter(task__stage=StageCode.CHECK, task__batch__study=study)


def check_votes(study: Study) -> QuerySet[Any]:
    """Return the current votes on checks with the known answer in `gold` and where it is from."""
    return current_check_votes(study).annotate(
        gold=F("task__post__gold_label__label"), source=F("task__post__gold_label__source")
    )


def crowd_rounds(study: Study) -> QuerySet[CrowdRound]:
    """Return the rounds of the crowd's own batches that are not closed, newest first."""
    return (
        CrowdRound.objects.filter(
            batch__study=study, batch__stage=StageCode.CROWD, batch__origin=Origin.HERE
        )
        .exclude(batch__state=BatchState.CLOSED)
        .select_related("batch")
        .order_by("-batch__number")
    )


@dataclass(frozen=True)
class Pool:
    """How many checks are in use, by where their answer is from."""

    gold_posts: int
    attention_posts: int


def pool_of(study: Study) -> Pool:
    """Return how many checks may be drawn."""
    counted = Check.objects.filter(gold__post__study=study, in_use=True).aggregate(
        gold_posts=Count("pk", filter=Q(gold__source=GoldSource.POOL)),
        attention_posts=Count("pk", filter=Q(gold__source=GoldSource.ATTENTION)),
    )
    return Pool(**counted)


def round_at_work(study: Study) -> CrowdRound | None:
    """Return the round whose posts the crowd gets next: the first open one with room for votes."""
    room = Place.objects.unfilled().filter(batch=OuterRef("batch"))
    return (
        CrowdRound.objects.filter(
            Exists(room),
            batch__study=study,
            batch__stage=StageCode.CROWD,
            batch__state=BatchState.OPEN,
        )
        .select_related("batch__follower")
        .order_by("batch__number")
        .first()
    )


def unmet_checks(member: Member, batch: Batch) -> list[int]:
    """Return the posts of checks that somebody never answered or skipped, at whatever stage.

    One that was only looked at may come again, as any other post may.
    """
    ended = (AssignmentState.SUBMITTED, AssignmentState.SKIPPED)
    met = Assignment.objects.filter(
        member=member, task__post=OuterRef("gold__post"), state__in=ended
    )
    unmet = Check.objects.filter(
        ~Exists(met), gold__post__study=member.study_id, in_use=True, gold__label__in=batch.labels
    )
    return list(unmet.values_list("gold__post_id", flat=True))
