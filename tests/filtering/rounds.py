"""Rounds of the crowd as counts, and filter runs that are brought to their end."""

from collections.abc import Sequence
from pathlib import Path

from annotation.models import Batch, Origin, Post, StageCode, Study, Tally
from annotation.services.batches import add_tasks, start_batch
from annotation.services.jobs import run_next
from filtering.models import FilterRun
from filtering.services.runs import start_run

LABELS = ("no_claim", "not_checkworthy", "checkworthy")
CLEAR, SPLIT = (0, 0, 3), (1, 1, 1)


def add_round(
    study: Study,
    posts: Sequence[Post],
    counts: Sequence[Sequence[int]],
    labels: Sequence[str] = LABELS,
) -> Batch:
    """Bring in a round of the crowd as counts."""
    batch = start_batch(
        study=study, stage=StageCode.CROWD, labels=labels, votes_wanted=None, origin=Origin.IMPORTED
    )
    add_tasks(batch=batch, post_ids=[post.pk for post in posts])
    Tally.objects.bulk_create(
        Tally(batch=batch, post=post, label=label, count=count)
        for post, row in zip(posts, counts, strict=True)
        for label, count in zip(labels, row, strict=True)
    )
    return batch


def finished_run(study: Study, folder: Path, **chosen: object) -> FilterRun:
    """Start a run with the encoder in a folder, do its job here, and return it."""
    settings = {"by": None, "k": 12, "trials": 2, "seed": 7, "encoder": str(folder)} | chosen
    started = start_run(study=study, **settings)
    while run_next(job=started.job):
        pass
    return FilterRun.objects.select_related("job", "study").get(pk=started.pk)
