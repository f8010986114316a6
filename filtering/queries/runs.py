"""What pages, commands and releases show of filter runs."""

from collections.abc import Collection
from typing import Any

from django.db.models import F, QuerySet

from annotation.models import Study
from filtering.models import FilteredPost, FilterRun


def runs_of(study: Study) -> QuerySet[FilterRun]:
    """Return a study's runs, newest first, with how their jobs stand and what became of them."""
    return FilterRun.objects.filter(study=study).select_related("job", "promotion__batch")


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
    finished one.
    """
    return (
        runs_of(study)
        .filter(finished_at__isnull=False)
        .order_by(F("promotion__created_at").desc(nulls_last=True), "-number")
        .first()
    )


def filtered_posts(run: FilterRun, *, kept: bool) -> QuerySet[FilteredPost]:
    """Return the posts that a run kept in every trial, or the others, with their texts."""
    return run.posts.filter(kept=kept).select_related("post").order_by("post_id")


def kept_ids(run: FilterRun) -> list[int]:
    """Return the posts that every trial kept, by id."""
    return list(run.posts.filter(kept=True).order_by("post_id").values_list("post_id", flat=True))


def kept_marks(run: FilterRun | None, post_ids: Collection[int]) -> dict[int, bool]:
    """Return for each of these posts that the run saw whether it was kept."""
    if run is None:
        return {}
    return dict(run.posts.filter(post_id__in=post_ids).values_list("post_id", "kept"))


def outcome(run: FilterRun) -> dict[str, Any]:
    """Return a finished run as the command prints it."""
    return {
        "number": run.number,
        "posts": run.post_count,
        "kept": run.kept_count,
        "encoder": run.encoder,
        "revision": run.encoder_revision,
        "pooling": run.pooling,
        "k": run.k,
        "seed": run.seed,
        "settings": run.settings,
        "labels": run.labels,
        "before": run.shift["before"],
        "after": run.shift["after"],
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
