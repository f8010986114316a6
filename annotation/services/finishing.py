"""Notes when a batch is finished: every vote that it wants is in, or it was closed.

Votes do not ask for it: theirs is the hot path. A chore looks every few seconds at the batches that
are handed out, by the index of places that want a vote.
"""

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from annotation.models import Batch, BatchState, Origin, Place, StageCode, WebhookEvent
from annotation.services.webhooks import announce

STAGES = (StageCode.CROWD, StageCode.GOLD, StageCode.LEGAL)
HANDED_OUT = (BatchState.OPEN, BatchState.PAUSED)


def handed_out() -> QuerySet[Batch]:
    """Return the batches that people vote on; the checks among a batch's posts are none."""
    return Batch.objects.filter(
        stage__in=STAGES, state__in=HANDED_OUT, origin=Origin.HERE, follows=None
    )


def note_finished_batches() -> int:
    """Announce the batches that got their last vote since the last look; return how many.

    One that wants votes again, because some were taken out, is finished a second time later.
    """
    unfilled = Exists(Place.objects.unfilled().filter(batch=OuterRef("pk")))
    any_place = Exists(Place.objects.filter(batch=OuterRef("pk")))
    handed_out().filter(unfilled, finished_at__isnull=False).update(finished_at=None)
    found = handed_out().filter(any_place, ~unfilled, finished_at=None)
    return sum(finish(batch) for batch in found.select_related("study"))


@transaction.atomic
def finish(batch: Batch) -> bool:
    """Note and announce that a batch is finished, once; say whether it was new."""
    now = timezone.now()
    if not Batch.objects.filter(pk=batch.pk, finished_at=None).update(finished_at=now):
        return False
    if batch.stage in STAGES and batch.follows_id is None:
        about = {"stage": batch.stage, "batch": batch.number, "votes_wanted": batch.votes_wanted}
        announce(study=batch.study, event=WebhookEvent.BATCH_FINISHED, about=about)
    return True
