"""What pages, commands and releases show of filter runs."""

from collections.abc import Collection, Iterator
from typing import Any

from django.db.models import F, QuerySet

from annotation.models import Study
from filtering.models import FilteredPost, FilterRun, TrialPost

BLOCK = 4_096
SHOWN = {"kept": {"kept": True}, "dropped": {"kept": False}, "near": {"is_near": True}}


def runs_of(study: Study) -> QuerySet[FilterRun]:
    """Return a study's runs, newest first, with how their jobs stand and what became of them."""
    return FilterRun.objects.filter(study=study).select_related("job", "promotion__batch")


def finished_runs(study: Study) -> QuerySet[FilterRun]:
    """Return the runs that have decided on their posts."""
    return runs_of(study).filter(finished_at__isnull=False, previewed_k=None)


def run_in_detail(study: Study) -> QuerySet[FilterRun]:
    """Return runs with their trials and rounds."""
    return (
        runs_of(study)
        .select_related("study", "created_by", "job__created_by", "promotion__created_by")
        .prefetch_related("trials__rounds")
    )


def deciding_run(study: Study) -> FilterRun | None:
    """Return the run that says which posts passed the filter.

    It is the newest finished run whose posts were given to the experts; where none was, the newest
    finished one. A preview decides nothing.
    """
    return (
        finished_runs(study)
        .order_by(F("promotion__created_at").desc(nulls_last=True), "-number")
        .first()
    )


def filtered_posts(run: FilterRun, shown: str) -> QuerySet[FilteredPost]:
    """Return a finished run's posts that are meant by a key of SHOWN, with their texts."""
    return run.posts.filter(**SHOWN[shown]).select_related("post").order_by("post_id")


def text_blocks(run: FilterRun) -> Iterator[tuple[list[int], list[str]]]:
    """Yield the ids and texts of a run's posts, by id, in blocks."""
    after = 0
    posts = run.posts.order_by("post_id").values_list("post_id", "post__text")
    while block := list(posts.filter(post_id__gt=after)[:BLOCK]):
        yield [post_id for post_id, _text in block], [text for _id, text in block]
        after = block[-1][0]


def ways_of(run: FilterRun, post_ids: Collection[int]) -> dict[int, list[TrialPost]]:
    """Return what each trial of a run made of these posts, in the order of the trials."""
    found: dict[int, list[TrialPost]] = {post_id: [] for post_id in post_ids}
    rows = TrialPost.objects.filter(trial__run=run, post__in=post_ids).select_related("trial")
    for row in rows.order_by("trial__number"):
        found[row.post_id].append(row)
    return found


def post_ids(run: FilterRun, *, kept: bool) -> list[int]:
    """Return the posts that a run kept, or the others, by id."""
    return list(run.posts.filter(kept=kept).order_by("post_id").values_list("post_id", flat=True))


def kept_marks(run: FilterRun | None, post_ids: Collection[int]) -> dict[int, bool]:
    """Return for each of these posts that a finished run saw whether it was kept."""
    if run is None:
        return {}
    marks = run.posts.filter(post_id__in=post_ids).values_list("post_id", "kept")
    return {post_id: bool(kept) for post_id, kept in marks}


def outcome(run: FilterRun) -> dict[str, Any]:
    """Return a finished run as the command prints it."""
    return {
        "number": run.number,
        "posts": run.post_count,
        "kept": run.kept_count,
        "near": run.near_count,
        "encoder": run.encoder,
        "revision": run.encoder_revision,
        "pooling": run.pooling,
        "method": run.method,
        "k": run.k,
        "previewed_k": run.previewed_k,
        "at_least": run.at_least,
        "seed": run.seed,
        "settings": run.settings,
        "labels": run.labels,
        "before": run.shift["before"],
        "after": run.shift["after"],
        "previews": run.previews,
        "trials": [
            {
                "number": trial.number,
                "seed": trial.seed,
                "kept": trial.kept_count,
                "stop_reason": trial.stop_reason,
                "rounds": [
                    {
                        "number": round_.number,
                        "size": round_.size,
                        "threshold": round_.threshold,
                        "above": round_.above,
                        "would_remain": round_.would_remain,
                        "removed": round_.removed,
                    }
                    for round_ in trial.rounds.all()
                ],
            }
            for trial in run.trials.prefetch_related("rounds")
        ],
    }
