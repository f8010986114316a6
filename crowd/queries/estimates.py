"""What the newest estimate after Dawid and Skene says, and the votes that the next one reads."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import connection

from annotation.models import Member, Study
from annotation.models.votes import COUNTING
from annotation.queries.counts import Rounds
from crowd.models import Estimate, LikelyLabel, Reliability

KIND = "estimate_reliability"

VOTES = f"""
    SELECT task.post_id, vote.member_id, array_position(%(labels)s::text[], vote.label::text) - 1
    FROM annotation_vote AS vote JOIN annotation_task AS task ON task.id = vote.task_id
    WHERE task.batch_id = ANY(%(batches)s) AND {COUNTING}
"""  # noqa: S608 -- constants


def votes_to_estimate(rounds: Rounds) -> Iterator[tuple[int, int, int]]:
    """Yield the post, the member and the label's place of each counting vote; read in blocks."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(VOTES, rounds.parameters)
        yield from cursor


def newest_estimate(study: Study) -> Estimate | None:
    """Return a study's newest estimate."""
    return Estimate.objects.filter(study=study).select_related("job").first()


def reliability_of(estimate: Estimate | None, member: Member) -> Reliability | None:
    """Return how reliable somebody is by an estimate."""
    return Reliability.objects.filter(estimate=estimate, member=member).first()


def likely_labels(
    estimate: Estimate | None, post_ids: Sequence[int], names: dict[str, str]
) -> dict[int, tuple[str, float]]:
    """Return the likeliest label of each post and its chance."""
    found = LikelyLabel.objects.filter(estimate=estimate, post__in=post_ids)
    return {row.post_id: likeliest(estimate, row, names) for row in found if estimate}


def likeliest(estimate: Estimate, row: LikelyLabel, names: dict[str, str]) -> tuple[str, float]:
    """Return a post's likeliest label and its chance."""
    place = max(range(len(row.chances)), key=row.chances.__getitem__)
    code = estimate.labels[place]
    return names.get(code, code), row.chances[place]


def error_rows(
    estimate: Estimate, reliability: Reliability, names: dict[str, str]
) -> list[tuple[str, list[float] | None]]:
    """Return what somebody says where each label is right; None where they met no such post."""
    rows: list[Any] = reliability.error_rates
    shown = [names.get(code, code) for code in estimate.labels]
    return list(zip(shown, rows, strict=True))
