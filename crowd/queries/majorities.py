"""How somebody's votes compare with the majority of the others' on the same posts."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from annotation.models.votes import COUNTING
from annotation.queries.counts import COUNTED, Rounds

# Each counting vote with what the others chose for the post: `most` is how many of them chose the
# label most chosen, `winners` how many labels share that place, `same` whether the vote is for one.
LEFT_OUT = f"""
    SELECT id, member_id, post_id, label, max(most) AS most,
        count(*) FILTER (WHERE others = most) AS winners,
        bool_or(others = most AND theirs = label) AS same
    FROM (
        SELECT vote.id, vote.member_id, task.post_id, vote.label, chosen.label AS theirs,
            chosen.votes - (chosen.label = vote.label)::int AS others,
            max(chosen.votes - (chosen.label = vote.label)::int) OVER (PARTITION BY vote.id) AS most
        FROM annotation_vote AS vote
        JOIN annotation_task AS task ON task.id = vote.task_id
        JOIN (
            SELECT post_id, label, sum(votes)::int AS votes FROM ({COUNTED}) AS counted
            WHERE %(posts)s::bigint[] IS NULL OR post_id = ANY(%(posts)s)
            GROUP BY post_id, label
        ) AS chosen ON chosen.post_id = task.post_id
        WHERE task.batch_id = ANY(%(batches)s) AND {COUNTING}
            AND (%(member)s::bigint IS NULL OR vote.member_id = %(member)s)
    ) AS compared
    GROUP BY id, member_id, post_id, label
"""  # noqa: S608 -- constants

COMPARED = f"""
    SELECT member_id, count(*), count(*) FILTER (WHERE same) FROM ({LEFT_OUT}) AS votes
    WHERE most > 0 AND winners = 1 GROUP BY member_id
"""  # noqa: S608 -- constants

OUTCOMES = f"""
    SELECT id, same FROM ({LEFT_OUT}) AS votes WHERE most > 0 AND winners = 1
"""  # noqa: S608 -- constants


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
