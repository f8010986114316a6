"""Compares two releases of a study by their files, as a job; refuses to compare one with itself."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Job, Study, User
from annotation.queries.jobs import job_under_way
from annotation.services.archive import lock_study
from annotation.services.jobs import queue_job
from infra.jobs import JobRefused, Report
from releases.columns import POSTS
from releases.models import ChangedPost, Comparison, Release
from releases.queries.comparing import (
    CHANGES,
    figures_side_by_side,
    found_comparison,
    settings_that_differ,
)
from releases.services.describing import layout_of
from releases.services.making import release_folder

if TYPE_CHECKING:
    import polars as pl

KIND = "compare_releases"
BLOCK = 5_000
COMPARED = ("crowd_label", "verdict")


class ComparisonRefused(Exception):
    """Two releases that cannot be compared; its text is a sentence for the person."""


@transaction.atomic
def compare(*, by: User | None, before: Release, after: Release) -> Job:
    """Queue a comparison, or return the job that made it or is at it."""
    if before == after:
        raise ComparisonRefused(_("Choose another release to compare with."))
    found = found_comparison(before, after)
    parameters = {"before": before.number, "after": after.number}
    if found is None:
        lock_study(before.study_id)  # one job for each pair
    return (
        (found.job if found else None)
        or job_under_way(before.study, KIND, **parameters)
        or queue_job(by=by, study=before.study, kind=KIND, parameters=parameters)
    )


def make_comparison(*, job: Job, report: Report) -> dict[str, Any]:
    """Compare what a job is for; store counts, what differs in choices and columns, and posts."""
    before, after = (release_of(job.study, job.parameters[one]) for one in ("before", "after"))
    found = found_comparison(before, after) or store(job, before, after, report)
    return {"comparison": found.pk}


def release_of(study: Study, number: int) -> Release:
    """Return a release by its number."""
    return Release.objects.select_related("study").get(study=study, number=number)


@transaction.atomic
def store(job: Job, before: Release, after: Release, report: Report) -> Comparison:
    """Store what differs; the posts in blocks."""
    report(0, 2, _("Reading both releases"))
    changed = changed_posts(before, after)
    result = {
        "posts": {"before": rows_of(before), "after": rows_of(after), "changed": changed.height},
        "changes": {name: int(changed[f"{name}_differs"].sum()) for name in CHANGES},
        "labels": {column: moves(changed, column) for column in COMPARED},
        "settings": settings_that_differ(before, after),
        "columns": columns_that_differ(before, after),
        **figures_side_by_side(before, after),
    }
    report(1, 2, _("Storing the posts that differ"))
    comparison = Comparison.objects.create(
        study=job.study, before=before, after=after, job=job, result=result
    )
    for rows in blocks(changed):
        ChangedPost.objects.bulk_create(changed_post(comparison, row) for row in rows)
    return comparison


def changed_posts(before: Release, after: Release) -> "pl.DataFrame":
    """Return the posts that differ, in the order of the later release, those removed at the end.

    What only one of the releases tells at all does not differ by post.
    """
    import polars as pl

    found = posts_of(after).join(posts_of(before), on="post_id", how="full", suffix="_before")
    in_both = set(columns_of(before)[POSTS.name]) & set(columns_of(after)[POSTS.name])
    is_added, is_removed = pl.col("post_id_before").is_null(), pl.col("post_id").is_null()
    stays = ~is_added & ~is_removed
    differs = {
        "added": is_added,
        "removed": is_removed,
        **{
            name: stays & (name in in_both) & pl.col(name).ne_missing(pl.col(f"{name}_before"))
            for name in ("text", *COMPARED)
        },
    }
    marked = found.with_columns(
        **{f"{name}_differs": expression for name, expression in differs.items()},
        name=pl.coalesce("post_id", "post_id_before"),
    )
    kept = marked.filter(pl.any_horizontal(f"{name}_differs" for name in differs))
    by_place = kept.sort("place", "place_before", nulls_last=True)
    return by_place.drop("text", "text_before").collect(engine="streaming")


def posts_of(release: Release) -> "pl.LazyFrame":
    """Return a release's posts: place, id, a hash of the text, crowd label and verdict."""
    import polars as pl

    folder = release_folder(release) / "data"
    if not any(folder.glob("posts-*.parquet")):
        raise JobRefused(_("The files of release %s are not on this server.") % release.number)
    rows = pl.scan_parquet(folder / "posts-*.parquet").with_row_index("place")
    there = rows.collect_schema().names()
    nothing = pl.lit(None, dtype=pl.String)
    columns = {name: pl.col(name) if name in there else nothing for name in ("text", *COMPARED)}
    return rows.select("place", "post_id", **columns | {"text": columns["text"].hash()})


def moves(changed: "pl.DataFrame", column: str) -> list[dict[str, Any]]:
    """Return from which label to which posts went, the most frequent first."""
    rows = changed.filter(f"{column}_differs")
    counted = Counter(rows.select(f"{column}_before", column).iter_rows())
    return [
        {"before": old, "after": new, "posts": posts} for (old, new), posts in counted.most_common()
    ]


def columns_that_differ(before: Release, after: Release) -> dict[str, dict[str, list[str]]]:
    """Return by table the columns that only one of the releases has."""
    old, new = columns_of(before), columns_of(after)
    found = {}
    for table in dict.fromkeys([*old, *new]):
        first, second = old.get(table, []), new.get(table, [])
        if first != second:
            found[table] = {
                "removed": [name for name in first if name not in second],
                "added": [name for name in second if name not in first],
            }
    return found


def columns_of(release: Release) -> dict[str, list[str]]:
    """Return the columns of each table."""
    layout = layout_of(release)
    return {table.name: [column.name for column in table.columns] for table in layout.tables}


def rows_of(release: Release) -> int:
    """Return how many posts a release has."""
    return int(release.manifest["statistics"]["counts"]["released"])


def blocks(changed: "pl.DataFrame") -> Iterator[list[dict[str, Any]]]:
    """Yield rows in blocks."""
    for part in changed.iter_slices(BLOCK):
        yield part.to_dicts()


def changed_post(comparison: Comparison, row: dict[str, Any]) -> ChangedPost:
    """Return the record of a post that differs."""
    return ChangedPost(
        comparison=comparison,
        post_id=row["name"],
        changes=[name for name in CHANGES if row[f"{name}_differs"]],
        crowd_before=row["crowd_label_before"],
        crowd_after=row["crowd_label"],
        verdict_before=row["verdict_before"],
        verdict_after=row["verdict"],
    )
