"""How far each two people agree, and the posts on which both voted."""

from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery

from annotation.models import Member, Post, Vote
from annotation.models.votes import COUNTING
from annotation.queries.counts import Rounds, pattern_counts

VOTES = f"""
    SELECT vote.member_id, task.post_id, vote.label
    FROM annotation_vote AS vote JOIN annotation_task AS task ON task.id = vote.task_id
    WHERE task.batch_id = ANY(%(batches)s) AND {COUNTING}
"""  # noqa: S608 -- constants

PAIRS = f"""
    WITH votes AS ({VOTES})
    SELECT one.member_id, other.member_id, count(*), count(*) FILTER (WHERE one.label = other.label)
    FROM votes AS one JOIN votes AS other USING (post_id)
    WHERE one.member_id < other.member_id
    GROUP BY one.member_id, other.member_id
"""  # noqa: S608 -- constants


@dataclass(frozen=True)
class Pair:
    """Two people: on how many posts both voted, and on how many of them alike."""

    one: Member
    other: Member
    posts: int
    same: int

    @property
    def share(self) -> float:
        """Return the share of posts with the same label; it is not corrected for chance."""
        return self.same / self.posts


def pairs_of(rounds: Rounds) -> list[Pair]:
    """Return all pairs of people with a post in common, those that agree least first."""
    with connection.cursor() as cursor:
        cursor.execute(PAIRS, rounds.parameters)
        rows = cursor.fetchall()
    people = Member.objects.in_bulk({member for row in rows for member in row[:2]})
    pairs = [Pair(people[one], people[other], posts, same) for one, other, posts, same in rows]
    return sorted(pairs, key=lambda pair: (pair.share, -pair.posts, pair.one.pk, pair.other.pk))


def equal_pairs(rounds: Rounds) -> Any:
    """Return the share of equal pairs of votes on the same post; counts without people enter."""
    from annotation.agreement import pairwise_percent_agreement

    return pairwise_percent_agreement(pattern_counts(rounds))


def posts_of_pair(rounds: Rounds, one: Member, other: Member) -> QuerySet[Any]:
    """Return the posts on which both voted, with their labels."""
    labels = {
        name: Subquery(
            Vote.objects.counting()
            .filter(member=member, task__batch__in=rounds.batch_ids, task__post=OuterRef("pk"))
            .values("label")[:1]
        )
        for name, member in (("first", one), ("second", other))
    }
    found: QuerySet[Any] = Post.objects.filter(study=one.study_id).annotate(**labels)
    return found.filter(first__isnull=False, second__isnull=False).order_by("pk")
