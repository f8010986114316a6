"""Changes how people stand at a stage, each change on record, and takes their votes out."""

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.models import (
    Assignment,
    AssignmentState,
    Exclusion,
    ExclusionKind,
    Member,
    Place,
    Sitting,
    SittingState,
    Standing,
    StandingChange,
    StandingState,
    Task,
    User,
    worked_at,
)
from annotation.services.archive import hold_open
from annotation.services.assignments import database_now, give_back, lock_standing
from annotation.services.votes import SETTLE_TIE

STATE_OF = {
    ExclusionKind.DISMISSED: StandingState.DISMISSED,
    ExclusionKind.WITHDRAWN: StandingState.WITHDRAWN,
}

# What the person filled, in batches that take votes still.
REFILL = """
    INSERT INTO annotation_place (task_id, batch_id, position, number, lease_until)
    SELECT place.task_id, place.batch_id, place.position,
        (SELECT max(number) + 1 FROM annotation_place WHERE task_id = place.task_id),
        clock_timestamp()
    FROM annotation_place AS place JOIN annotation_batch AS batch ON batch.id = place.batch_id
    WHERE place.id = ANY(%s) AND batch.state <> 'closed'
    ORDER BY place.position
"""


class StandingRefused(Exception):
    """A change that cannot be; its text is a sentence for the person."""


@transaction.atomic
def change_standing(
    *, by: User | None, member: Member, stage: str, state: str, reason: str
) -> Standing:
    """Let somebody work, wait or pause. What they hold goes back to the others."""
    hold_open(member.study_id)
    lock_standing(member, stage)
    standing = Standing.objects.get(member=member, stage=stage)
    if standing.state in STATE_OF.values():
        raise StandingRefused(
            _("%s was taken out of this stage for good; their votes do not count.")
            % member.pseudonym
        )
    if standing.state == state:
        return standing
    return note(by, standing, state, reason)


def note(by: User | None, standing: Standing, state: str, reason: str) -> Standing:
    """Write a change down with its reason; who may not work holds nothing."""
    standing.state = state
    standing.save(update_fields=["state"])
    StandingChange.objects.create(standing=standing, state=state, reason=reason, created_by=by)
    if state != StandingState.ACTIVE:
        let_go(standing.member, standing.stage)
    return standing


def let_go(member: Member, stage: str) -> None:
    """Give back what somebody holds or has parked at a stage."""
    held = Assignment.objects.filter(
        member=member,
        task__stage__in=worked_at(stage),
        state__in=[AssignmentState.HELD, AssignmentState.PARKED],
    )
    tasks = list(held.values_list("task_id", flat=True))
    give_back("member_id = %s AND task_id = ANY(%s)", [member.pk, tasks])
    held.update(state=AssignmentState.LAPSED, ended_at=database_now())


@transaction.atomic
def exclude(
    *, by: User | None, member: Member, stage: str, kind: str, reason: str = ""
) -> Exclusion:
    """Take somebody's votes at a stage out: they stop counting, and open batches get them anew.

    The votes, and the places that they filled, stay on record as vacated. Who was dismissed may
    still withdraw, which takes their votes out of releases.
    """
    if kind == ExclusionKind.DISMISSED:
        hold_open(member.study_id)
    lock_standing(member, stage)
    standing = Standing.objects.get(member=member, stage=stage)
    if standing.state in (StandingState.WITHDRAWN, STATE_OF[ExclusionKind(kind)]):
        raise StandingRefused(_("%s was taken out already.") % member.pseudonym)
    note(by, standing, STATE_OF[ExclusionKind(kind)], reason)
    # An open sitting would wait for somebody who cannot come back, and its votes for their pay.
    Sitting.objects.filter(member=member, stage=stage, state=SittingState.OPEN).update(
        state=SittingState.LEFT, ended_at=database_now()
    )
    filled = Place.objects.filled().filter(member=member, batch__stage=stage)
    tasks = lock_tasks(filled)
    places = list(filled.order_by("position").values_list("pk", flat=True))
    Place.objects.filter(pk__in=places).update(vacated_at=database_now())
    with connection.cursor() as cursor:
        cursor.execute(REFILL, [places])
        made = cursor.rowcount
    settle_ties(tasks)
    return Exclusion.objects.create(
        member=member, stage=stage, kind=kind, reason=reason, places=made, created_by=by
    )


def lock_tasks(places: QuerySet[Place]) -> list[int]:
    """Lock the tasks of some places, in one order for everybody: their places are numbered anew."""
    tasks = Task.objects.select_for_update(no_key=True).filter(pk__in=places.values("task"))
    return list(tasks.order_by("pk").values_list("pk", flat=True))


def settle_ties(tasks: list[int]) -> None:
    """Look again at posts whose votes changed: a place for a tie may be needed no longer."""
    with connection.cursor() as cursor:
        for task in tasks:
            cursor.execute(SETTLE_TIE, [task])
