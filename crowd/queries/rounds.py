"""What researchers see of the crowd's rounds: labels, majorities, and the posts behind them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from annotation.access import Access, Permission
from annotation.models import (
    Batch,
    Post,
    StageCode,
    Study,
    Task,
)
from annotation.queries.counts import PER_POST, Counts, Rounds, counts_of, pattern_counts
from annotation.queries.progress import batches_of
from annotation.queries.studies import search_posts
from annotation.queries.unvoted import unvoted_posts

TIE = "tie"

FOUND = """
    (%(words)s = '' OR EXISTS (
        SELECT FROM annotation_post AS post WHERE post.id = posts.post_id AND (
            post.external_id = %(words)s
            OR to_tsvector('simple', post.text) @@ plainto_tsquery('simple', %(words)s))))
"""

WITH_MAJORITY = f"""
    FROM ({PER_POST}) AS posts CROSS JOIN LATERAL (
        SELECT array_positions(counts, (SELECT max(votes) FROM unnest(counts) AS votes)) AS winners
    ) AS majority
    WHERE NOT (post_id = ANY(%(hidden)s)) AND {FOUND} AND cardinality(winners) > 0 AND CASE
        WHEN %(wanted)s = -1 THEN true
        WHEN %(wanted)s = 0 THEN cardinality(winners) > 1
        ELSE winners = ARRAY[%(wanted)s] END
"""  # noqa: S608 -- constants


# Of all pairs of a post's votes, the share that differs; null with fewer than two.
DISAGREEMENT = """(
    SELECT 1 - sum(votes * (votes - 1)) / nullif(sum(votes) * (sum(votes) - 1), 0)::float
    FROM unnest(counts) AS votes)
"""


def disagreement(counts: Counts) -> float | None:
    """Return the share of pairs of votes that differ; None with fewer than two votes."""
    votes = sum(counts)
    pairs = votes * (votes - 1)
    return 1 - sum(count * (count - 1) for count in counts) / pairs if pairs else None


@dataclass(frozen=True)
class LabelFigures:
    """How often a label was chosen, and for how many posts it has most votes."""

    code: str
    name: str
    votes: int
    percent: float
    majorities: int


@dataclass(frozen=True)
class Distribution:
    """How the votes of some rounds lie; `ties` are posts where two labels share first place."""

    labels: tuple[LabelFigures, ...] = ()
    votes: int = 0
    posts: int = 0
    ties: int = 0


def distribution(rounds: Rounds, names: dict[str, str]) -> Distribution:
    """Return votes and majorities by label."""
    patterns = pattern_counts(rounds)
    votes = [0] * len(rounds.labels)
    majorities = [0] * len(rounds.labels)
    ties = 0
    for counts, posts in patterns.items():
        winners = winners_of(counts)
        ties += posts if len(winners) > 1 else 0
        if len(winners) == 1:
            majorities[winners[0]] += posts
        for place, count in enumerate(counts):
            votes[place] += count * posts
    total = sum(votes)
    rows = zip(rounds.labels, votes, majorities, strict=True)
    return Distribution(
        labels=tuple(
            LabelFigures(code, names.get(code, code), chosen, 100 * chosen / (total or 1), won)
            for code, chosen, won in rows
        ),
        votes=total,
        posts=sum(patterns.values()),
        ties=ties,
    )


def plain(words: str) -> str:
    """Return what somebody searches for, without what a database cannot hold."""
    return words.replace("\0", "").strip()


def winners_of(counts: Counts) -> list[int]:
    """Return the places of the labels with most votes; none without votes."""
    most = max(counts, default=0)
    return [place for place, count in enumerate(counts) if most and count == most]


@dataclass(frozen=True)
class PostRow:
    """A post with its counts; None where they stay hidden from who has yet to vote on it."""

    post: Post
    counts: tuple[tuple[str, int], ...] | None
    majority: str
    is_tie: bool
    disagreement: float | None = None
    likely: tuple[str, float] | None = None

    @property
    def shares(self) -> list[tuple[str, int, float | None]]:
        """Return each label's count with its share of the post's votes (its soft label)."""
        counts = self.counts or ()
        votes = sum(count for _name, count in counts)
        return [(name, count, count / votes if votes else None) for name, count in counts]


@dataclass(frozen=True)
class PostsByMajority:
    """The posts of some rounds that have votes, as a paginator wants them.

    `majority` keeps those that one label has won, or those with a tie; `words` those that hold all
    the words, or have them as their id; empty keeps all.
    """

    rounds: Rounds
    majority: str
    names: dict[str, str]
    hidden: frozenset[int] = field(default_factory=frozenset)
    words: str = ""
    by_disagreement: bool = False

    @property
    def parameters(self) -> dict[str, Any]:
        """Return what the query needs."""
        labels = self.rounds.labels
        wanted = {"": -1, TIE: 0}.get(self.majority)
        if wanted is None:
            wanted = labels.index(self.majority) + 1
        mine = {"hidden": list(self.hidden), "wanted": wanted, "words": plain(self.words)}
        return {**self.rounds.parameters, **mine}

    def count(self) -> int:
        """Return how many posts there are."""
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT count(*) {WITH_MAJORITY}", self.parameters)
            found: int = cursor.fetchone()[0]
        return found

    __len__ = count

    def __getitem__(self, part: slice) -> list[PostRow]:
        """Return one page."""
        first = f"{DISAGREEMENT} DESC NULLS LAST, " if self.by_disagreement else ""
        sql = f"""
            SELECT post_id {WITH_MAJORITY}
            ORDER BY {first}post_id LIMIT %(limit)s OFFSET %(offset)s
        """
        where = self.parameters | {"offset": part.start, "limit": part.stop - part.start}
        with connection.cursor() as cursor:
            cursor.execute(sql, where)
            ids = [post for (post,) in cursor.fetchall()]
        return post_rows(self.rounds, ids, self.names, self.hidden)


@dataclass(frozen=True)
class PostsOfRound:
    """All posts of one round, or those with some words, in the order of being handed out."""

    rounds: Rounds
    batch: Batch
    names: dict[str, str]
    hidden: frozenset[int] = field(default_factory=frozenset)
    words: str = ""

    @property
    def tasks(self) -> QuerySet[Task]:
        """Return the posts' tasks."""
        tasks = Task.objects.filter(batch=self.batch)
        if plain(self.words):
            tasks = tasks.filter(post__in=search_posts(self.batch.study, self.words).order_by())
        return tasks

    def count(self) -> int:
        """Return how many posts there are."""
        return self.tasks.count()

    __len__ = count

    def __getitem__(self, part: slice) -> list[PostRow]:
        """Return one page."""
        ids = list(self.tasks.order_by("position").values_list("post_id", flat=True)[part])
        return post_rows(self.rounds, ids, self.names, self.hidden)


