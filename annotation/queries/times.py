"""When votes were given, and how long they took: of those that count, added up by the database."""

from dataclasses import dataclass

from django.db import connection

from annotation.models.votes import COUNTING
from annotation.queries.counts import Rounds
from annotation.queries.parts import NAME_OF_WEEK

COUNTED_VOTES = f"""
    FROM annotation_vote AS vote JOIN annotation_task AS task ON task.id = vote.task_id
    WHERE task.batch_id = ANY(%(batches)s) AND {COUNTING}
"""

SECONDS = f"""
    SELECT vote.label, count(*), sum(vote.seconds),
        percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY vote.seconds)
    {COUNTED_VOTES} AND vote.seconds IS NOT NULL GROUP BY GROUPING SETS ((vote.label), ())
"""

WEEKS = f"""
    SELECT {NAME_OF_WEEK.format(moment="vote.created_at")} AS week, count(*) {COUNTED_VOTES}
    GROUP BY week ORDER BY week
"""

HOUR = 3600


@dataclass(frozen=True)
class Spent:
    """The active time of votes: for a label, or for all (None). `quartiles` are in seconds.

    `votes` are those whose time is known; without any there are no quartiles.
    """

    label: str | None
    votes: int = 0
    seconds: float = 0.0
    quartiles: tuple[float, float, float] | None = None

    @property
    def hours(self) -> float:
        """Return the active time in hours."""
        return self.seconds / HOUR


def time_spent(rounds: Rounds) -> list[Spent]:
    """Return the active time of all votes that count, then of those for each label. One query."""
    with connection.cursor() as cursor:
        cursor.execute(SECONDS, rounds.parameters)
        found = {
            label: Spent(label, votes, seconds, tuple(quartiles))
            for label, votes, seconds, quartiles in cursor.fetchall()
            if votes
        }
    return [found.get(label, Spent(label)) for label in (None, *rounds.labels)]


def votes_by_week(rounds: Rounds) -> dict[str, int]:
    """Return how many votes that count were given in each week (Monday to Sunday, UTC)."""
    with connection.cursor() as cursor:
        cursor.execute(WEEKS, rounds.parameters)
        return dict(cursor.fetchall())
