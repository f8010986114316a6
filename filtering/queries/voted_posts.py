"""Which posts a run can take: kept posts that have crowd votes, with their counts per label."""

from collections.abc import Iterable, Iterator
from itertools import islice

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Batch, Post, StageCode, Study, Tally, Vote
from annotation.queries.counts import Counts, Rounds, post_counts

BLOCK = 2_000


def voted_posts(study: Study, batch_ids: Iterable[int] | None = None) -> QuerySet[Post]:
    """Return the kept posts with a counted vote in these batches (None: in any crowd round)."""
    batches = Batch.objects.filter(study=study, stage=StageCode.CROWD)
    if batch_ids is not None:
        batches = batches.filter(pk__in=list(batch_ids))
    votes = Vote.objects.filter(task__post=OuterRef("pk"), task__batch__in=batches, counted=True)
    tallies = Tally.objects.filter(post=OuterRef("pk"), batch__in=batches, count__gt=0)
    kept = Post.objects.filter(study=study, dropped_reason="")
    return kept.filter(Exists(votes) | Exists(tallies))


def voted_counts(rounds: Rounds) -> Iterator[tuple[int, Counts]]:
    """Yield id and counts of each kept post that has a vote, by id; read in blocks."""
    voted = ((post_id, counts) for post_id, counts in post_counts(rounds) if any(counts))
    while block := list(islice(voted, BLOCK)):
        ids = [post_id for post_id, _counts in block]
        kept = Post.objects.filter(pk__in=ids, dropped_reason="").values_list("pk", flat=True)
        still = set(kept)
        yield from (row for row in block if row[0] in still)


def crowd_rounds(study: Study) -> list[Batch]:
    """Return the study's crowd rounds, by number."""
    return list(Batch.objects.filter(study=study, stage=StageCode.CROWD).order_by("number"))


def label_sets_differ(rounds: Iterable[Batch]) -> bool:
    """Say whether rounds cannot be counted together."""
    return len({tuple(sorted(batch.labels)) for batch in rounds}) > 1
