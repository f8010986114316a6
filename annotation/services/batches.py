"""Makes batches with their tasks and places, opens, pauses and closes them, discards drafts."""

import random
from collections.abc import Iterable, Sequence

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import (
    Batch,
    BatchState,
    DiscardedBatch,
    Origin,
    Place,
    Post,
    Study,
    Task,
    TaskKind,
    User,
)
from annotation.services.archive import hold_open, lock_study
from annotation.services.finishing import finish

BLOCK = 2_000

MOVES = {
    BatchState.DRAFT: {BatchState.OPEN},
    BatchState.OPEN: {BatchState.PAUSED, BatchState.CLOSED},
    BatchState.PAUSED: {BatchState.OPEN, BatchState.CLOSED},
    BatchState.CLOSED: set(),
}


class BatchRefused(Exception):
    """A batch that cannot be made or moved; its text is a sentence for the person."""


@transaction.atomic
def start_batch(
    *,
    study: Study,
    stage: str,
    labels: Sequence[str],
    votes_wanted: int | None,
    origin: str = Origin.HERE,
    seed: int | None = None,
    source: str = "",
) -> Batch:
    """Make an empty batch with the next free number of its stage."""
    lock_study(study.pk)
    return Batch.objects.create(
        study=study,
        stage=stage,
        number=next_number(study, stage),
        origin=origin,
        labels=list(labels),
        votes_wanted=votes_wanted,
        seed=seed,
        source=source,
        state=BatchState.CLOSED if origin == Origin.IMPORTED else BatchState.DRAFT,
    )


def next_number(study: Study, stage: str) -> int:
    """Return the number after all that were ever given at a stage.

    It is one statement, so a draft that is discarded meanwhile is seen on one side or the other.
    """
    kept = study.batches.filter(stage=stage).order_by().values_list("number", flat=True)
    gone = study.discarded_batches.filter(stage=stage).order_by().values_list("number", flat=True)
    last = kept.union(gone).order_by("-number").first()
    return (last or 0) + 1


def add_tasks(*, batch: Batch, post_ids: Iterable[int], kind: str = TaskKind.CLOSED) -> list[Task]:
    """Give a batch its posts, in the order given. Call inside the transaction that starts it."""
    tasks = Task.objects.bulk_create(
        [
            Task(
                batch=batch,
                post_id=post_id,
                stage=batch.stage,
                origin=batch.origin,
                kind=kind,
                position=position,
            )
            for position, post_id in enumerate(post_ids, start=1)
        ],
        batch_size=BLOCK,
    )
    if kind == TaskKind.CLOSED and batch.origin == Origin.HERE:
        add_places(batch=batch, tasks=tasks, numbers=range(1, (batch.votes_wanted or 0) + 1))
    return tasks


def add_places(*, batch: Batch, tasks: Iterable[Task], numbers: Iterable[int]) -> None:
    """Make room for votes."""
    numbers = list(numbers)
    Place.objects.bulk_create(
        [
            Place(task=task, batch=batch, position=task.position, number=number)
            for task in tasks
            for number in numbers
        ],
        batch_size=BLOCK,
    )


def sample_posts(*, study: Study, stage: str, number: int, seed: int) -> list[int]:
    """Draw kept posts that have no task at this stage yet, in an order that the seed fixes."""
    taken = Task.objects.filter(batch__study=study, stage=stage, origin=Origin.HERE)
    free = Post.objects.filter(study=study, dropped_reason="").exclude(
        pk__in=taken.values("post_id")
    )
    ids = list(free.order_by("position", "pk").values_list("pk", flat=True))
    return random.Random(seed).sample(ids, min(number, len(ids)))  # noqa: S311 -- reproducible


@transaction.atomic
def move_batch(*, by: User | None, batch: Batch, to: str) -> Batch:
    """Open, pause or close a batch; a closed one stays closed."""
    with pghistory.context(user=by.pk if by else None, action="move batch"):
        return move(batch, to)


def move(batch: Batch, to: str) -> Batch:
    """Change a batch's state if it may have the new one after the present."""
    hold_open(batch.study_id)
    batch = lock_batch(batch)
    if batch.state == to:
        return batch
    if to not in MOVES[BatchState(batch.state)]:
        sentence = _("A batch that is %(now)s cannot become %(to)s.")
        raise BatchRefused(
            sentence % {"now": batch.get_state_display(), "to": BatchState(to).label}
        )
    batch.state = to
    batch.save(update_fields=["state"])
    Batch.objects.filter(follows=batch).update(state=to)
    if to == BatchState.CLOSED:
        finish(batch)
    return batch


def lock_batch(batch: Batch) -> Batch:
    """Make those who change a batch take turns; refuse one that was discarded meanwhile."""
    found = Batch.objects.select_for_update().filter(pk=batch.pk).first()
    if found is None:
        raise BatchRefused(_("This batch was discarded meanwhile; there is nothing to change."))
    return found


@transaction.atomic
def discard_batch(*, by: User | None, batch: Batch) -> DiscardedBatch:
    """Throw away a draft, locked by `lock_batch`, with its tasks and places: its posts are free.

    A draft was never open, so nobody holds or voted on anything of it; foreign keys hold that, too.
    """
    if batch.state != BatchState.DRAFT:
        raise BatchRefused(
            _("Only a draft can be discarded. This batch was opened; it can be closed.")
        )
    tasks = Task.objects.filter(batch=batch)
    record = DiscardedBatch.objects.create(
        study=batch.study,
        stage=batch.stage,
        number=batch.number,
        posts=tasks.count(),
        seed=batch.seed,
        created_by=by,
    )
    Place.objects.filter(batch=batch).delete()
    tasks.delete()
    batch.delete()
    return record
