"""Decides on sittings: approved, rejected, paid after all; and lets people dispute a rejection.

A sitting's row is locked before anything is decided on it, so two researchers who click at once
decide once. An approval writes the ledger's entry in the same transaction, and what the platform is
asked to do about it.
"""

from collections.abc import Collection

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Member, Sitting, SittingState, StageCode, Study, User
from annotation.services.assignments import database_now
from crowd.algorithms.pay import earned
from crowd.models import Decision, Dispute, EntryKind, LedgerEntry, SittingReview
from crowd.queries.pay import waiting_sittings
from crowd.services.errands import drop_rejection, have_paid, have_rejected


class ReviewRefused(Exception):
    """A decision that cannot be; its text is a sentence for the person."""


@transaction.atomic
def approve(*, by: User | None, study: Study, sittings: Collection[int]) -> int:
    """Approve those of the sittings that wait for it; return how many there were."""
    lock(Sitting.objects.filter(member__study=study, pk__in=sittings).values_list("pk", flat=True))
    found = list(waiting_sittings(study).filter(pk__in=sittings).order_by("pk"))
    SittingReview.objects.bulk_create(
        SittingReview(sitting=sitting, number=1, decision=Decision.APPROVED, created_by=by)
        for sitting in found
    )
    entries = LedgerEntry.objects.bulk_create(earning(by, study, sitting) for sitting in found)
    have_paid(by=by, study=study, entries=entries)
    return len(found)


def lock(sittings: Collection[int]) -> list[Sitting]:
    """Lock sittings, in one order for everybody."""
    rows = Sitting.objects.select_for_update(of=("self",)).select_related("member__study")
    return list(rows.filter(pk__in=sittings).order_by("pk"))


def earning(by: User | None, study: Study, sitting: Sitting) -> LedgerEntry:
    """Return the entry that pays for a sitting's votes, at the reward of the day it began."""
    is_test = sitting.stage == StageCode.PRESCREENING
    return LedgerEntry(
        study=study,
        member_id=sitting.member_id,
        kind=EntryKind.PRESCREENING if is_test else EntryKind.SITTING,
        amount=earned(sitting.votes, sitting.reward),
        currency=sitting.currency,
        sitting=sitting,
        created_by=by,
    )


@transaction.atomic
def reject(*, by: User, sitting: Sitting, reason: str, words: str) -> SittingReview:
    """Reject a sitting that waits: it is not paid, until it is reinstated. Its votes stay."""
    (sitting,) = lock([sitting.pk])
    known = newest_review(sitting)
    if known:
        raise ReviewRefused(
            _("This sitting was decided on already: %s.") % known.get_decision_display().lower()
        )
    if sitting.state == SittingState.OPEN:
        raise ReviewRefused(_("This sitting goes on still; decide on it when it has ended."))
    if not sitting.votes or not sitting.reward:
        raise ReviewRefused(_("There is nothing to pay for this sitting, so nothing to reject."))
    review = SittingReview.objects.create(
        sitting=sitting,
        number=1,
        decision=Decision.REJECTED,
        reason=reason,
        words=words,
        created_by=by,
    )
    have_rejected(by=by, review=review)
    return review


def newest_review(sitting: Sitting) -> SittingReview | None:
    """Return what was decided last on a sitting."""
    return SittingReview.objects.filter(sitting=sitting).first()


@transaction.atomic
def reinstate(*, by: User, sitting: Sitting, words: str = "") -> SittingReview:
    """Pay a rejected sitting after all. An open dispute of it is answered instead."""
    (sitting,) = lock([sitting.pk])
    if Dispute.objects.filter(review__sitting=sitting, answered_at=None).exists():
        raise ReviewRefused(_("The person disputes this rejection; decide by answering them."))
    return pay_after_all(by, sitting, words)


def pay_after_all(by: User, sitting: Sitting, words: str) -> SittingReview:
    """Write a reinstatement and its entry down; the sitting is locked."""
    known = newest_review(sitting)
    if known is None or known.decision != Decision.REJECTED:
        raise ReviewRefused(_("This sitting is not rejected, so there is nothing to take back."))
    review = SittingReview.objects.create(
        sitting=sitting, number=2, decision=Decision.REINSTATED, words=words, created_by=by
    )
    drop_rejection(by=by, review=known)
    entry, study = earning(by, sitting.member.study, sitting), sitting.member.study
    entry.save()
    have_paid(by=by, study=study, entries=[entry])
    return review


@transaction.atomic
def dispute(*, by: Member, sitting: Sitting, text: str) -> Dispute:
    """Object to the rejection of one's own sitting, once. Sent twice, it is there once."""
    (sitting,) = lock([sitting.pk])
    known = newest_review(sitting)
    if sitting.member_id != by.pk or known is None or known.decision != Decision.REJECTED:
        raise ReviewRefused(_("This sitting is not rejected, so there is nothing to dispute."))
    with pghistory.context(user=by.user_id, action="dispute a rejection"):
        found, _is_new = Dispute.objects.get_or_create(review=known, defaults={"text": text})
    return found


@transaction.atomic
def answer_dispute(*, by: User, dispute: Dispute, answer: str, is_paid: bool) -> Dispute:
    """Answer a dispute; `is_paid` reinstates the sitting. There is one answer."""
    (sitting,) = lock([dispute.review.sitting_id])
    dispute = Dispute.objects.select_for_update().get(pk=dispute.pk)
    if dispute.answered_at:
        raise ReviewRefused(_("This dispute has its answer already."))
    with pghistory.context(user=by.pk, action="answer a dispute"):
        dispute.answer, dispute.answered_by = answer, by
        dispute.answered_at = database_now()
        dispute.save(update_fields=["answer", "answered_by", "answered_at"])
    if is_paid:
        pay_after_all(by, sitting, answer)
    return dispute
