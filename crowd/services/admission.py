"""Lets somebody into the crowd's work: what must be settled before, then a sitting."""

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Member, Sitting, StageCode
from annotation.services.archive import hold_open
from annotation.services.assignments import lock_standing
from annotation.services.sittings import begin_sitting, open_sitting
from crowd.models import Arrival
from crowd.queries.admission import has_ended, next_gate
from crowd.queries.recruitment import SHARED_CODES, size_of_visit, waiting_visit
from crowd.services.checks import draw_checks
from crowd.services.instructions import acknowledge


class NotAdmitted(Exception):
    """Somebody begins before all is settled; `gate` names the address that comes first."""

    def __init__(self, gate: str) -> None:
        super().__init__(_("Something comes first."))
        self.gate = gate


@transaction.atomic
def begin_work(*, by: Member, version: int) -> Sitting:
    """Record that a worker has read the instructions, and begin a sitting or go on with one.

    Who is in the midst of a sitting settled all before it.
    A sitting belongs to the visit that waits for one: its platform says how many posts and pays.
    """
    hold_open(by.study_id)
    lock_standing(by, StageCode.CROWD)
    if has_ended(by):
        raise NotAdmitted("work")
    gate = "" if open_sitting(by=by, stage=StageCode.CROWD) else next_gate(by)
    if gate:
        raise NotAdmitted(gate)
    acknowledge(by=by, version=version)
    sitting = begin_sitting(by=by, stage=StageCode.CROWD, size=size_of_visit(by), plan=draw_checks)
    visit = waiting_visit(by)
    if visit and not Arrival.objects.filter(sitting=sitting).exists():
        attach(visit, sitting)
    return sitting


def attach(visit: Arrival, sitting: Sitting) -> None:
    """Make a sitting that of a visit; a platform with one code for all gets that at its end."""
    visit.sitting = sitting
    visit.save(update_fields=["sitting"])
    if visit.recruitment.kind in SHARED_CODES:
        sitting.completion_code = visit.recruitment.completion_code
        sitting.save(update_fields=["completion_code"])
