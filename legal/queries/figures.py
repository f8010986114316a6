"""What the stage's figures show beyond the summary, and how the drawn ones stand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from annotation.models import Chart, Job, JobState, StageCode, Study
from annotation.queries.charts import charts_about
from annotation.queries.counts import Rounds, rounds_of
from annotation.queries.jobs import jobs_about
from annotation.queries.times import COUNTED_VOTES, time_spent

DRAWING = "draw_legal_figures"
SUBJECT = "legal"

STATE = f"""
    SELECT count(*), coalesce(max(vote.id), 0), (
        SELECT count(*) FROM legal_decision AS decision
            JOIN annotation_post AS post ON post.id = decision.post_id
        WHERE post.study_id = %(study)s) {COUNTED_VOTES}
"""  # noqa: S608 -- constants

SECONDS = f"""
    SELECT width_bucket(vote.seconds, %(edges)s::float[]), count(*) {COUNTED_VOTES}
    AND vote.seconds IS NOT NULL GROUP BY 1
"""


@dataclass(frozen=True)
class Times:
    """How long experts took: votes between each two edges (in seconds), and the median."""

    edges: Sequence[float]
    votes: Sequence[int]
    median: float | None


@dataclass(frozen=True)
class LegalFigures:
    """The drawn figures; `job` is the newest that draws them, `is_stale` whether votes changed."""

    charts: list[Chart]
    job: Job | None
    is_stale: bool

    @property
    def is_being_drawn(self) -> bool:
        """Say whether a job is at it."""
        return self.job is not None and not self.job.has_ended


def votes_state(study: Study) -> dict[str, int]:
    """Return what changes with each decision and vote, also with one that stops counting."""
    rounds = rounds_of(study, StageCode.LEGAL)
    with connection.cursor() as cursor:
        cursor.execute(STATE, {**rounds.parameters, "study": study.pk})
        votes, newest, decisions = cursor.fetchone()
    return {"votes": votes, "newest": newest, "decisions": decisions}


def legal_figures(study: Study) -> LegalFigures:
    """Return the figures of the stage as they were drawn last."""
    jobs = jobs_about(study, DRAWING)
    drawn = jobs.filter(state=JobState.SUCCEEDED).first()
    state: dict[str, Any] = drawn.result.get("state", {}) if drawn else {}
    return LegalFigures(
        charts=charts_about(study, SUBJECT),
        job=jobs.first(),
        is_stale=drawn is not None and state != votes_state(study),
    )


def times_of(rounds: Rounds, edges: Sequence[float]) -> Times:
    """Return how long the votes took, between edges that begin with 0 and have no last one."""
    with connection.cursor() as cursor:
        cursor.execute(SECONDS, {**rounds.parameters, "edges": list(edges)})
        found = dict(cursor.fetchall())
    quartiles = time_spent(rounds)[0].quartiles
    median = quartiles[1] if quartiles else None
    return Times(edges, [found.get(place + 1, 0) for place in range(len(edges))], median)
