"""How likely each answer to a post is by all experts' votes, after Dawid and Skene."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.models import StageCode, Study
from annotation.queries.counts import rounds_of
from crowd.services.estimates import read


class Chances(Mapping[int, Mapping[str, float]]):
    """The chance of each label by post, read from an estimate without a copy of it."""

    def __init__(self, labels: tuple[str, ...], posts: Any, chances: Any) -> None:
        self.labels, self.chances = labels, chances
        self.places = {int(post): place for place, post in enumerate(posts)}

    def __getitem__(self, post: int) -> Mapping[str, float]:
        """Return the chances of a post's labels."""
        return dict(zip(self.labels, self.chances[self.places[post]].tolist(), strict=True))

    def __iter__(self) -> Iterator[int]:
        """Iterate over the posts."""
        return iter(self.places)

    def __len__(self) -> int:
        """Return the number of posts."""
        return len(self.places)


def experts_chances(study: Study) -> Mapping[int, Mapping[str, float]]:
    """Estimate from the counted votes of all experts; nothing where nobody has voted."""
    from annotation.aggregation.dawid_skene import dawid_skene

    rounds = rounds_of(study, StageCode.LEGAL)
    votes, posts, people = read(rounds)
    if not len(posts):
        return {}
    found = dawid_skene(votes, posts=len(posts), people=len(people), labels=len(rounds.labels))
    return Chances(rounds.labels, posts, found.posteriors)
