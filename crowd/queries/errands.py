"""What Prolific is asked for, and what of it somebody has to look at."""

from typing import Any

from django.db.models import Count, QuerySet
from django.db.models.functions import Coalesce, Now

from annotation.models import Study
from crowd.models import Errand, ErrandState

JOB = "ask_prolific"
TO_LOOK_AT = (ErrandState.FAILED, ErrandState.DOUBTFUL)


def due_errands() -> QuerySet[Errand]:
    """Return what is to be asked for now, the oldest first."""
    return Errand.objects.filter(state=ErrandState.WAITING, due_at__lte=Now()).order_by("pk")


def errands_of(study: Study) -> QuerySet[Any]:
    """Return a study's errands, newest first, with whom and which sitting they are about."""
    pseudonym = Coalesce("entry__member__pseudonym", "review__sitting__member__pseudonym")
    return (
        Errand.objects.filter(study=study)
        .select_related("entry")
        .annotate(pseudonym=pseudonym, sitting=Coalesce("entry__sitting", "review__sitting"))
        .order_by("-pk")
    )


def errand_counts(study: Study) -> dict[str, int]:
    """Return how many errands of a study are in each state."""
    rows = Errand.objects.filter(study=study).order_by().values_list("state")
    return dict(rows.annotate(number=Count("pk")))


def entries_at_prolific(study: Study) -> int:
    """Return how many entries Prolific is to pay and has not paid yet."""
    waits = (ErrandState.WAITING, *TO_LOOK_AT)
    return Errand.objects.filter(study=study, state__in=waits, entry__isnull=False).count()
