"""Shortcuts to sittings that wait for approval, and to what comes after."""

from decimal import Decimal

from annotation.models import Member, Role, Sitting, SittingState, StageCode, Study
from annotation.services.sittings import end_sitting
from annotation.services.votes import Answer, submit_vote
from crowd.models import LedgerEntry, Payout, SittingReview
from crowd.queries.payouts import newest_unpaid, payable
from crowd.services.pay import approve, reject
from crowd.services.payouts import make_payout
from tests.cast import join
from tests.crowd.conftest import held_by

WORDS = "The same answer on each post, also on those that say the opposite of each other. " * 2


def votes_of(member: Member, votes: int, seconds: float = 10.0) -> None:
    for _number in range(votes):
        held = held_by(member)
        submit_vote(by=member, assignment_id=held, answer=Answer("no_claim", seconds=seconds))


def ended_sitting(study: Study, name: str, votes: int = 2, seconds: float = 10.0) -> Sitting:
    """Return the sitting of a new worker who left it after some votes."""
    member = join(study, name, Role.CROWD_WORKER)
    votes_of(member, votes, seconds)
    ended = end_sitting(by=member, stage=StageCode.CROWD, state=SittingState.LEFT)
    assert ended
    return ended


def approved(study: Study, *sittings: Sitting) -> list[LedgerEntry]:
    approve(by=None, study=study, sittings=[sitting.pk for sitting in sittings])
    return [LedgerEntry.objects.get(sitting=sitting) for sitting in sittings]


def rejected(cast, sitting: Sitting) -> SittingReview:
    return reject(by=cast.researcher.user, sitting=sitting, reason="low_effort", words=WORDS)


def pay_all(cast, people=None, currency="USD") -> Payout:
    """Make a payout of all that a preview would show now."""
    last_entry = newest_unpaid(cast.study, currency)
    found = payable(cast.study, currency, last_entry=last_entry, people=people)
    return make_payout(
        by=cast.owner.user,
        study=cast.study,
        currency=currency,
        last_entry=last_entry,
        expected=sum((one.amount for one in found), Decimal(0)),
        people=people,
    )
