"""One worker in detail: the rows behind each figure, flags, and what was done about them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.models import (
    BatchState,
    Exclusion,
    Member,
    Place,
    StageCode,
    StandingChange,
    Vote,
)
from annotation.queries.counts import RoundsDiffer, rounds_of
from crowd.models import Flag, GoldSource, Qualified
from crowd.queries.majorities import agrees_with_others
from crowd.queries.people import ended_assignments
from crowd.queries.work import own_votes

SHOWN = {
    "gold": _("Votes on gold checks"),
    "attention": _("Votes on attention posts"),
    "compared": _("Votes compared with the others"),
    "against": _("Votes against the others' majority"),
    "skipped": _("Posts skipped"),
}
SOURCES = {"gold": GoldSource.POOL, "attention": GoldSource.ATTENTION}


def rows_of(member: Member, show: str, label: str, hidden: Collection[int]) -> QuerySet[Any]:
    """Return a person's votes, or those behind one figure; for "skipped", assignments.

    A vote on a check has the known answer in `gold`.
    """
    if show == "skipped":
        return skipped_by(member).exclude(task__post__in=hidden)
    votes: QuerySet[Any] = own_votes(member, StageCode.CROWD).select_related(
        "task__post", "task__batch", "place"
    )
    votes = votes.exclude(task__post__in=hidden).annotate(gold=F("task__post__gold_label__label"))
    if show in SOURCES:
        votes = votes.filter(
            task__stage=StageCode.CHECK, task__post__gold_label__source=SOURCES[show]
        )
    if show in ("compared", "against"):
        votes = votes.filter(pk__in=compared_votes(member, only_against=show == "against"))
    if label:
        votes = votes.filter(label=label, task__stage=StageCode.CROWD)
    return votes


def compared_votes(member: Member, *, only_against: bool) -> list[int]:
    """Return a person's votes that can be compared with the others, or those that differ."""
    try:
        rounds = rounds_of(member.study, StageCode.CROWD)
    except RoundsDiffer:
        return []
    found = agrees_with_others(rounds, member.pk)
    return [vote for vote, agrees in found.items() if not (only_against and agrees)]


def skipped_by(member: Member) -> QuerySet[Any]:
    """Return the posts that somebody skipped, newest first; not those that harmed them."""
    return (
        ended_assignments(member.study)
        .filter(member=member, state="skipped")
        .select_related("task__post", "task__batch")
        .order_by("-ended_at")
    )


def flags_of(member: Member) -> list[Flag]:
    """Return what rules saw in somebody's work, newest first."""
    return list(Flag.objects.filter(member=member).select_related("rule", "settled_by"))


@dataclass(frozen=True)
class Record:
    """How somebody's standing and qualification changed, and what was taken out, newest first."""

    changes: list[StandingChange]
    exclusions: list[Exclusion]
    qualifications: list[Any]


def record_of(member: Member) -> Record:
    """Return what was done about somebody at the crowd stage."""
    changes = StandingChange.objects.filter(
        standing__member=member, standing__stage=StageCode.CROWD
    ).select_related("created_by")
    taken = Exclusion.objects.filter(member=member, stage=StageCode.CROWD)
    tracked: Any = Qualified
    decided = tracked.pgh_event_model.objects.filter(
        qualification__study=member.study_id, user=member.user_id
    ).select_related("decided_by")
    return Record(
        list(changes),
        list(taken.select_related("created_by")),
        list(decided.order_by("-pgh_id")),
    )


@dataclass(frozen=True)
class ExclusionForecast:
    """What dismissing somebody would change: votes that stop counting, votes asked for anew."""

    votes: int
    places: int


def exclusion_of(member: Member) -> ExclusionForecast:
    """Return what dismissing somebody would change now; closed batches get no new votes."""
    filled = Place.objects.filled().filter(member=member, batch__stage=StageCode.CROWD)
    counting = Vote.objects.filter(member=member, task__stage=StageCode.CROWD).counting()
    return ExclusionForecast(
        votes=counting.filter(place__isnull=False).count(),
        places=filled.exclude(batch__state=BatchState.CLOSED).count(),
    )
