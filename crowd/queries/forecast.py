"""What a batch costs and how long it takes, before it is opened and while it runs."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from statistics import median

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Batch, BatchState, Place, Protocol, StageCode, Study, Task, Vote
from crowd.algorithms.forecast import FEWEST_VOTES, Cost, cost_of, end_of, votes_per_hour

VOTES_FOR_PACE = 50
VOTES_FOR_SECONDS = 200
ACTIVE_WITHIN = timedelta(minutes=15)


@dataclass(frozen=True)
class Outlook:
    """A batch in numbers. `work` is its time of work in seconds (None: no vote was timed yet)."""

    posts: int
    wanted: int
    cost: Cost
    seconds: float | None
    given: int = 0
    left: int = 0
    spent: Decimal = Decimal(0)
    pace: float | None = None
    ends_at: datetime | None = None
    people: int = 0

    @property
    def work(self) -> str:
        """Say how much work the batch is as a whole."""
        return "" if self.seconds is None else duration(self.wanted * self.seconds)

    @property
    def time_left(self) -> str:
        """Say how long the rest takes at the pace of the last votes; empty where it is unknown."""
        return duration(self.left / self.pace * 3600) if self.pace and self.left else ""

    @property
    def is_range(self) -> bool:
        """Say whether ties can make it dearer."""
        return self.cost.least != self.cost.most


def duration(seconds: float) -> str:
    """Return a length of time in words, in whole minutes, hours or days."""
    minutes = max(1, round(seconds / 60))
    if minutes < 60:
        return _("%s min") % minutes
    hours = round(minutes / 60)
    if minutes < 600:
        words = {"hours": minutes // 60, "minutes": minutes % 60}
        return _("%(hours)s h %(minutes)s min") % words
    return _("%s h") % hours if hours < 72 else _("%s days") % round(hours / 24)


def outlook_before(study: Study, *, posts: int, votes: int) -> Outlook:
    """Return what a batch that is not made yet would cost, and how much work it would be."""
    return Outlook(
        posts=posts,
        wanted=posts * votes,
        cost=protocol_cost(study.protocol, posts=posts, votes=votes),
        seconds=usual_seconds(study),
    )


def protocol_cost(protocol: Protocol, *, posts: int, votes: int, given: int = 0) -> Cost:
    """Return the cost of a batch under a study's protocol."""
    reward, tie_votes = protocol.reward, protocol.tie_votes
    return cost_of(posts=posts, votes=votes, tie_votes=tie_votes, reward=reward, given=given)


def usual_seconds(study: Study) -> float | None:
    """Return the median active seconds of the crowd's last votes; None for fewer than five."""
    votes = Vote.objects.filter(task__batch__study=study, task__stage=StageCode.CROWD)
    timed = votes.filter(seconds__isnull=False).order_by("-created_at", "-pk")
    last = timed.values_list("seconds", flat=True)[:VOTES_FOR_SECONDS]
    seconds = [float(known) for known in last if known is not None]
    return median(seconds) if len(seconds) >= FEWEST_VOTES else None


def outlook_of(study: Study, batch: Batch) -> Outlook:
    """Return how a batch of one's own stands: what it costs, and when it ends at today's pace."""
    now = timezone.now()
    standing = (
        Place.objects.standing()
        .filter(batch=batch)
        .aggregate(places=Count("pk"), filled=Count("pk", filter=Q(filled_at__isnull=False)))
    )
    firsts = Vote.objects.filter(task__batch=batch, version=1)
    posts, given = Task.objects.filter(batch=batch).count(), firsts.count()
    left = standing["places"] - standing["filled"]
    is_open = batch.state == BatchState.OPEN
    last = firsts.order_by("-created_at").values_list("created_at", flat=True)[:VOTES_FOR_PACE]
    pace = votes_per_hour(list(last), now) if is_open else None
    protocol = study.protocol
    return Outlook(
        posts=posts,
        wanted=standing["places"],
        cost=protocol_cost(protocol, posts=posts, votes=batch.votes_wanted or 0, given=given),
        seconds=usual_seconds(study),
        given=standing["filled"],
        left=left,
        spent=protocol.reward * given,
        pace=pace,
        ends_at=end_of(left=left, pace=pace, now=now),
        people=len(people_at(batch, now)),
    )


def people_at(batch: Batch, now: datetime) -> set[int]:
    """Return who works on a batch: holds a post of it, or voted on one a moment ago."""
    held = Place.objects.unfilled().filter(batch=batch, lease_until__gt=now)
    recent = Vote.objects.filter(task__batch=batch, created_at__gt=now - ACTIVE_WITHIN)
    holders = held.exclude(member=None).values_list("member", flat=True)
    return {*holders, *recent.values_list("member", flat=True)}
