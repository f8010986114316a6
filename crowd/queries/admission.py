"""What must be settled before somebody begins a sitting, in its order."""

from collections.abc import Callable

from annotation.models import WORK_ENDED, Member, StageCode, Standing
from crowd.queries.consent import background_gate, consent_gate, screening_gate
from crowd.queries.prescreening import needs_prescreening
from crowd.queries.recruitment import visit_gate

# Says by the name of an address where something is settled; "" when it is.
Gate = Callable[[Member], str]

GATES: tuple[Gate, ...] = (
    visit_gate,
    consent_gate,
    background_gate,
    screening_gate,
    needs_prescreening,
)


def has_ended(member: Member) -> bool:
    """Say whether somebody withdrew or was dismissed: nothing more is asked of them."""
    standings = Standing.objects.filter(member=member, stage=StageCode.CROWD)
    return standings.filter(state__in=WORK_ENDED).exists()


def next_gate(member: Member) -> str:
    """Return the name of the address at which somebody settles what comes next; "" for nothing."""
    if has_ended(member):
        return ""
    return next((name for gate in GATES if (name := gate(member))), "")
