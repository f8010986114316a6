"""Asks Prolific for one errand. Asked twice, it is done once: what Prolific has done is seen first.

No transaction is open here: what is written stays, whatever becomes of the process.
"""

from typing import Any

from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.models import SittingState
from crowd.models import EntryKind, Errand, ErrandKind, RejectionReason
from crowd.services.prolific import Prolific, ProlificAway, ProlificBusy, ProlificRefused

# Our reasons for a rejection, as Prolific names them.
CATEGORIES: dict[str, str] = {
    RejectionReason.TOO_QUICK: "TOO_QUICKLY",
    RejectionReason.INSTRUCTIONS: "FAILED_INSTRUCTIONS",
    RejectionReason.CHECKS: "FAILED_CHECK",
    RejectionReason.LOW_EFFORT: "LOW_EFFORT",
    RejectionReason.UNFINISHED: "NO_DATA",
    RejectionReason.OTHER: "OTHER",
}
# Submissions that are not for approval any more; what the person earned goes out as a bonus.
GIVEN_BACK = ("RETURNED", "TIMED-OUT", "SCREENED OUT")
NOT_HANDED_IN = ("ACTIVE", "RESERVED")


class PaymentDoubtful(Exception):
    """A payment was asked for and no answer came; its text is a sentence for the person."""

    def __init__(self) -> None:
        super().__init__(
            _("Prolific was asked to pay this bonus, and no answer came. Look there first.")
        )


def ask_for(api: Prolific, errand: Errand) -> None:
    """Have Prolific do what an errand says, unless it did so before."""
    if errand.paying_at:
        raise PaymentDoubtful
    found = api.submission(errand.arrival.session_id)
    status = str(found.get("status", ""))
    if errand.kind == ErrandKind.REJECT:
        reject(api, errand, status)
    elif errand.kind == ErrandKind.APPROVE and status not in GIVEN_BACK:
        approve(api, errand, status)
    elif not is_paid_by_screen_out(errand, status):
        pay_bonus(api, errand, str(found.get("study_id", "")))


def reject(api: Prolific, errand: Errand, status: str) -> None:
    """Reject a submission."""
    assert errand.review
    if status == "REJECTED":
        return
    refuse_unfinished(status)
    category = CATEGORIES[errand.review.reason]
    api.reject(errand.arrival.session_id, category=category, reason=errand.review.words)


def approve(api: Prolific, errand: Errand, status: str) -> None:
    """Approve a submission; Prolific pays its price for the whole place then."""
    assert errand.entry
    assert errand.entry.sitting
    if status == "APPROVED":
        return
    refuse_unfinished(status)
    if errand.entry.sitting.state != SittingState.COMPLETE:
        raise ProlificRefused(
            _(
                "The person left the sitting early and yet handed the whole place in. Ask them to "
                "return it on Prolific, then try again: their votes are paid as a bonus."
            )
        )
    api.approve(errand.arrival.session_id)


def refuse_unfinished(status: str) -> None:
    """Wait for a person who has not handed their place in."""
    if status in NOT_HANDED_IN:
        raise ProlificBusy(_("The person has not handed their place in on Prolific yet."))


def is_paid_by_screen_out(errand: Errand, status: str) -> bool:
    """Say whether Prolific pays a screen-out by itself, because of its code."""
    assert errand.entry
    return errand.entry.kind == EntryKind.SCREEN_OUT and status == "SCREENED OUT"


def pay_bonus(api: Prolific, errand: Errand, study_id: str) -> None:
    """Prepare a bonus, write its id down, and pay it: each bonus is prepared and paid once."""
    if not errand.payment_id:
        remember(errand, payment_id=prepare(api, errand, study_id))
    remember(errand, paying_at=Now())
    try:
        api.pay_bonuses(errand.payment_id)
    except ProlificAway:
        raise PaymentDoubtful from None
    except ProlificRefused:
        remember(errand, paying_at=None)
        raise


def prepare(api: Prolific, errand: Errand, study_id: str) -> str:
    """Set a bonus up, in the currency in which Prolific pays the study."""
    assert errand.entry
    assert errand.arrival.recruit
    entry, currency = errand.entry, api.study(study_id).currency
    if currency and currency != entry.currency:
        raise ProlificRefused(
            _("Prolific pays this study in %(theirs)s, the entry is in %(ours)s. Pay it otherwise.")
            % {"theirs": currency, "ours": entry.currency}
        )
    return api.prepare_bonuses(study_id, {errand.arrival.recruit.platform_id: entry.amount})


def remember(errand: Errand, **values: Any) -> None:
    """Write something down about an errand at once."""
    Errand.objects.filter(pk=errand.pk).update(**values)
    for name, value in values.items():
        setattr(errand, name, value)
