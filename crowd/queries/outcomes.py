"""What the crowd's votes make of each post: counts, majority, soft label, and chances.

One row a post that has votes, read in blocks, so the length of a study costs no memory.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice

from annotation.aggregation import Majority, majority, soft_label
from annotation.models import Post
from annotation.queries.counts import Counts, Rounds, post_counts
from crowd.models import Estimate, LikelyLabel

BLOCK = 2_000


@dataclass(frozen=True)
class Outcome:
    """A post with its votes made into one answer, in four ways.

    `chances` of each label are of the newest estimate; None where it did not see the post.
    """

    post: str
    majority: Majority
    soft: dict[str, float]
    chances: dict[str, float] | None

    @property
    def likeliest(self) -> str | None:
        """Return the label that the estimate holds for right."""
        return max(self.chances, key=self.chances.__getitem__) if self.chances else None


def outcomes(
    rounds: Rounds, estimate: Estimate | None, hidden: Collection[int]
) -> Iterator[Outcome]:
    """Yield the outcome of each post with votes, in the order of import, without hidden ones."""
    counted = ((post, counts) for post, counts in post_counts(rounds) if any(counts))
    shown = (row for row in counted if row[0] not in hidden)
    while block := dict(islice(shown, BLOCK)):
        yield from of_block(block, rounds.labels, estimate)


def of_block(
    block: dict[int, Counts], labels: tuple[str, ...], estimate: Estimate | None
) -> Iterator[Outcome]:
    """Yield the outcomes of some posts."""
    names = dict(Post.objects.filter(pk__in=block).values_list("pk", "external_id"))
    likely = LikelyLabel.objects.filter(estimate=estimate, post__in=block)
    chances = dict(likely.values_list("post", "chances")) if estimate else {}
    for post, counts in block.items():
        votes = dict(zip(labels, counts, strict=True))
        found = chances.get(post)
        yield Outcome(
            post=names[post],
            majority=majority(votes),
            soft=soft_label(votes),
            chances=dict(zip(estimate.labels, found, strict=True)) if estimate and found else None,
        )
