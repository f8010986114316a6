"""How many votes for which label a post has: the one source of every figure about labels.

Votes made here, imported votes and imported tallies are added up; only current versions of counted
votes enter.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection
from django.utils.translation import gettext as _

from annotation.models import Batch, Study, Vote
from annotation.models.votes import COUNTING

Counts = tuple[int, ...]

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
    SELECT post_id, array_agg(label::text ORDER BY label) AS labels,
        array_agg(votes ORDER BY label) AS votes
    FROM ({PER_LABEL}) AS by_label GROUP BY post_id
"""
"""The labels that were given to a post, in one order for all posts, and the votes for each."""

PER_POST = f"""
    SELECT post_id, ARRAY(
        SELECT coalesce(per_label.votes, 0)
        FROM unnest(%(labels)s::text[]) WITH ORDINALITY AS wanted(label, place)
        LEFT JOIN unnest(labels, votes) AS per_label(label, votes) USING (label)
        ORDER BY wanted.place
    ) AS counts
    FROM ({GIVEN}) AS posts
"""


class Placed(dict[tuple[tuple[str, ...], tuple[int, ...]], Counts]):
    """Makes counts in the order of the rounds' labels out of what was given; few kinds occur.

    The database would place the counts of each post anew.
    """

    def __init__(self, rounds: Rounds) -> None:
        super().__init__()
        self.labels = rounds.labels

    def __missing__(self, given: tuple[tuple[str, ...], tuple[int, ...]]) -> Counts:
        """Return the counts of a kind of post that is met for the first time."""
        votes = dict(zip(*given, strict=True))
        self[given] = tuple(votes.get(label, 0) for label in self.labels)
        return self[given]


def pattern_counts(rounds: Rounds) -> dict[Counts, int]:
    """Return how many posts have which counts per label (in the order of `rounds.labels`)."""
    sql = f"SELECT labels, votes, count(*) FROM ({GIVEN}) AS given GROUP BY labels, votes"
    placed, patterns = Placed(rounds), Counter[Counts]()
    with connection.cursor() as cursor:
        cursor.execute(sql, rounds.parameters)
        for labels, votes, posts in cursor.fetchall():
            patterns[placed[tuple(labels), tuple(votes)]] += posts
    return dict(patterns)


def counts_of(rounds: Rounds, post_ids: list[int]) -> dict[int, Counts]:
    """Return the counts per label of the posts named, where they have any vote."""
    sql = f"SELECT post_id, counts FROM ({PER_POST}) AS posts WHERE post_id = ANY(%(posts)s)"
    with connection.cursor() as cursor:
        cursor.execute(sql, {**rounds.parameters, "posts": post_ids})
        return {post_id: tuple(counts) for post_id, counts in cursor.fetchall()}


def post_counts(rounds: Rounds) -> Iterator[tuple[int, Counts]]:
    """Yield each post's id and counts per label, by id; read in blocks."""
    sql = f"SELECT post_id, labels, votes FROM ({GIVEN}) AS given ORDER BY post_id"
    placed = Placed(rounds)
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql, rounds.parameters)
        for post_id, labels, votes in cursor:
            yield post_id, placed[tuple(labels), tuple(votes)]


def people_in(rounds: Rounds) -> int | None:
    """Return how many people voted in these rounds; None where only tallies are known."""
    votes = Vote.objects.filter(task__batch__in=rounds.batch_ids).counting()
    people = votes.values("member").distinct().count()
    return people or None
