"""Closes a batch of the gold pool: what two researchers said of a post becomes its gold label."""

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Batch, BatchState, StageCode, Standing, Task, User
from annotation.services.batches import BatchRefused, lock_batch, move_batch
from crowd.models import GoldLabel, GoldSource
from crowd.queries.gold import gold_label, labels_of, pool_progress


@transaction.atomic
def close_pool(*, by: User | None, batch: Batch, without_rest: bool = False) -> int:
    """Close a batch of the pool and return how many gold labels came of it.

    It is refused while posts lack the label of a second researcher, unless these are left out.
    """
    batch = hold_back_votes(batch)
    if batch.state == BatchState.CLOSED:
        raise BatchRefused(_("This batch is closed already."))
    progress = pool_progress(batch)
    if progress.lacking and not without_rest:
        raise BatchRefused(lacking_sentence(progress.lacking))
    if not progress.labelled:
        raise BatchRefused(_("No post has the labels of two researchers; there is no gold yet."))
    with pghistory.context(user=by.pk if by else None, action="close gold pool"):
        move_batch(by=by, batch=batch, to=BatchState.CLOSED)
        return make_labels(batch)


def hold_back_votes(batch: Batch) -> Batch:
    """Let nobody label or correct until this transaction ends, so that no vote slips in after."""
    people = Standing.objects.filter(member__study=batch.study_id, stage=StageCode.GOLD)
    list(people.order_by("pk").select_for_update().values_list("pk", flat=True))
    return lock_batch(batch)


def lacking_sentence(lacking: int) -> str:
    """Return why a batch cannot be closed as it is."""
    return ngettext(
        "%(number)s post lacks the label of a second researcher. Have it labelled, or close "
        "the batch without it.",
        "%(number)s posts lack the label of a second researcher. Have them labelled, or close "
        "the batch without them.",
        lacking,
    ) % {"number": lacking}


def make_labels(batch: Batch) -> int:
    """Write down the gold label of each post that two researchers labelled and that has none."""
    tasks = Task.objects.filter(batch=batch, post__gold_label=None).order_by("position")
    chosen = labels_of(tasks)
    labels = [
        GoldLabel(post_id=post, label=label, source=GoldSource.POOL, batch=batch)
        for task, post in tasks.values_list("pk", "post_id")
        if (label := gold_label(chosen.get(task, ())))
    ]
    return len(GoldLabel.objects.bulk_create(labels))
