"""Brings posts into the legal stage."""

from collections.abc import Iterable, Sequence

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import (
    Batch,
    BatchState,
    Origin,
    Post,
    StageCode,
    Study,
    Task,
    TaskKind,
    User,
)
from annotation.services.batches import BatchRefused, add_tasks, move_batch, start_batch
from legal.models import LABELS, LegalRound, PracticePost
from legal.services.catalogues import ensure_catalogue

SHOWN_IDS = 5


@transaction.atomic
def open_legal_batch(
    *,
    by: User | None,
    study: Study,
    post_ids: Iterable[int] | None = None,
    external_ids: Iterable[str] | None = None,
    source: str = "",
) -> Batch:
    """Make a batch of these posts in the study's random order, and open it.

    Posts that wait or waited at this stage already, and those that experts practise on, are left
    out; refused when none is left.
    """
    with pghistory.context(user=by.pk if by else None, action="open legal batch"):
        catalogue = ensure_catalogue(by=by, study=study)
        batch = start_batch(
            study=study,
            stage=StageCode.LEGAL,
            labels=LABELS,
            votes_wanted=study.protocol.expert_votes,
            source=source[:200],
        )
        LegalRound.objects.create(batch=batch, catalogue=catalogue)
        add_tasks(batch=batch, post_ids=new_posts(study, post_ids, external_ids))
        return move_batch(by=by, batch=batch, to=BatchState.OPEN)


def new_posts(
    study: Study, post_ids: Iterable[int] | None, external_ids: Iterable[str] | None
) -> list[int]:
    """Return the posts named that are new at this stage, or say what is wrong with them."""
    kept = Post.objects.filter(study=study, dropped_reason="")
    wanted: Sequence[int | str]
    if external_ids is not None:
        wanted = list(dict.fromkeys(external_ids))
        found = kept.filter(external_id__in=wanted)
        known: set[int | str] = set(found.values_list("external_id", flat=True))
    else:
        wanted = list(dict.fromkeys(post_ids or ()))
        found = kept.filter(pk__in=wanted)
        known = set(found.values_list("pk", flat=True))
    refuse_unknown([one for one in wanted if one not in known])
    waiting = Task.objects.filter(
        batch__study=study, stage=StageCode.LEGAL, origin=Origin.HERE, kind=TaskKind.CLOSED
    )
    practised = PracticePost.objects.filter(study=study, post__isnull=False)
    fresh = found.exclude(pk__in=waiting.values("post_id")).exclude(
        pk__in=practised.values("post_id")
    )
    ids = list(fresh.order_by("position", "pk").values_list("pk", flat=True))
    if not ids:
        raise BatchRefused(
            _(
                "No post is left for the legal stage: none was named, or all of them are there or "
                "are practised on."
            )
        )
    return ids


def refuse_unknown(unknown: Sequence[object]) -> None:
    """Refuse posts that the study does not have, or that cleaning dropped."""
    if unknown:
        shown = ", ".join(str(one) for one in unknown[:SHOWN_IDS])
        more = " …" if len(unknown) > SHOWN_IDS else ""
        raise BatchRefused(_("The study has no kept post with these ids: %s.") % (shown + more))
