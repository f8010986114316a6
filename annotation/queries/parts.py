"""Parts of a stage's posts whose agreement is measured apart, and the posts that enter each sum.

The figure of a part and the list of its posts come from one and the same SQL: they cannot differ.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db import connection

from annotation.models import Post
from annotation.models.votes import COUNTING
from annotation.queries.agreement import StageAgreement, agreement_on
from annotation.queries.counts import PER_POST, Counts, Rounds

BLOCK = 2_000

LABEL = f"SELECT '' AS part, post_id, counts FROM ({PER_POST}) AS posts"  # noqa: S608 -- constants

NAME_OF_WEEK = """to_char({moment} AT TIME ZONE 'UTC', 'IYYY-"W"IW')"""

# A post belongs to the week (Monday to Sunday, UTC) of the newest vote that counts on it; counts
# that were imported have no time.
WEEK = f"""
    SELECT {NAME_OF_WEEK.format(moment="newest.voted_at")} AS part, posts.post_id, posts.counts
    FROM ({PER_POST}) AS posts JOIN (
        SELECT task.post_id, max(vote.created_at) AS voted_at
        FROM annotation_vote AS vote JOIN annotation_task AS task ON task.id = vote.task_id
        WHERE task.batch_id = ANY(%(batches)s) AND {COUNTING} GROUP BY task.post_id
    ) AS newest ON newest.post_id = posts.post_id
"""  # noqa: S608 -- constants

OF_BATCH = PER_POST.replace("%(batches)s", "ARRAY[batch.id]")
BATCH = f"""
    SELECT batch.number::text AS part, posts.post_id, posts.counts
    FROM annotation_batch AS batch CROSS JOIN LATERAL ({OF_BATCH}) AS posts
    WHERE batch.id = ANY(%(batches)s)
"""  # noqa: S608 -- constants

PARTED_BY = {"label": LABEL, "week": WEEK, "batch": BATCH}
PAIRED = "(SELECT sum(votes) FROM unnest(counts) AS votes) >= 2"


@dataclass(frozen=True)
class Parted:
    """Posts with their counts, by part: SQL that gives `part`, `post_id` and `counts`.

    `labels` name what the counts count, in their order.
    """

    sql: str
    parameters: Mapping[str, Any]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """One part of the posts with its agreement; `name` is what people read."""

    code: str
    name: str
    agreement: StageAgreement

    def figures(self) -> dict[str, Any]:
        """Return what the command prints."""
        found = self.agreement.figures()
        return {"part": self.code, "name": self.name, **found}


def parted(rounds: Rounds, by: str) -> Parted:
    """Return a stage's posts in one part (“label”), by week or by batch."""
    return Parted(PARTED_BY[by], rounds.parameters, rounds.labels)


def parts_of(found: Parted, names: Mapping[str, str] | None = None) -> list[Part]:
    """Return the agreement of each part, in the order of the names, or else of the parts' codes.

    With names, parts without a single vote are there as well, and say so.
    """
    patterns = patterns_by_part(found)
    shown = names or {code: code for code in sorted(patterns, key=in_order)}
    return [
        Part(code, name, agreement_on(patterns.get(code, {}), found.labels))
        for code, name in shown.items()
    ]


def in_order(code: str) -> tuple[int, str]:
    """Order batches by their number and weeks by their name."""
    return (int(code), "") if code.isdecimal() else (0, code)


def patterns_by_part(found: Parted) -> dict[str, dict[Counts, int]]:
    """Return how many posts of each part have which counts."""
    sql = f"SELECT part, counts, count(*) FROM ({found.sql}) AS parted GROUP BY part, counts"  # noqa: S608 -- constants
    patterns: dict[str, dict[Counts, int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(sql, found.parameters)
        for part, counts, posts in cursor.fetchall():
            patterns.setdefault(part, {})[tuple(counts)] = posts
    return patterns


@dataclass(frozen=True)
class CountedPost:
    """A post that entered a sum, with its counts."""

    post: Post
    counts: Counts


@dataclass(frozen=True)
class PostsOfPart:
    """The posts that entered the sum of a part: those with two votes or more, as a paginator wants.

    `hidden` ones are left out: whoever looks has yet to vote on them.
    """

    found: Parted
    part: str
    hidden: Collection[int] = field(default_factory=frozenset)

    @property
    def parameters(self) -> dict[str, Any]:
        """Return what the query needs."""
        return {**self.found.parameters, "part": self.part, "hidden": list(self.hidden)}

    @property
    def sql(self) -> str:
        """Return where the posts come from."""
        return (
            f"FROM ({self.found.sql}) AS parted "
            f"WHERE part = %(part)s AND {PAIRED} AND NOT (post_id = ANY(%(hidden)s))"
        )

    def count(self) -> int:
        """Return how many posts there are."""
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT count(*) {self.sql}", self.parameters)
            found: int = cursor.fetchone()[0]
        return found

    __len__ = count

    def __getitem__(self, part: slice) -> list[CountedPost]:
        """Return one page, in the order of import."""
        sql = f"SELECT post_id, counts {self.sql} ORDER BY post_id LIMIT %(most)s OFFSET %(start)s"
        where = self.parameters | {"start": part.start, "most": part.stop - part.start}
        with connection.cursor() as cursor:
            cursor.execute(sql, where)
            return with_posts(dict(cursor.fetchall()))

    def __iter__(self) -> Iterator[CountedPost]:
        """Yield all of them, read in blocks."""
        with connection.chunked_cursor() as cursor:
            cursor.execute(f"SELECT post_id, counts {self.sql} ORDER BY post_id", self.parameters)
            while block := dict(islice(cursor, BLOCK)):
                yield from with_posts(block)


def with_posts(counts: Mapping[int, list[int]]) -> list[CountedPost]:
    """Return posts with their counts, in the order given."""
    posts = Post.objects.only("external_id", "text").in_bulk(counts)
    return [CountedPost(posts[post_id], tuple(found)) for post_id, found in counts.items()]
