"""What stands between people and the crowd's posts; as many queries for one person as for many."""

import datetime as dt
from collections.abc import Sequence
from enum import StrEnum

from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Now, TruncDate

from annotation.models import Member, Sitting, SittingState, StageCode, Standing
from crowd.models import Arrival, PrescreeningRules, Qualified, QualifiedState, RecruitmentKind


class Ahead(StrEnum):
    """What somebody meets before posts, or instead of them."""

    TEST = "test"
    AT_TEST = "at_test"
    LOOKED_AT = "looked_at"
    NOT_PASSED = "not_passed"
    VISIT_DONE = "visit_done"
    LIMIT = "limit"
    DAILY_CAP = "daily_cap"


BY_STATE = {QualifiedState.WAITING: Ahead.LOOKED_AT, QualifiedState.REFUSED: Ahead.NOT_PASSED}


def ahead_of(members: Sequence[Member]) -> dict[int, Ahead]:
    """Return what stands before these members, by id; who may go to the posts is left out.

    Whoever is in a sitting settled before it what it takes; limits end it all the same.
    """
    ids = [member.pk for member in members]
    open_sittings = Sitting.objects.filter(member__in=ids, state=SittingState.OPEN)
    at_work = set(open_sittings.values_list("member", "stage"))
    gates = dict.fromkeys(visits_done(ids), Ahead.VISIT_DONE) | tests_ahead(members)
    found = {one: what for one, what in gates.items() if (one, StageCode.CROWD) not in at_work}
    at_test = {one: Ahead.AT_TEST for one, stage in at_work if stage == StageCode.PRESCREENING}
    return found | limits_reached(ids) | at_test


def tests_ahead(members: Sequence[Member]) -> dict[int, Ahead]:
    """Return who lacks the qualification, and how they stand in getting it."""
    studies = {member.study_id for member in members}
    accepting = {study: {study} for study in studies}
    rules = PrescreeningRules.objects.filter(study__in=studies)
    for study, other in rules.values_list("study", "accepted__qualification__study"):
        accepting[study].add(other)
    are_open = set(rules.filter(is_open=True).values_list("study", flat=True))
    held = Qualified.objects.filter(user__in=[member.user_id for member in members])
    states: dict[tuple[int | None, int], str] = {
        (user, study): state
        for user, study, state in held.values_list("user", "qualification__study", "state")
    }
    found = {}
    for member in members:
        own = [states.get((member.user_id, study)) for study in accepting[member.study_id]]
        mine = states.get((member.user_id, member.study_id))
        if QualifiedState.GRANTED not in own and (mine or member.study_id in are_open):
            found[member.pk] = BY_STATE[QualifiedState(mine)] if mine else Ahead.TEST
    return found


def visits_done(ids: Sequence[int]) -> set[int]:
    """Return who came only by platforms that pay for so many sittings, and did them all."""
    here = Arrival.objects.filter(recruitment__study=OuterRef("study"), user=OuterRef("user"))
    goes_on = Q(sitting=None) | Q(recruitment__kind=RecruitmentKind.LINK)
    done = Member.objects.filter(Exists(here), ~Exists(here.filter(goes_on)), pk__in=ids)
    return set(done.values_list("pk", flat=True))


def limits_reached(ids: Sequence[int]) -> dict[int, Ahead]:
    """Return who may not vote more, at all or today (in UTC)."""
    standings = Standing.objects.filter(member__in=ids, stage=StageCode.CROWD)
    today = TruncDate(Now(), tzinfo=dt.UTC)
    capped = standings.filter(day=today, votes_on_day__gte=F("member__study__protocol__daily_cap"))
    full = standings.filter(votes__gte=F("member__study__protocol__person_limit"))
    found = dict.fromkeys(capped.values_list("member", flat=True), Ahead.DAILY_CAP)
    return found | dict.fromkeys(full.values_list("member", flat=True), Ahead.LIMIT)
