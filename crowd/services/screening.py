"""Turns people away before the work: who came for nothing is paid for coming, once."""

from django.db import transaction

from annotation.models import Member, Sitting
from crowd.models import Arrival, LedgerEntry
from crowd.queries.recruitment import SHARED_CODES, arrivals_of
from crowd.services.ledger import pay_screen_out


@transaction.atomic
def turn_away(*, member: Member) -> LedgerEntry | None:
    """Pay somebody whom a platform sent and who gets no work.

    Others came by themselves: a link for everybody could be opened any number of times.
    """
    visit = arrivals_of(member).last()
    if visit is None or visit.recruit_id is None:
        return None
    return pay_screen_out(by=None, member=member)


@transaction.atomic
def find_nothing(*, member: Member, sitting: Sitting) -> None:
    """Turn somebody away in whose sitting there was nothing to do; its code says so."""
    visit = Arrival.objects.select_related("recruitment").filter(sitting=sitting).first()
    if visit and visit.recruitment.kind in SHARED_CODES:
        sitting.completion_code = visit.recruitment.screen_out_code
        sitting.save(update_fields=["completion_code"])
    turn_away(member=member)
