"""What somebody did at each stage, for themselves.

Each query costs the same on a person's first and last post.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from annotation.models import Member, Sitting, SittingState, Standing, StandingState


@dataclass
class OwnWork:
    """One person at one stage: posts voted on in all, and the sitting they are in."""

    votes: int = 0
    state: str = StandingState.ACTIVE
    sitting: Sitting | None = None


def own_work(members: Iterable[Member]) -> dict[tuple[int, str], OwnWork]:
    """Return what these members did, by (member's id, stage); who did nothing is left out."""
    ids = [member.pk for member in members]
    found: dict[tuple[int, str], OwnWork] = {}
    for standing in Standing.objects.filter(member__in=ids):
        mine = found.setdefault((standing.member_id, standing.stage), OwnWork())
        mine.votes, mine.state = standing.votes, standing.state
    for sitting in Sitting.objects.filter(member__in=ids, state=SittingState.OPEN):
        found.setdefault((sitting.member_id, sitting.stage), OwnWork()).sitting = sitting
    return found


def standing_of(member: Member, stage: str) -> str:
    """Return how somebody stands at a stage; who never came there is active."""
    standings = Standing.objects.filter(member=member, stage=stage)
    return standings.values_list("state", flat=True).first() or StandingState.ACTIVE
