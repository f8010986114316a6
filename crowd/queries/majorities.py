"""How somebody's votes compare with the majority of the others' on the same posts."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from annotation.models.votes import COUNTING
from annotation.queries.counts import Rounds

# Each counting vote with what the others chose for its post, where one label leads among them:
# `same` where the vote is for it. What the others chose is the same for all who voted for a label
# on a post, so it is found once for each label of a post and not for each vote. `highest` are the
# others' numbers, the greatest first: where the second is as great, they are tied.
VOTES = f"""
    SELECT vote.id, vote.member_id, task.post_id, vote.label
    FROM annotation_vote AS vote JOIN annotation_task AS task ON task.id = vote.task_id
    WHERE task.batch_id = ANY(%(batches)s) AND {COUNTING}
"""  # noqa: S608 -- constants

LEFT_OUT = f"""
    WITH votes AS MATERIALIZED (
        {VOTES} AND (%(posts)s::bigint[] IS NULL OR task.post_id = ANY(%(posts)s))
    ), chosen AS MATERIALIZED (
        SELECT post_id, label, sum(number)::int AS number FROM (
            SELECT post_id, label, 1 AS number FROM votes
            UNION ALL
            SELECT post_id, label, count FROM annotation_tally WHERE batch_id = ANY(%(batches)s)
                AND (%(posts)s::bigint[] IS NULL OR post_id = ANY(%(posts)s))
        ) AS counted
        GROUP BY post_id, label
    ), others AS (
        SELECT mine.post_id, mine.label, mine.number - 1 AS own,
            array_agg(theirs.number - (theirs.label = mine.label)::int
                ORDER BY theirs.number - (theirs.label = mine.label)::int DESC) AS highest
        FROM chosen AS mine JOIN chosen AS theirs ON theirs.post_id = mine.post_id
        GROUP BY mine.post_id, mine.label, mine.number
    )
    SELECT votes.id, votes.member_id, others.own = others.highest[1] AS same
    FROM votes JOIN others ON others.post_id = votes.post_id AND others.label = votes.label
    WHERE others.highest[1] > coalesce(others.highest[2], 0)
        AND (%(member)s::bigint IS NULL OR votes.member_id = %(member)s)
"""  # noqa: S608 -- constants

COMPARED = f"""
    SELECT member_id, count(*), count(*) FILTER (WHERE same) FROM ({LEFT_OUT}) AS compared
    GROUP BY member_id
"""  # noqa: S608 -- constants

OUTCOMES = f"SELECT id, same FROM ({LEFT_OUT}) AS compared"  # noqa: S608 -- constants


@dataclass(frozen=True)
class Compared:
    """How many votes could be compared with a majority of the others, and how many equal it."""

    votes: int = 0
    agreeing: int = 0

    @property
    def share(self) -> float | None:
        """Return the share that agrees; None without a comparison."""
        return self.agreeing / self.votes if self.votes else None


def compared_with_others(rounds: Rounds) -> dict[int, Compared]:
    """Return for each person how their votes compare with the others', their own left out."""
    with connection.cursor() as cursor:
        cursor.execute(COMPARED, {**rounds.parameters, "posts": None, "member": None})
        return {member: Compared(votes, same) for member, votes, same in cursor.fetchall()}


def agrees_with_others(
    rounds: Rounds, member_id: int, post_ids: Sequence[int] | None = None
) -> dict[int, bool]:
    """Return for each vote of a person (on these posts) whether it equals the others' majority.

    A vote is missing where nobody else voted on the post, or where the others are tied.
    """
    chosen = None if post_ids is None else list(post_ids)
    where = {**rounds.parameters, "posts": chosen, "member": member_id}
    with connection.cursor() as cursor:
        cursor.execute(OUTCOMES, where)
        return dict(cursor.fetchall())