def post_rows(
    rounds: Rounds, ids: Sequence[int], names: dict[str, str], hidden: frozenset[int]
) -> list[PostRow]:
    """Return posts with their counts in the order of their ids given."""
    posts = Post.objects.in_bulk(ids)
    counts = counts_of(rounds, list(ids)) if ids else {}
    return [
        post_row(posts[post], counts.get(post), rounds, names, is_hidden=post in hidden)
        for post in ids
    ]


def post_row(
    post: Post, counts: Counts | None, rounds: Rounds, names: dict[str, str], *, is_hidden: bool
) -> PostRow:
    """Return what a table shows of a post."""
    if is_hidden:
        return PostRow(post, None, "", is_tie=False)
    known = counts or (0,) * len(rounds.labels)
    winners = winners_of(known)
    shown = zip((names.get(code, code) for code in rounds.labels), known, strict=True)
    winner = rounds.labels[winners[0]] if len(winners) == 1 else ""
    return PostRow(
        post,
        tuple(shown),
        majority=names.get(winner, winner),
        is_tie=len(winners) > 1,
        disagreement=disagreement(known),
    )


def crowd_batches(study: Study) -> QuerySet[Any]:
    """Return the crowd's rounds, newest first: their posts, places and filled places counted."""
    return batches_of(study, StageCode.CROWD).order_by("-number")


BLIND_AT = {Permission.WORK_CROWD: StageCode.CROWD, Permission.LABEL_GOLD: StageCode.GOLD}


def hidden_posts(access: Access) -> frozenset[int]:
    """Return the posts of the crowd's rounds whose votes somebody must not see before their own."""
    batches = access.study.batches.filter(stage=StageCode.CROWD).values_list("pk", flat=True)
    stages = [stage for permission, stage in BLIND_AT.items() if access.may(permission)]
    return unvoted_posts(access.member, stages, list(batches))
