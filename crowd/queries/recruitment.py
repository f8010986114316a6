"""Reads ways into a study, the visits that came through them, and what a sitting ends with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from annotation.models import Member, Sitting, SittingState, StageCode, Study
from crowd.models import Arrival, Recruit, Recruitment, RecruitmentKind, RecruitmentState

# Platforms at which all people of a way give the same code.
SHARED_CODES = (RecruitmentKind.PROLIFIC, RecruitmentKind.PANEL)
PROLIFIC_PARAMETERS = (
    "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
)
PROLIFIC_COMPLETION = "https://app.prolific.com/submissions/complete?cc="


def recruitments_of(study: Study) -> QuerySet[Recruitment]:
    """Return a study's ways in, newest first, with their arrivals counted; never whose they are.

    `was_opened` tells one that is paused from one that never let anybody in.
    """
    tracked: Any = Recruitment
    opened = tracked.pgh_event_model.objects.filter(
        pgh_obj=OuterRef("pk"), state=RecruitmentState.OPEN
    )
    return Recruitment.objects.filter(study=study).annotate(
        was_opened=Exists(opened),
        arrived=Count("arrivals"),
        complete=Count("arrivals", filter=Q(arrivals__sitting__state=SittingState.COMPLETE)),
        left=Count("arrivals", filter=Q(arrivals__sitting__state=SittingState.LEFT)),
        at_work=Count("arrivals", filter=Q(arrivals__sitting__state=SittingState.OPEN)),
    )


def entry_of(token: str) -> Recruitment | None:
    """Return the way in at an entry address."""
    return Recruitment.objects.select_related("study").filter(token=token).first()


def entry_address(recruitment: Recruitment) -> str:
    """Return the address, on this site, to give to people or to a platform."""
    name = "join_hit" if recruitment.kind == RecruitmentKind.MTURK else "join"
    address = reverse(name, args=[recruitment.token])
    if recruitment.kind == RecruitmentKind.PROLIFIC:
        return address + PROLIFIC_PARAMETERS
    if recruitment.kind == RecruitmentKind.PANEL:
        signature = recruitment.signature_parameter
        return f"{address}?{recruitment.id_parameter}=ID" + (f"&{signature}=…" if signature else "")
    return address


def arrivals_of(member: Member) -> QuerySet[Arrival]:
    """Return how somebody came to a study, oldest first."""
    return Arrival.objects.filter(
        recruitment__study=member.study_id, user=member.user_id
    ).select_related("recruitment")


def waiting_visit(member: Member) -> Arrival | None:
    """Return the oldest arrival for which no sitting was begun."""
    return arrivals_of(member).filter(sitting=None).first()


def size_of_visit(member: Member) -> int | None:
    """Return how many posts the visit asks for that comes next; None: as the protocol says."""
    visit = waiting_visit(member)
    return visit.recruitment.sitting_size if visit else None


def visit_gate(member: Member) -> str:
    """Stop who did all sittings that their platform pays for; other people may begin another."""
    visits = list(arrivals_of(member).values_list("recruitment__kind", "sitting"))
    kinds = {kind for kind, _sitting in visits}
    if not kinds or RecruitmentKind.LINK in kinds or any(sitting is None for _, sitting in visits):
        return ""
    return "work_visit"


@dataclass(frozen=True)
class Completion:
    """What somebody takes back to where they came from: a code, and a link that carries it."""

    code: str
    kind: str = ""
    url: str = ""


def completion_of(sitting: Sitting) -> Completion | None:
    """Return what a sitting ends with; None before its end, so no code is seen too early."""
    visits = list(arrivals_of(sitting.member))
    return ends_with(sitting, visit_of(sitting, visits))


def completions_of(member: Member, sittings: Iterable[Sitting]) -> dict[int, Completion | None]:
    """Return what each of somebody's sittings ends with, by sitting; one query for all."""
    visits = list(arrivals_of(member))
    return {one.pk: ends_with(one, visit_of(one, visits)) for one in sittings}


def ends_with(sitting: Sitting, visit: Arrival | None) -> Completion | None:
    """Return what a sitting that was done for a visit ends with.

    A platform's code is the same for all its people and comes at the end of the work: a test has
    none, and a sitting in which there was nothing to do ends with the code for a screen-out. Where
    each sitting has a code of its own (links, Mechanical Turk), that one is given.
    """
    if sitting.state != SittingState.COMPLETE:
        return None
    recruitment = visit.recruitment if visit else None
    if recruitment is None or recruitment.kind not in SHARED_CODES:
        return Completion(sitting.completion_code, recruitment.kind if recruitment else "")
    if sitting.stage == StageCode.PRESCREENING:
        return None
    code = recruitment.completion_code if sitting.votes else recruitment.screen_out_code
    return with_code(recruitment, code)


def screen_out_of(member: Member) -> Completion | None:
    """Return what somebody who gets no work takes back to the platform that sent them last."""
    visit = arrivals_of(member).last()
    if visit is None or visit.recruit_id is None:
        return None
    return with_code(visit.recruitment, visit.recruitment.screen_out_code)


def with_code(recruitment: Recruitment, code: str) -> Completion:
    """Return a code of a platform, with the link that carries it where there is one."""
    is_prolific = recruitment.kind == RecruitmentKind.PROLIFIC
    return Completion(code, recruitment.kind, PROLIFIC_COMPLETION + code if is_prolific else "")


def visit_of(sitting: Sitting, visits: Sequence[Arrival]) -> Arrival | None:
    """Return the one of somebody's arrivals for which a sitting was done: for a test, the newest.

    A sitting of the work that belongs to no arrival was done by somebody who came by themselves.
    """
    if sitting.stage == StageCode.PRESCREENING:
        return visits[-1] if visits else None
    return next((one for one in visits if one.sitting_id == sitting.pk), None)


def platform_ids(study: Study, members: Iterable[Member]) -> dict[int, list[Recruit]]:
    """Return by which platform ids people are known, by member: for owners, to pay them."""
    by_user = {member.user_id: member.pk for member in members if member.user_id}
    found: dict[int, list[Recruit]] = {}
    for recruit in Recruit.objects.filter(study=study, user__in=by_user).order_by("pk"):
        found.setdefault(by_user[recruit.user_id], []).append(recruit)
    return found


def visits_by_user(study: Study, users: Iterable[int]) -> dict[int, list[Arrival]]:
    """Return how people came to a study, by account, oldest first; one query for all."""
    found: dict[int, list[Arrival]] = {}
    visits = Arrival.objects.filter(recruitment__study=study, user__in=users)
    for visit in visits.select_related("recruitment").order_by("pk"):
        found.setdefault(visit.user_id, []).append(visit)
    return found
