"""Pay: a study's rules, what was decided on each sitting, and what people say against it."""

from decimal import Decimal

import pghistory
import pgtrigger
from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Sitting, Study

MOST_DAYS = 60


class PayApproval(models.TextChoices):
    """Whether sittings are approved by time alone."""

    AUTOMATIC = "automatic", _("By itself after some days, unless somebody rejects it before")
    BY_HAND = "by_hand", _("By hand only")


@pghistory.track()
class PayRules(models.Model):
    """How a study pays. What a vote earns stands in the protocol, and is fixed by each sitting."""

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="pay_rules")
    hourly_floor = models.DecimalField(
        _("least pay for an hour"),
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0.01"))],
        help_text=_("Whoever earns less for an hour of active work is marked. Left empty: nobody."),
    )
    approval = models.CharField(
        _("approval"), max_length=9, choices=PayApproval, default=PayApproval.AUTOMATIC
    )
    approve_after_days = models.PositiveSmallIntegerField(
        _("days until a sitting is approved by itself"),
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_DAYS)],
    )
    end_after_days = models.PositiveSmallIntegerField(
        _("days without a vote after which a sitting ends"),
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_DAYS)],
        help_text=_("Whoever never comes back is paid for the votes that they gave."),
    )
    screen_out = models.DecimalField(
        _("pay for a screen-out"),
        max_digits=8,
        decimal_places=2,
        default=Decimal("0.18"),
        validators=[MinValueValidator(Decimal(0))],
        help_text=_("For somebody who came and is turned away before the work; once a person."),
    )
    prescreening_is_paid = models.BooleanField(
        _("votes of the prescreening are paid"),
        default=True,
        help_text=_("Like votes of the work. A change holds for tests that begin after it."),
    )

    class Meta:
        verbose_name_plural = "pay rules"

    def __str__(self) -> str:
        return f"pay rules of {self.study_id}"


class Decision(models.TextChoices):
    """What was decided on a sitting."""

    APPROVED = "approved", _("Approved")
    REJECTED = "rejected", _("Rejected")
    REINSTATED = "reinstated", _("Paid after all")


class RejectionReason(models.TextChoices):
    """Why a sitting is not paid, in the terms that platforms ask for."""

    TOO_QUICK = "too_quick", _("Answered too quickly to have read the posts")
    INSTRUCTIONS = "instructions", _("The instructions were not followed")
    CHECKS = "checks", _("Wrong on posts with a known answer")
    LOW_EFFORT = "low_effort", _("The same or random answers throughout")
    UNFINISHED = "unfinished", _("The work was not done")
    OTHER = "other", _("Something else")


class PayState(models.TextChoices):
    """Where a sitting stands on its way to the person's money."""

    NOTHING = "nothing", _("Nothing to pay")
    UNDER_WAY = "under_way", _("Under way")
    WAITING = "waiting", _("Waiting for approval")
    APPROVED = "approved", _("Approved")
    REJECTED = "rejected", _("Rejected")
    PAID = "paid", _("Paid")


class SittingReview(models.Model):
    """One decision on a sitting. The first approves or rejects; after a rejection, a second may
    reinstate. An approval is final: what was promised is paid, and mistakes are corrected by entry.
    """

    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="reviews")
    number = models.PositiveSmallIntegerField()
    decision = models.CharField(max_length=10, choices=Decision)
    reason = models.CharField(max_length=12, choices=RejectionReason, blank=True)
    words = models.TextField(blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["sitting", "number"], name="review_number_once"),
            models.CheckConstraint(
                condition=Q(number=1, decision__in=[Decision.APPROVED, Decision.REJECTED])
                | Q(number=2, decision=Decision.REINSTATED),
                name="review_decisions_follow_each_other",
            ),
            models.CheckConstraint(
                condition=~Q(decision=Decision.REJECTED) | ~(Q(reason="") | Q(words="")),
                name="review_rejection_has_reason",
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="review_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"sitting {self.sitting_id}: {self.decision}"


@pghistory.track()
class Dispute(models.Model):
    """What somebody says against the rejection of their sitting, once; and the answer."""

    review = models.OneToOneField(SittingReview, on_delete=models.PROTECT, related_name="dispute")
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    answer = models.TextField(blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(answer="") ^ Q(answered_at__isnull=False),
                name="dispute_answer_has_time",
            ),
        ]

    def __str__(self) -> str:
        return f"dispute of review {self.review_id}"
