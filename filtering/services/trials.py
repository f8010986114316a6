"""Does one trial of a run and stores what it did, at once or not at all."""

import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from django.db import connection, transaction
from django.utils.translation import gettext as _

from annotation.models import Post
from annotation.services.planning import count_anew
from embeddings.services import spool_vectors
from filtering import algorithms
from filtering.algorithms import FilterError, Method
from filtering.models import FilterRun, Round, Trial, TrialPost
from filtering.queries.runs import text_blocks
from filtering.services.copying import copy_rows
from filtering.services.encoding import key_of
from filtering.services.runs import trial_seeds
from infra.jobs import JobRefused, Report

STEPS = 1_000
SPOOLING = 100


@dataclass(frozen=True)
class Posts:
    """What a trial filters, in the order of the posts' ids: counts has shape (posts, labels)."""

    ids: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


def posts_of(run: FilterRun) -> Posts:
    """Return the posts and votes that were written down for a run."""
    rows = run.posts.order_by("post_id").values_list("post_id", "counts")
    ids = np.empty(run.post_count or 0, dtype=np.int64)
    counts = np.empty((len(ids), len(run.labels)), dtype=np.int64)
    for place, (post_id, votes) in enumerate(rows.iterator(chunk_size=4_096)):
        ids[place], counts[place] = post_id, votes
    return Posts(ids, counts)


def do_trial(*, run: FilterRun, number: int, report: Report) -> dict[str, Any]:
    """Do a trial, unless its outcome is stored already."""
    if not run.trials.filter(number=number).exists():
        posts = posts_of(run)
        with tempfile.TemporaryDirectory(prefix="juryroom-filter-") as folder:
            vectors = spool_vectors(
                blocks=(texts for _ids, texts in text_blocks(run)),
                count=len(posts.ids),
                progress=lambda done, total: report(
                    SPOOLING * done // max(total, 1), STEPS, _("Reading vectors")
                ),
                spool=Path(folder) / "vectors.npy",
                **key_of(run),
            )
            found = run_one(run, number, posts, vectors, report)
        store_trial(run, number, posts, found)
    return {"run": run.number, "trial": number}


def run_one(
    run: FilterRun, number: int, posts: Posts, vectors: npt.NDArray[np.float16], report: Report
) -> algorithms.Trial:
    """Run a trial; one that has no meaning is refused by post ids."""
    try:
        return algorithms.run_trial(
            vectors,
            posts.counts,
            run.chosen,
            seed=trial_seeds(run)[number - 1],
            progress=lambda at: tell(at, report),
        )
    except FilterError as error:
        raise JobRefused(named_by_id(error, posts)) from error


def tell(at: algorithms.Progress, report: Report) -> None:
    """Tell how far a trial is.

    How many rounds it has is not known beforehand: each round is given half of what is left, so a
    trial comes near its end and reaches it when it stops.
    """
    left = 0.5 ** (at.round - 1)
    share = 1 - left + left / 2 * at.step / at.steps
    words = _("Round %(round)s: %(size)s posts") % {"round": at.round, "size": at.size}
    report(SPOOLING + int((STEPS - SPOOLING) * share), STEPS, words)


def named_by_id(error: FilterError, posts: Posts) -> str:
    """Return an algorithm's sentence with the ids that people know in place of positions."""
    details = dict(error.details)
    if error.positions:
        keys = [int(posts.ids[position]) for position in error.positions[:10]]
        known = dict(Post.objects.filter(pk__in=keys).values_list("pk", "external_id"))
        more = ", …" if len(error.positions) > len(keys) else ""
        details["shown"] = ", ".join(known[key] for key in keys) + more
    return _(error.fault.template) % details


@transaction.atomic
def store_trial(run: FilterRun, number: int, posts: Posts, found: algorithms.Trial) -> None:
    """Store a trial with its rounds and what it made of each post; keep one that is there."""
    trial, is_new = Trial.objects.get_or_create(
        run=run,
        number=number,
        defaults={
            "seed": found.seed,
            "kept_count": int(found.kept.sum()),
            "stop_reason": found.stop_reason.name.lower(),
        },
    )
    if not is_new:
        return
    Round.objects.bulk_create(Round(trial=trial, **asdict(one)) for one in found.rounds)
    with connection.cursor() as cursor:
        columns = ("trial_id", "post_id", "left_in", "is_near", "scores")
        copy_rows(cursor, "filtering_trialpost", columns, trial_rows(trial, posts, found))
    count_anew(TrialPost)


def trial_rows(trial: Trial, posts: Posts, found: algorithms.Trial) -> Iterator[tuple[object, ...]]:
    """Yield what a trial made of each post."""
    present = np.where(found.left_in == 0, len(found.rounds), found.left_in)
    near = found.near_threshold() & Method(trial.run.method).learns
    for place, post_id in enumerate(posts.ids.tolist()):
        scores = found.scores[: present[place], place].tolist()
        yield trial.pk, post_id, int(found.left_in[place]), bool(near[place]), scores
