"""What people do on the shared ground, for a study's activity."""

from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import (
    Batch,
    DiscardedBatch,
    Exclusion,
    ImportFile,
    Member,
    Post,
    Protocol,
    StageCode,
    StandingChange,
    Study,
    Webhook,
)
from annotation.registry import ActKind, Acts

PAGES = {StageCode.CROWD: "crowd_batch", StageCode.LEGAL: "legal_batch"}


def page(name: str) -> Any:
    """Return the function that gives a page of the study."""
    return lambda study, _row: reverse(name, args=[study.slug])


def batch_name(row: Any) -> str:
    """Return what a batch is called."""
    return f"{StageCode(row.stage).label} {row.number}"


def batch_url(study: Study, row: Any) -> str:
    """Return the page of a batch."""
    page = PAGES.get(row.stage)
    return (
        reverse(page, args=[study.slug, row.number]) if page else reverse("gold", args=[study.slug])
    )


def of_standing(row: Any) -> str:
    """Return whom a standing concerns, and where."""
    return f"{row.standing.member.pseudonym}, {row.standing.get_stage_display()}"


ACTS = (
    Acts(
        Study,
        ActKind.SETTINGS,
        gettext_lazy("Study"),
        study="pgh_obj",
        url=page("protocol"),
        link_needs="manage_study",
        unsaid=frozenset({"created_at"}),
    ),
    Acts(
        Protocol,
        ActKind.SETTINGS,
        gettext_lazy("Protocol"),
        url=page("protocol"),
        link_needs="manage_study",
    ),
    Acts(
        Webhook,
        ActKind.SETTINGS,
        gettext_lazy("Webhook"),
        named=lambda row: row.address,
        url=page("webhooks"),
        facts=("events",),
        hidden=frozenset({"secret_made_at"}),
        unsaid=frozenset({"created_at"}),
        needs="manage_study",
    ),
    Acts(
        Member,
        ActKind.PEOPLE,
        gettext_lazy("Member"),
        where=~Q(user=None),
        named=lambda row: row.pseudonym,
        url=lambda study, row: reverse("member", args=[study.slug, row.pseudonym]),
        facts=("role",),
        unsaid=frozenset({"created_at", "imported_name", "pseudonym"}),
        needs="manage_study",
    ),
    Acts(
        ImportFile,
        ActKind.BATCHES,
        gettext_lazy("File"),
        done=gettext_lazy("uploaded"),
        named=lambda row: row.name,
        url=lambda study, row: reverse("import", args=[study.slug, row.pk]),
        link_needs="manage_data",
    ),
    Acts(
        Batch,
        ActKind.BATCHES,
        gettext_lazy("Batch"),
        where=Q(follows=None, stage__in=[StageCode.CROWD, StageCode.GOLD, StageCode.LEGAL]),
        named=batch_name,
        url=batch_url,
        facts=("state",),
    ),
    Acts(
        DiscardedBatch,
        ActKind.BATCHES,
        gettext_lazy("Batch"),
        where=~Q(stage=StageCode.CHECK),
        done=gettext_lazy("discarded"),
        named=batch_name,
    ),
    Acts(
        Post,
        ActKind.BATCHES,
        gettext_lazy("Post"),
        study="pgh_obj__study",
        named=lambda row: row.pgh_obj.external_id,
        url=lambda study, row: reverse("post", args=[study.slug, row.pgh_obj_id]),
        related=("pgh_obj",),
    ),
    Acts(
        StandingChange,
        ActKind.PEOPLE,
        gettext_lazy("How somebody may work"),
        study="standing__member__study",
        related=("standing__member",),
        done=gettext_lazy("changed"),
        named=of_standing,
        facts=("state", "reason"),
    ),
    Acts(
        Exclusion,
        ActKind.PEOPLE,
        gettext_lazy("Votes of somebody"),
        study="member__study",
        related=("member",),
        done=gettext_lazy("taken out"),
        named=lambda row: (
            _("%(who)s, %(stage)s")
            % {"who": row.member.pseudonym, "stage": row.get_stage_display()}
        ),
        facts=("kind", "reason"),
    ),
)
