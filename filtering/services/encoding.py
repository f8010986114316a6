"""Gives the posts of a run their vectors, in parts that any worker may do."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Post
from embeddings.encoders import Pooling
from embeddings.services import embed_texts, texts_without_vectors
from filtering.models import FilterRun
from filtering.queries.runs import text_blocks
from infra.jobs import Parts, Report

PART = 1_024
"""Posts in one part: a worker that dies loses at most the block of these that it was at."""


def encoding_parts(run: FilterRun, report: Report) -> Parts | None:
    """Return the parts in which missing vectors are computed; None where none is missing."""
    missing = list(posts_without_vectors(run, report))
    if not missing:
        return None
    blocks = [missing[start : start + PART] for start in range(0, len(missing), PART)]
    parameters = [{"run": run.number, "posts": block} for block in blocks]
    message = _("Encoding %(posts)s posts, in %(parts)s parts")
    return Parts(
        "encode_posts", parameters, message % {"posts": len(missing), "parts": len(blocks)}
    )


def posts_without_vectors(run: FilterRun, report: Report) -> Iterator[int]:
    """Yield the posts of a run whose texts have no vector yet, one post for each text."""
    seen: set[str] = set()
    total = run.post_count or 0
    done = 0
    for ids, texts in text_blocks(run):
        report(done, total, _("Looking for texts without vectors"))
        for place in texts_without_vectors(texts=texts, **key_of(run)):
            if texts[place] not in seen:
                seen.add(texts[place])
                yield ids[place]
        done += len(ids)


def encode_posts(*, run: FilterRun, post_ids: Sequence[int], report: Report) -> dict[str, Any]:
    """Compute and store the vectors of some posts."""
    posts = Post.objects.filter(pk__in=post_ids, filtered__run=run)
    texts = list(posts.order_by("pk").values_list("text", flat=True))

    def told(done: int, total: int) -> None:
        words = _("Encoding texts: %(done)s of %(total)s") % {"done": done, "total": total}
        report(done, total, words)

    embed_texts(texts=texts, progress=told, **key_of(run))
    return {"run": run.number, "texts": len(texts)}


def key_of(run: FilterRun) -> dict[str, Any]:
    """Return under which encoder, revision and pooling a run's vectors stand."""
    return {
        "encoder": run.encoder,
        "revision": run.encoder_revision,
        "pooling": pooling_of(run),
    }


def pooling_of(run: FilterRun) -> Pooling:
    """Return the run's pooling in the encoders' own type."""
    return "mean" if run.pooling == "mean" else "first"
