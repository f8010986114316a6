"""Which posts people passed on, and why: those that were harmful to somebody come first."""

from typing import Any

from django.db.models import Count, Q, QuerySet

from annotation.models import AssignmentState, Post, SkipReason, StageCode, Study

STAGES = (StageCode.CROWD, StageCode.GOLD, StageCode.CHECK, StageCode.PRESCREENING)


def number_of(reason: str) -> Count:
    """Return the number of people who skipped a post for a reason."""
    return Count("tasks__assignments", filter=Q(tasks__assignments__skip_reason=reason))


def reported_posts(study: Study) -> QuerySet[Any]:
    """Return the posts that somebody skipped, with how many did for which reason."""
    skipped = Q(
        tasks__assignments__state=AssignmentState.SKIPPED,
        tasks__stage__in=STAGES,
    )
    return (
        Post.objects.filter(skipped, study=study)
        .annotate(
            harmful=number_of(SkipReason.HARMFUL),
            not_sure=number_of(SkipReason.NOT_SURE),
            not_shown=number_of(SkipReason.NOT_SHOWN),
            language=number_of(SkipReason.UNCLEAR_LANGUAGE),
        )
        .order_by("-harmful", "-not_shown", "-not_sure", "pk")
    )
