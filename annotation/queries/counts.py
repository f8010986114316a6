"""How many votes for which label a post has: the one source of every figure about labels.

Votes made here, imported votes and imported tallies are added up; only current versions of counted
votes enter.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from django.db import connection
from django.utils.translation import gettext as _

from annotation.models import Batch, Study, Vote
from annotation.models.votes import COUNTING

Counts = tuple[int, ...]
Labels = tuple[str, ...]

COUNTED = f"""
    SELECT task.post_id, vote.label, 1 AS votes
    FROM annotation_vote AS vote JOIN annotation_task AS task ON task.id = vote.task_id
    WHERE task.batch_id = ANY(%(batches)s) AND {COUNTING}
    UNION ALL
    SELECT post_id, label, count FROM annotation_tally WHERE batch_id = ANY(%(batches)s)
"""


class RoundsDiffer(Exception):
    """Rounds with different label sets cannot be counted together; the text names them."""


@dataclass(frozen=True)
class Rounds:
    """Batches of one stage that share a label set, in the method's order of labels."""

    labels: tuple[str, ...]
    batch_ids: tuple[int, ...]

    @property
    def parameters(self) -> dict[str, list[int] | list[str]]:
        """Return what the queries below need."""
        return {"batches": list(self.batch_ids), "labels": list(self.labels)}


def rounds_of(study: Study, stage: str, number: int | None = None) -> Rounds:
    """Return a stage's batches (or the one with this number), or raise RoundsDiffer."""
    batches = Batch.objects.filter(study=study, stage=stage).order_by("number")
    if number is not None:
        batches = batches.filter(number=number)
    by_labels: dict[tuple[str, ...], list[Batch]] = {}
    for batch in batches:
        by_labels.setdefault(tuple(sorted(batch.labels)), []).append(batch)
    if len(by_labels) > 1:
        rounds = "; ".join(
            f"{', '.join(str(batch.number) for batch in same)}: {', '.join(labels)}"
            for labels, same in by_labels.items()
        )
        raise RoundsDiffer(
            _("The rounds of this stage have different label sets (%s). Choose one round.") % rounds
        )
    same = next(iter(by_labels.values()), [])
    return Rounds(
        labels=tuple(same[0].labels) if same else (),
        batch_ids=tuple(batch.pk for batch in same),
    )


PER_LABEL = f"""
    SELECT post_id, label, sum(votes)::int AS votes FROM ({COUNTED}) AS counted
    GROUP BY post_id, label
"""

GIVEN = f"""
    SELECT post_id, array_agg(label::text) AS labels, array_agg(votes) AS votes
    FROM ({PER_LABEL}) AS by_label GROUP BY post_id
"""
"""The labels that were given to a post, in any order, and the votes for each."""

PER_POST = f"""
    SELECT post_id, ARRAY(
        SELECT coalesce(per_label.votes, 0)
        FROM unnest(%(labels)s::text[]) WITH ORDINALITY AS wanted(label, place)
        LEFT JOIN unnest(labels, votes) AS per_label(label, votes) USING (label)
        ORDER BY wanted.place
    ) AS counts
    FROM ({GIVEN}) AS posts
"""


@lru_cache(maxsize=10_000)
def placed(wanted: Labels, given: Labels, votes: Counts) -> Counts:
    """Return votes in the order of the wanted labels; 0 for one that was not given.

    Few kinds of posts occur, so it is rarely worked out; the database would for each post.
    """
    by_label = dict(zip(given, votes, strict=True))
    return tuple(by_label.get(label, 0) for label in wanted)


def pattern_counts(rounds: Rounds) -> dict[Counts, int]:
    """Return how many posts have which counts per label (in the order of `rounds.labels`)."""
    sql = f"SELECT labels, votes, count(*) FROM ({GIVEN}) AS given GROUP BY labels, votes"
    patterns = Counter[Counts]()
    with connection.cursor() as cursor:
        cursor.execute(sql, rounds.parameters)
        for labels, votes, posts in cursor.fetchall():
            patterns[placed(rounds.labels, tuple(labels), tuple(votes))] += posts
    return dict(patterns)


def counts_of(rounds: Rounds, post_ids: list[int]) -> dict[int, Counts]:
    """Return the counts per label of the posts named, where they have any vote."""
    sql = f"SELECT post_id, labels, votes FROM ({GIVEN}) AS given WHERE post_id = ANY(%(posts)s)"
    with connection.cursor() as cursor:
        cursor.execute(sql, {**rounds.parameters, "posts": post_ids})
        return {
            post_id: placed(rounds.labels, tuple(labels), tuple(votes))
            for post_id, labels, votes in cursor.fetchall()
        }


def post_counts(rounds: Rounds) -> Iterator[tuple[int, Counts]]:
    """Yield each post's id and counts per label, by id; read in blocks."""
    sql = f"SELECT post_id, labels, votes FROM ({GIVEN}) AS given ORDER BY post_id"
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql, rounds.parameters)
        for post_id, labels, votes in cursor:
            yield post_id, placed(rounds.labels, tuple(labels), tuple(votes))


def people_in(rounds: Rounds) -> int | None:
    """Return how many people voted in these rounds; None where only tallies are known."""
    votes = Vote.objects.filter(task__batch__in=rounds.batch_ids).counting()
    people = votes.values("member").distinct().count()
    return people or None
