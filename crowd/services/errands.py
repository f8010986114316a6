"""Asks Prolific to do what was decided here: to approve, to reject, to pay bonuses.

An errand is written with the decision, in its transaction; a job asks Prolific afterwards. What
Prolific has done already is not asked for again, and a payment whose outcome nobody knows waits
until somebody has looked.
"""

from collections.abc import Iterable
from datetime import timedelta

import pghistory
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.models import UNDER_WAY, Member, Study, User
from annotation.services.jobs import alone, queue_job
from crowd.models import (
    Arrival,
    Errand,
    ErrandKind,
    ErrandState,
    LedgerEntry,
    RecruitmentKind,
    SittingReview,
)
from crowd.queries.errands import JOB, due_errands
from crowd.queries.recruitment import visits_by_user
from crowd.services.asking import PaymentDoubtful, ask_for
from crowd.services.prolific import Prolific, ProlificAway, ProlificBusy, ProlificRefused
from infra.jobs import JobRefused, Report

LOCK_SPACE = 0x657272  # "err"
MOST_TRIES = 8
MOST_AT_ONCE = 500
ENDED = (ErrandState.DONE, ErrandState.SET_ASIDE)


class ErrandRefused(Exception):
    """What cannot be done about an errand; its text is a sentence for the person."""


@transaction.atomic
def have_paid(*, by: User | None, study: Study, entries: Iterable[LedgerEntry]) -> list[Errand]:
    """Let Prolific pay those of some entries whose people it sent. The entries are stored."""
    entries = [entry for entry in entries if entry.amount > 0]
    if Prolific.of_site() is None or not entries:
        return []
    members = Member.objects.in_bulk([entry.member_id for entry in entries])
    users = {pk: member.user_id for pk, member in members.items() if member.user_id}
    visits = visits_by_user(study, users.values())
    found = [errand_of(entry, visits.get(users.get(entry.member_id, 0), [])) for entry in entries]
    return put(by, study, [errand for errand in found if errand])


def errand_of(entry: LedgerEntry, visits: list[Arrival]) -> Errand | None:
    """Return what Prolific has to do for an entry: approve the visit that earned it, or a bonus."""
    own = [visit for visit in visits if entry.sitting_id and visit.sitting_id == entry.sitting_id]
    visit = own[0] if own else visits[-1] if visits else None
    if visit is None or not is_of_prolific(visit):
        return None
    kind = ErrandKind.APPROVE if own and entry.kind == "sitting" else ErrandKind.BONUS
    return Errand(study_id=entry.study_id, arrival=visit, kind=kind, entry=entry)


def is_of_prolific(visit: Arrival) -> bool:
    """Say whether Prolific knows a visit by a submission."""
    return visit.recruitment.kind == RecruitmentKind.PROLIFIC and bool(visit.session_id)


@transaction.atomic
def have_rejected(*, by: User | None, review: SittingReview) -> list[Errand]:
    """Let Prolific reject the submission for which a rejected sitting was done."""
    visits = Arrival.objects.filter(sitting=review.sitting_id).select_related("recruitment")
    visit = visits.first()
    if Prolific.of_site() is None or visit is None or not is_of_prolific(visit):
        return []
    study = review.sitting.member.study
    return put(by, study, [Errand(study=study, arrival=visit, kind="reject", review=review)])


@transaction.atomic
def drop_rejection(*, by: User | None, review: SittingReview) -> None:
    """Ask no more for a rejection that was taken back."""
    with pghistory.context(user=by.pk if by else None, action="take a rejection back"):
        end(Errand.objects.filter(review=review).exclude(state__in=ENDED), ErrandState.SET_ASIDE)


def put(by: User | None, study: Study, errands: list[Errand]) -> list[Errand]:
    """Store errands, and have a worker see to them once all is committed."""
    if errands:
        with pghistory.context(user=by.pk if by else None, action="ask Prolific"):
            Errand.objects.bulk_create(errands)
        queue_job(by=by, study=study, kind=JOB, parameters={})
    return errands


def end(errands: QuerySet[Errand], state: str, reason: str = "") -> int:
    """Write down how errands ended."""
    return errands.update(state=state, reason=reason, ended_at=Now())


def queue_due() -> int:
    """Queue a job for each study whose errands are due and that no job sees to."""
    studies = Study.objects.filter(pk__in=due_errands().values("study"))
    free = studies.exclude(jobs__kind=JOB, jobs__state__in=UNDER_WAY)
    return sum(bool(queue_job(by=None, study=study, kind=JOB, parameters={})) for study in free)


