"""What the page of the instructions shows."""

from dataclasses import dataclass

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from annotation.models import Post, Study
from crowd.algorithms.differences import Line, changed_lines
from crowd.models import Acknowledgement, Instructions

POSTS_LOOKED_AT = 200


def versions_of(study: Study) -> QuerySet[Instructions]:
    """Return all versions, newest first, with how many people have read each and who wrote it."""
    return (
        Instructions.objects.filter(study=study)
        .select_related("created_by")
        .annotate(readers=Count("acknowledgements"))
    )


def readers_of(instructions: Instructions) -> QuerySet[Acknowledgement]:
    """Return who has read a version, newest first."""
    read = Acknowledgement.objects.filter(instructions=instructions)
    return read.select_related("member").order_by("-read_at", "-pk")


@dataclass(frozen=True)
class Change:
    """What became of one part of the instructions from one version to another."""

    title: str
    lines: list[Line]


def changes_between(old: Instructions, new: Instructions) -> list[Change]:
    """Return the parts that differ between two versions, with their lines."""
    parts = (
        (_("Before the first post"), old.introduction, new.introduction),
        (_("Guideline beside each post"), old.markdown, new.markdown),
        (
            _("Columns shown beside a post"),
            "\n".join(old.shown_metadata),
            "\n".join(new.shown_metadata),
        ),
    )
    changes = (Change(title, changed_lines(before, after)) for title, before, after in parts)
    return [change for change in changes if change.lines]


def metadata_columns(study: Study) -> list[str]:
    """Return the columns that came in beside the posts, by name, from the newest posts."""
    posts = Post.objects.imported().filter(study=study).order_by("-pk")
    newest = posts.values_list("metadata", flat=True)[:POSTS_LOOKED_AT]
    return sorted({name for metadata in newest for name in metadata})
