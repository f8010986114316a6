"""How long experts worked, week by week in the reader's own time zone.

Counted are the active seconds stored with each answer given here, corrections included, and with
each practice post; each at most what the services store. Weeks begin on Monday.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Aggregate, Count, Exists, FloatField, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import TruncWeek
from django.template.defaultfilters import floatformat
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Member, Origin, Role, StageCode, Study, Vote
from legal.models import PracticeResult
from legal.queries.settings import settings_of

HOUR = 3600
DAYS = 7


class Median(Aggregate):
    """The median of a column."""

    function = "percentile_cont"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


@dataclass
class Week:
    """One week of a person's work; `unmeasured` answers came without a time."""

    begins: date
    posts: int = 0
    corrections: int = 0
    practised: int = 0
    unmeasured: int = 0
    seconds: float = 0.0

    @property
    def ends(self) -> date:
        """Return the week's Sunday."""
        return self.begins + timedelta(days=DAYS - 1)

    @property
    def hours(self) -> float:
        """Return the active time in hours."""
        return self.seconds / HOUR


@dataclass
class Worked:
    """What a person did in all, and in this week."""

    posts: int = 0
    seconds: float = 0.0
    week_seconds: float = 0.0
    median_seconds: float | None = None

    @property
    def hours(self) -> float:
        """Return the active time in hours."""
        return self.seconds / HOUR

    @property
    def week_hours(self) -> float:
        """Return this week's active time in hours."""
        return self.week_seconds / HOUR


def experts_of(study: Study) -> "QuerySet[Member]":
    """Return who works as an expert in a study, or answered at this stage."""
    answered = Vote.objects.filter(member=OuterRef("pk"), task__stage=StageCode.LEGAL)
    experts = Member.objects.filter(Q(role=Role.EXPERT) | Exists(answered), study=study)
    return experts.order_by("pk")


def weeks_of(member: Member) -> list[Week]:
    """Return the weeks in which a person worked, the first one first. Two queries."""
    weeks: dict[date, Week] = {}
    for row in by_week(answers_here(member)).annotate(
        posts=Count("pk", filter=Q(version=1)),
        corrections=Count("pk", filter=Q(version__gt=1)),
        unmeasured=Count("pk", filter=Q(seconds=None)),
        spent=Sum("seconds"),
    ):
        week = weeks.setdefault(row["week"].date(), Week(row["week"].date()))
        week.posts, week.corrections = row["posts"], row["corrections"]
        week.unmeasured, week.seconds = row["unmeasured"], row["spent"] or 0.0
    practice = PracticeResult.objects.filter(member=member)
    for row in by_week(practice).annotate(
        posts=Count("pk"), unmeasured=Count("pk", filter=Q(seconds=None)), spent=Sum("seconds")
    ):
        week = weeks.setdefault(row["week"].date(), Week(row["week"].date()))
        week.practised = row["posts"]
        week.unmeasured += row["unmeasured"]
        week.seconds += row["spent"] or 0.0
    return [weeks[begins] for begins in sorted(weeks)]


def by_week(rows: "QuerySet[Any]") -> "QuerySet[Any]":
    """Group rows by the week in which they were made."""
    weeks: QuerySet[Any] = rows.order_by().annotate(week=TruncWeek("created_at")).values("week")
    return weeks


def answers_here(member: Member) -> "QuerySet[Vote]":
    """Return every version of what somebody answered at this stage, imported rounds aside."""
    return Vote.objects.filter(member=member, task__stage=StageCode.LEGAL, task__origin=Origin.HERE)


def worked(members: Iterable[Member]) -> dict[int, Worked]:
    """Return what people did, by member's id; who did nothing has zeros. Two queries.

    Posts and their median are those of imported rounds, too; time is what was spent here.
    """
    found = {member.pk: Worked() for member in members}
    this_week, here = Q(created_at__gte=monday()), Q(task__origin=Origin.HERE)
    answers = Vote.objects.filter(member__in=found, task__stage=StageCode.LEGAL).order_by()
    for row in answers.values("member").annotate(
        posts=Count("pk", filter=Q(version=1)),
        spent=Sum("seconds", filter=here),
        in_week=Sum("seconds", filter=here & this_week),
        median=Median("seconds", filter=Q(version=1)),
    ):
        one = found[row["member"]]
        one.posts, one.median_seconds = row["posts"], row["median"]
        one.seconds, one.week_seconds = row["spent"] or 0.0, row["in_week"] or 0.0
    practice = PracticeResult.objects.filter(member__in=found).order_by().values("member")
    spent = practice.annotate(spent=Sum("seconds"), in_week=Sum("seconds", filter=this_week))
    for member, in_all, in_week in spent.values_list("member", "spent", "in_week"):
        found[member].seconds += in_all or 0.0
        found[member].week_seconds += in_week or 0.0
    return found


def monday() -> datetime:
    """Return when this week began for the reader."""
    today = timezone.localdate()
    begins = today - timedelta(days=today.weekday())
    return datetime.combine(begins, datetime.min.time(), timezone.get_current_timezone())


def week_in_words(own: Worked, goal: Decimal | None) -> str:
    """Return this week's hours, beside the goal where there is one."""
    words = {"hours": floatformat(own.week_hours, -1)}
    if goal:
        return _("%(hours)s of %(goal)s hours this week") % (
            words | {"goal": floatformat(goal, -1)}
        )
    return _("%(hours)s hours this week") % words


def own_week(member: Member) -> str:
    """Return somebody's hours of this week in words, beside the study's goal."""
    own = worked([member])[member.pk]
    return week_in_words(own, settings_of(member.study).weekly_hours)
