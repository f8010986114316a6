"""How far each two people agree, and the posts on which both voted."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery

from annotation.models import Member, Post, Vote
from annotation.models.votes import COUNTING
from annotation.queries.agreement import StageAgreement, agreement_on
from annotation.queries.counts import Counts, Rounds, pattern_counts

VOTES = f"""
    SELECT vote.member_id, task.post_id, vote.label
    FROM annotation_vote AS vote JOIN annotation_task AS task ON task.id = vote.task_id
    WHERE task.batch_id = ANY(%(batches)s) AND {COUNTING}
"""  # noqa: S608 -- constants

VOTED_BY_TWO = f"""
    WITH votes AS ({VOTES})
    SELECT one.member_id, other.member_id, one.label, other.label, count(*)
    FROM votes AS one JOIN votes AS other USING (post_id)
    WHERE (one.member_id, other.member_id) IN (
        SELECT * FROM unnest(%(ones)s::bigint[], %(others)s::bigint[]))
    GROUP BY one.member_id, other.member_id, one.label, other.label
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


@dataclass(frozen=True)
class PairAgreement:
    """Two people with their alpha, on the posts on which both voted."""

    pair: Pair
    agreement: StageAgreement


def agreement_of_pairs(rounds: Rounds, pairs: Sequence[Pair]) -> list[PairAgreement]:
    """Return the alpha of each of some pairs, in the order given."""
    places = {label: place for place, label in enumerate(rounds.labels)}
    patterns: dict[tuple[int, int], Counter[Counts]] = {}
    people = [pair.one.pk for pair in pairs], [pair.other.pk for pair in pairs]
    with connection.cursor() as cursor:
        where = {**rounds.parameters, "ones": people[0], "others": people[1]}
        cursor.execute(VOTED_BY_TWO, where)
        for one, other, *labels, posts in cursor.fetchall():
            counts = [0] * len(places)
            for label in labels:
                counts[places[label]] += 1
            patterns.setdefault((one, other), Counter())[tuple(counts)] += posts
    return [
        PairAgreement(pair, agreement_on(patterns[pair.one.pk, pair.other.pk], rounds.labels))
        for pair in pairs
    ]


def equal_pairs(rounds: Rounds) -> Any:
    """Return the share of equal pairs of votes on the same post; counts without people enter."""
    from annotation.agreement import pairwise_percent_agreement

    return pairwise_percent_agreement(pattern_counts(rounds))


def confusion(rounds: Rounds) -> list[list[int]]:
    """Return what two votes on the same post said, over all pairs; counts without people enter.

    Lines and columns are the labels in their order; each pair is counted from both sides.
    """
    from annotation.agreement import pair_matrix

    found = pair_matrix(pattern_counts(rounds))
    return [list(line) for line in found] or [[0] * len(rounds.labels) for _label in rounds.labels]


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
