"""What a rule sees in somebody's work: always the whole window that it asks for, or nothing."""

from collections.abc import Callable, Sequence
from datetime import datetime
from statistics import median
from typing import Any

from django.db.models import F, QuerySet

from annotation.models import AssignmentState, Member, StageCode, Study, Vote, worked_at
from annotation.queries.counts import RoundsDiffer, rounds_of
from crowd.models import Flag, GoldSource, QualityRule, Watched
from crowd.queries.checks import check_votes
from crowd.queries.majorities import agrees_with_others
from crowd.queries.people import ended_assignments

# Others vote on a post later, or never agree: so many times the window is looked through for it.
LOOK_BACK = 5


def rules_of(study: Study) -> QuerySet[QualityRule]:
    """Return a study's rules, in the order in which they were made."""
    return QualityRule.objects.filter(study=study)


def flags_of_study(study: Study) -> QuerySet[Flag]:
    """Return what rules saw, newest first."""
    return Flag.objects.filter(member__study=study).select_related("member", "rule")


def open_flags(study: Study) -> QuerySet[Flag]:
    """Return what rules saw and nobody has settled yet, newest first."""
    return flags_of_study(study).filter(settled_at=None)


def seen_by(rule: QualityRule, member: Member) -> float | None:
    """Return what a rule sees in somebody's last rows; None while there are fewer than it wants.

    What a flag of the rule saw, or what was there when it was settled, is not held against anybody
    again; unless the rule asks for more by now than the flag led to.
    """
    since = looked_until(rule, member)
    values = VALUES[Watched(rule.watched)](member, rule.over, since)
    if len(values) < rule.over:
        return None
    return float(median(values)) if rule.watched == Watched.SECONDS else sum(values) / len(values)


def looked_until(rule: QualityRule, member: Member) -> datetime | None:
    """Return up to when somebody's work was judged by a rule for good."""
    for flag in Flag.objects.filter(rule=rule, member=member).select_related("rule"):
        if flag.settled_at or not flag.is_weaker_than_rule:
            return flag.settled_at or flag.created_at
    return None


def after(rows: QuerySet[Any], name: str, since: datetime | None) -> QuerySet[Any]:
    """Keep rows later than a moment, newest first."""
    if since:
        rows = rows.filter(**{f"{name}__gt": since})
    return rows.order_by(f"-{name}", "-pk")


def right_answers(source: str) -> "Values":
    """Return the function that gives 1 for each right answer to a check, 0 for a wrong one."""

    def values(member: Member, over: int, since: datetime | None) -> Sequence[float]:
        votes = check_votes(member.study).filter(member=member, source=source)
        found = after(votes, "created_at", since).values_list("label", "gold")[:over]
        return [label == gold for label, gold in found]

    return values


def agreeing(member: Member, over: int, since: datetime | None) -> Sequence[float]:
    """Return 1 for each vote that equals the others' majority, 0 for one that does not."""
    votes = Vote.objects.filter(member=member, task__stage=StageCode.CROWD).counting()
    found = after(votes, "created_at", since).annotate(post=F("task__post"))
    last = list(found.values_list("pk", "post")[: over * LOOK_BACK])
    try:
        rounds = rounds_of(member.study, StageCode.CROWD)
    except RoundsDiffer:
        return []
    agrees = agrees_with_others(rounds, member.pk, [post for _vote, post in last])
    return [agrees[vote] for vote, _post in last if vote in agrees][:over]


def seconds(member: Member, over: int, since: datetime | None) -> Sequence[float]:
    """Return the active seconds of the last votes, checks among them."""
    votes = Vote.objects.filter(
        member=member,
        version=1,
        task__stage__in=worked_at(StageCode.CROWD),
        seconds__isnull=False,
    )
    return list(after(votes, "created_at", since).values_list("seconds", flat=True)[:over])


def skipped(member: Member, over: int, since: datetime | None) -> Sequence[float]:
    """Return 1 for each post that was skipped, 0 for one that was voted on; harm is left out."""
    ended = ended_assignments(member.study).filter(member=member)
    states = after(ended, "ended_at", since).values_list("state", flat=True)[:over]
    return [state == AssignmentState.SKIPPED for state in states]


Values = Callable[[Member, int, datetime | None], Sequence[float]]

VALUES: dict[str, Values] = {
    Watched.GOLD: right_answers(GoldSource.POOL),
    Watched.ATTENTION: right_answers(GoldSource.ATTENTION),
    Watched.AGREEMENT: agreeing,
    Watched.SECONDS: seconds,
    Watched.SKIPS: skipped,
}
