"""What people do with releases, for a study's activity."""

from django.urls import reverse
from django.utils.translation import gettext_lazy

from annotation.queries.acts import page
from annotation.registry import ActKind, Acts
from releases.algorithms.card import SECTIONS
from releases.models import DataCard, Release, ReleaseFlag

ACTS = (
    Acts(
        Release,
        ActKind.RELEASES,
        gettext_lazy("Release"),
        as_rows=True,
        named=lambda row: str(row.number),
        facts=("texts", "complete"),
        url=lambda study, row: reverse("release", args=[study.slug, row.number]),
    ),
    Acts(
        DataCard,
        ActKind.RELEASES,
        gettext_lazy("Data card"),
        parts={"sections": {one.code: one.title for one in SECTIONS}},
        url=page("data_card"),
    ),
    Acts(
        ReleaseFlag,
        ActKind.RELEASES,
        gettext_lazy("Flag of a release"),
        study="release__study",
        related=("release",),
        done=gettext_lazy("set"),
        named=lambda row: str(row.release.number),
        facts=("kind", "reason"),
        url=lambda study, row: reverse("release", args=[study.slug, row.release.number]),
    ),
)
