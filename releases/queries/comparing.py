"""What is known of how releases differ."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from annotation.models import UNDER_WAY, Job, Study
from releases.models import ChangedPost, Comparison, Release

CHANGES = {
    "added": gettext_lazy("Added"),
    "removed": gettext_lazy("Removed"),
    "text": gettext_lazy("Text changed"),
    "crowd_label": gettext_lazy("Crowd's label changed"),
    "verdict": gettext_lazy("Verdict changed"),
}
"""In what a post can differ."""

SETTINGS = ("protocol", "crowd_labels", "metadata", "filter_run", "instructions", "catalogue")
FILE_COLUMNS = (
    *("post_id", "changes", "crowd_before", "crowd_after", "verdict_before", "verdict_after"),
)


def found_comparison(before: Release, after: Release) -> Comparison | None:
    """Return the comparison of two releases, if it was made."""
    return Comparison.objects.filter(before=before, after=after).select_related("job").first()


def running_comparison(study: Study, parameters: dict[str, Any]) -> Job | None:
    """Return the job that is at a comparison."""
    jobs = Job.objects.filter(study=study, kind="compare_releases", state__in=UNDER_WAY)
    return jobs.filter(parameters=parameters).first()


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
    old, new = flat(before.manifest), flat(after.manifest)
    return [
        {"name": name, "before": old.get(name), "after": new.get(name)}
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]


def flat(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return choices and settings under one name each."""
    kept = {name: manifest.get(name) for name in ("choices", *SETTINGS)}
    return {
        (f"{name}.{key}" if key else name): value
        for name, content in kept.items()
        for key, value in (content.items() if isinstance(content, dict) else [("", content)])
    }


def file_rows(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """Yield the rows of the file of posts that differ."""
    posts = ChangedPost.objects.filter(comparison=comparison).order_by("pk")
    for row in posts.values(*FILE_COLUMNS).iterator(chunk_size=2_000):
        yield row | {"changes": "; ".join(row["changes"])}
