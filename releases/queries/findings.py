"""How many experts found what about the tests and defences of a legal issue."""

from django.db.models import Count

from annotation.models import Vote
from annotation.queries.counts import Rounds
from legal.models import CriterionAnswer

Findings = dict[str, dict[str, int]]


def findings_on(rounds: Rounds, post_ids: list[int]) -> dict[tuple[int, str], Findings]:
    """Return by post and issue, for each test or defence, how many experts found what."""
    votes = Vote.objects.filter(task__batch__in=rounds.batch_ids, task__post__in=post_ids)
    rows = (
        CriterionAnswer.objects.filter(issue_answer__answer__vote__in=votes.counting())
        .exclude(finding="")
        .values_list(
            "issue_answer__answer__vote__task__post",
            "issue_answer__issue__code",
            "criterion__code",
            "finding",
        )
        .annotate(number=Count("pk"))
        .order_by()
    )
    found: dict[tuple[int, str], Findings] = {}
    for post, issue, criterion, finding, number in rows:
        by_finding = found.setdefault((post, issue), {}).setdefault(criterion, {})
        by_finding[finding] = by_finding.get(finding, 0) + number
    return found
