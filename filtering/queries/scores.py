"""How the scores of a run's trials lie, counted in the database: a run may have millions."""

from collections import defaultdict
from dataclasses import dataclass, field

from django.db import connection

from annotation.charts import Bins
from filtering.models import FilterRun

# Scores that are no finite number are above every other one in PostgreSQL.
SCORES = """
    FROM filtering_trialpost AS mine
    JOIN filtering_trial AS trial ON trial.id = mine.trial_id
    CROSS JOIN LATERAL unnest(mine.scores) WITH ORDINALITY AS one(score, round)
    WHERE trial.run_id = %(run)s AND one.score < 'Infinity'
"""
RANGE = f"""
    SELECT min(one.score), max(one.score), min(one.score) FILTER (WHERE one.score > 0) {SCORES}
"""
COUNTS = f"""
    SELECT trial.number, one.round, width_bucket(one.score, %(edges)s::float8[]),
        one.round = mine.left_in, count(*)
    {SCORES} GROUP BY 1, 2, 3, 4
"""


@dataclass
class Distribution:
    """The scores of one round, by bins: of the posts that stayed, and of those that left in it."""

    bins: int
    stayed: list[int] = field(init=False)
    left: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.stayed, self.left = [0] * self.bins, [0] * self.bins


def score_range(run: FilterRun) -> tuple[float, float, float | None]:
    """Return the least and the greatest score of a run, and the least above 0."""
    with connection.cursor() as cursor:
        cursor.execute(RANGE, {"run": run.pk})
        low, high, positive = cursor.fetchone()
    return low, high, positive


def score_counts(run: FilterRun, at: Bins) -> dict[tuple[int, int], Distribution]:
    """Return how the scores lie in each round, by the numbers of trial and round."""
    found: dict[tuple[int, int], Distribution] = defaultdict(lambda: Distribution(at.count))
    with connection.cursor() as cursor:
        cursor.execute(COUNTS, {"run": run.pk, "edges": at.inner})
        for trial, number, place, is_left, count in cursor:
            lies = found[trial, number]
            (lies.left if is_left else lies.stayed)[place] = count
    return found