def see_to_errands(*, study: Study, report: Report) -> dict[str, int]:
    """Ask Prolific for what is due in a study; count what became of it."""
    if Prolific.of_site() is None:
        raise JobRefused(_("This site has no token of Prolific's any more; nothing was asked."))
    due = list(due_errands().filter(study=study).values_list("pk", flat=True)[:MOST_AT_ONCE])
    counts = dict.fromkeys(ErrandState.values, 0)
    for number, errand in enumerate(due):
        report(number, len(due))
        with alone(errand, LOCK_SPACE) as is_mine:
            if is_mine:
                counts[see_to(errand_id=errand)] += 1
    return {state: count for state, count in counts.items() if count}


def see_to(*, errand_id: int) -> str:
    """Ask Prolific for one thing, outside of any transaction; return what became of it."""
    errand = Errand.objects.select_related(
        "arrival__recruit", "entry__sitting", "review", "study__protocol"
    ).get(pk=errand_id)
    api = Prolific.of_site()
    if errand.state != ErrandState.WAITING or api is None:
        return errand.state
    try:
        ask_for(api, errand)
    except PaymentDoubtful as doubt:
        return finish(errand, ErrandState.DOUBTFUL, str(doubt))
    except (ProlificAway, ProlificBusy) as trouble:
        return postpone(errand, str(trouble))
    except ProlificRefused as refusal:
        return finish(errand, ErrandState.FAILED, str(refusal))
    return finish(errand, ErrandState.DONE)


def finish(errand: Errand, state: str, reason: str = "") -> str:
    """Write down how an errand ended, unless somebody set it aside meanwhile."""
    waiting = Errand.objects.filter(pk=errand.pk, state=ErrandState.WAITING)
    end(waiting, state, without_ids(errand, reason))
    return state


def postpone(errand: Errand, reason: str) -> str:
    """Try again later, after a time that doubles; after the last time it has failed."""
    tries = errand.tries + 1
    if tries >= MOST_TRIES:
        return finish(errand, ErrandState.FAILED, reason)
    Errand.objects.filter(pk=errand.pk, state=ErrandState.WAITING).update(
        tries=tries,
        reason=without_ids(errand, reason),
        due_at=Now() + timedelta(minutes=2**tries),
    )
    return ErrandState.WAITING


def without_ids(errand: Errand, words: str) -> str:
    """Return what Prolific said without the ids in it, which researchers do not see."""
    recruit = errand.arrival.recruit
    for identifier in (errand.arrival.session_id, recruit.platform_id if recruit else ""):
        words = words.replace(identifier, "…") if identifier else words
    return words


@transaction.atomic
def try_again(*, by: User, study: Study, errands: Iterable[int]) -> int:
    """Ask once more for what was not done; return how many. What is doubtful is not among it."""
    failed = Errand.objects.select_for_update().filter(
        study=study, pk__in=errands, state=ErrandState.FAILED
    )
    return wait_again(by, study, [errand.pk for errand in failed])


def wait_again(by: User, study: Study, errands: list[int]) -> int:
    """Put errands back to where they wait."""
    if errands:
        with pghistory.context(user=by.pk, action="ask Prolific again"):
            Errand.objects.filter(pk__in=errands).update(
                state=ErrandState.WAITING, tries=0, due_at=Now(), paying_at=None, ended_at=None
            )
        queue_job(by=by, study=study, kind=JOB, parameters={})
    return len(errands)


@transaction.atomic
def settle_errand(*, by: User, errand: Errand, outcome: str) -> Errand:
    """Say what became of something that was not done or is doubtful, after a look at Prolific.

    `done` (Prolific did it after all), `again` (it did not: ask once more) or `set_aside` (it is
    paid otherwise: the entry waits for the next payout).
    """
    errand = Errand.objects.select_for_update().get(pk=errand.pk)
    if errand.state not in (ErrandState.FAILED, ErrandState.DOUBTFUL):
        raise ErrandRefused(
            _("There is nothing to settle: %s.") % errand.get_state_display().lower()
        )
    if outcome == "again":
        wait_again(by, errand.study, [errand.pk])
    else:
        with pghistory.context(user=by.pk, action="settle an errand"):
            end(Errand.objects.filter(pk=errand.pk), ErrandState(outcome), errand.reason)
    errand.refresh_from_db()
    return errand
