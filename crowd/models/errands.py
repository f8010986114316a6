"""Errands: what Prolific is asked to do about a decision or an entry of the ledger.

The ledger says what somebody is owed; an errand says whether the platform has done its part.
"""

import pghistory
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotation.models import Study
from crowd.models.ledger import LedgerEntry
from crowd.models.pay import SittingReview
from crowd.models.recruitment import Arrival


class ErrandKind(models.TextChoices):
    """What is asked for."""

    APPROVE = "approve", _("Approve the submission")
    REJECT = "reject", _("Reject the submission")
    BONUS = "bonus", _("Pay a bonus")


class ErrandState(models.TextChoices):
    """What has become of it. A doubtful payment is never asked for again before somebody looked."""

    WAITING = "waiting", _("Waiting")
    DONE = "done", _("Done")
    FAILED = "failed", _("Not done")
    DOUBTFUL = "doubtful", _("Perhaps done")
    SET_ASIDE = "set_aside", _("Set aside")


@pghistory.track(fields=["state", "reason", "tries"], model_name="ErrandEvent")
class Errand(models.Model):
    """One thing that Prolific is asked for, once for each entry and each rejection.

    `payment_id` is what Prolific calls a bonus that was prepared; `paying_at` is written down
    before the payment is asked for, so whoever finds it knows that money may have moved.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="errands")
    arrival = models.ForeignKey(Arrival, on_delete=models.PROTECT, related_name="errands")
    kind = models.CharField(max_length=7, choices=ErrandKind)
    entry = models.OneToOneField(
        LedgerEntry, on_delete=models.PROTECT, null=True, related_name="errand"
    )
    review = models.OneToOneField(
        SittingReview, on_delete=models.PROTECT, null=True, related_name="errand"
    )
    state = models.CharField(max_length=9, choices=ErrandState, default=ErrandState.WAITING)
    reason = models.TextField(blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(db_default=Now())
    payment_id = models.CharField(max_length=64, blank=True)
    paying_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind=ErrandKind.REJECT, review__isnull=False, entry=None)
                | Q(kind__in=[ErrandKind.APPROVE, ErrandKind.BONUS], review=None)
                & Q(entry__isnull=False),
                name="errand_is_about_one_thing",
            ),
        ]
        indexes = [
            models.Index(
                fields=["study", "due_at"],
                condition=Q(state=ErrandState.WAITING),
                name="errand_waiting",
            ),
            models.Index(fields=["study", "state"], name="errand_by_state"),
        ]

    def __str__(self) -> str:
        return f"errand {self.pk}: {self.kind}, {self.state}"
