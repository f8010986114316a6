"""Writes down, once for a run, which posts it filters and how people voted on them.

All trials see the same votes, whatever is voted meanwhile, and the same revision of the encoder.
"""

from collections.abc import Iterator
from itertools import islice

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import StageCode
from annotation.queries.counts import Rounds, RoundsDiffer, rounds_of
from annotation.services.planning import count_anew
from embeddings import encoders
from embeddings.services import EmbeddingRefused
from filtering.models import FilteredPost, FilterRun
from filtering.queries.voted_posts import voted_counts
from filtering.services.runs import FilterRefused, refuse_too_few
from infra.jobs import JobRefused

BLOCK = 2_000


@transaction.atomic
def write_down(run: FilterRun) -> FilterRun:
    """Return a run with its posts and its encoder's revision written down; refuse too few posts."""
    run = FilterRun.objects.select_for_update(of=("self",)).select_related("study").get(pk=run.pk)
    if run.post_count is not None:
        return run
    run.encoder_revision = located(run).revision
    try:
        rounds = rounds_of(run.study, StageCode.CROWD, run.round_number)
        run.labels, run.post_count = list(rounds.labels), store_posts(run, rounds)
        refuse_too_few(posts=run.post_count, k=run.k or 1)
    except (RoundsDiffer, FilterRefused) as refusal:
        raise JobRefused(str(refusal)) from None
    run.save(update_fields=["encoder_revision", "labels", "post_count"])
    return run


def store_posts(run: FilterRun, rounds: Rounds) -> int:
    """Store a run's posts with their votes; return how many there are."""
    rows = filtered(run, rounds)
    stored = 0
    while block := list(islice(rows, BLOCK)):
        FilteredPost.objects.bulk_create(block)
        stored += len(block)
    count_anew(FilteredPost)
    return stored


def filtered(run: FilterRun, rounds: Rounds) -> Iterator[FilteredPost]:
    """Yield a run's posts, unsaved."""
    for post_id, counts in voted_counts(rounds):
        yield FilteredPost(run=run, post_id=post_id, counts=list(counts))


def located(run: FilterRun) -> encoders.Weights:
    """Find the encoder and its real revision."""
    try:
        return encoders.locate(run.encoder, run.encoder_revision)
    except encoders.EncoderError as error:
        raise EmbeddingRefused(_(error.template) % error.values) from error
