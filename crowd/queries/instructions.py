"""What the page of the instructions shows."""

from django.db.models import Count, QuerySet

from annotation.models import Post, Study
from crowd.models import Instructions

POSTS_LOOKED_AT = 200


def versions_of(study: Study) -> QuerySet[Instructions]:
    """Return all versions, newest first, with how many people have read each and who wrote it."""
    return (
        Instructions.objects.filter(study=study)
        .select_related("created_by")
        .annotate(readers=Count("acknowledgements"))
    )


def metadata_columns(study: Study) -> list[str]:
    """Return the columns that came in beside the posts, by name, from the newest posts."""
    posts = Post.objects.imported().filter(study=study).order_by("-pk")
    newest = posts.values_list("metadata", flat=True)[:POSTS_LOOKED_AT]
    return sorted({name for metadata in newest for name in metadata})
