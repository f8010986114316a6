"""What is known of how releases differ."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from annotation.models import Study
from releases.models import ChangedPost, Comparison, Release

CHANGES = {
    "added": gettext_lazy("Added"),
    "removed": gettext_lazy("Removed"),
    "text": gettext_lazy("Text changed"),
    "crowd_label": gettext_lazy("Crowd's label changed"),
    "verdict": gettext_lazy("Verdict changed"),
}
"""In what a post can differ."""

SETTINGS = (
    *("choices", "protocol", "crowd_labels", "metadata", "filter_run", "instructions", "catalogue"),
    "software",
)
FILE_COLUMNS = (
    *("post_id", "changes", "crowd_before", "crowd_after", "verdict_before", "verdict_after"),
)


def found_comparison(before: Release, after: Release) -> Comparison | None:
    """Return the comparison of two releases, if it was made."""
    return Comparison.objects.filter(before=before, after=after).select_related("job").first()


def comparisons_of(study: Study) -> QuerySet[Comparison]:
    """Return a study's comparisons with their releases."""
    return Comparison.objects.filter(study=study).select_related("before", "after")


def changes_in(comparison: Comparison) -> list[tuple[str, str, int]]:
    """Return each way to differ, in words, and how many posts differ so."""
    counted = comparison.result["changes"]
    return [(name, str(words), counted[name]) for name, words in CHANGES.items()]


def in_words(posts: Iterable[ChangedPost]) -> list[tuple[ChangedPost, str]]:
    """Return posts with what differs, in words."""
    return [(post, ", ".join(str(CHANGES[name]) for name in post.changes)) for post in posts]


def settings_that_differ(before: Release, after: Release) -> list[dict[str, Any]]:
    """Return the choices and settings that two releases do not share."""
    old, new = (
        flat({name: release.manifest.get(name) for name in SETTINGS}) for release in (before, after)
    )
    return [
        {"name": name, "before": old.get(name), "after": new.get(name)}
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]


def flat(content: dict[str, Any]) -> dict[str, Any]:
    """Return what is nested under one name each, as `choices.splits.train`."""
    found: dict[str, Any] = {}
    for name, value in content.items():
        if isinstance(value, dict):
            found |= {f"{name}.{key}": inner for key, inner in flat(value).items()}
        else:
            found[name] = value
    return found


def figures_side_by_side(before: Release, after: Release) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each table, the lines of Table 1, and alpha by stage, of both releases."""
    return {
        "tables": beside(rows_by_table(before), rows_by_table(after)),
        "table_1": beside(lines_by_key(before), lines_by_key(after)),
        "agreement": beside(alpha_by_stage(before), alpha_by_stage(after)),
    }


def beside(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what both have under each name, null where one has nothing of it."""
    names = dict.fromkeys([*old, *new])
    return [{"name": name, "before": old.get(name), "after": new.get(name)} for name in names]


def rows_by_table(release: Release) -> dict[str, int | None]:
    """Return how many rows each table of a release has."""
    files = release.files.filter(name__startswith="csv/")
    return {file.name.removeprefix("csv/").removesuffix(".csv"): file.rows for file in files}


def lines_by_key(release: Release) -> dict[str, dict[str, Any]]:
    """Return count and share of each line of Table 1."""
    lines = release.manifest["statistics"]["table_1"]
    return {
        line["key"]: {"label": line["label"], "count": line["count"], "share": line["share"]}
        for line in lines
    }


def alpha_by_stage(release: Release) -> dict[str, float | None]:
    """Return Krippendorff's alpha of each stage."""
    agreement = release.manifest["statistics"]["agreement"]
    return {stage: found["alpha"] for stage, found in agreement.items()}


def file_rows(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """Yield the rows of the file of posts that differ."""
    posts = ChangedPost.objects.filter(comparison=comparison).order_by("pk")
    for row in posts.values(*FILE_COLUMNS).iterator(chunk_size=2_000):
        yield row | {"changes": "; ".join(row["changes"])}
