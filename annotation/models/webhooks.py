"""Addresses that a study tells when something has happened, and each telling."""

import uuid

import pghistory
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotation.models.studies import Study

LONGEST_ADDRESS = 2_000


class WebhookEvent(models.TextChoices):
    """What a webhook can be told."""

    BATCH_FINISHED = "batch.finished", _("A batch has all its votes, or was closed")
    JOB_FAILED = "job.failed", _("A job failed")
    RELEASE_MADE = "release.made", _("A release was made")


TEST = "test"


class WebhookState(models.TextChoices):
    """Whether anything is sent."""

    ACTIVE = "active", _("Active")
    PAUSED = "paused", _("Paused")
    STOPPED = "stopped", _("Paused by itself")
    REMOVED = "removed", _("Removed")


@pghistory.track(
    exclude=["salt", "failing_since"],
    model_name="WebhookHistoryEvent",
    obj_field=pghistory.ObjForeignKey(related_name="changes"),
)
class Webhook(models.Model):
    """Where a study's events go. The secret follows from the site's key and `salt`: it is nowhere.

    `failing_since` is the first of the attempts in a row that failed.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="webhooks")
    address = models.CharField(_("address"), max_length=LONGEST_ADDRESS)
    events = ArrayField(
        models.CharField(max_length=20, choices=WebhookEvent), verbose_name=_("events")
    )
    state = models.CharField(
        _("state"), max_length=7, choices=WebhookState, default=WebhookState.ACTIVE
    )
    salt = models.CharField(max_length=64)
    secret_made_at = models.DateTimeField(_("secret made"))
    failing_since = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.address


class DeliveryState(models.TextChoices):
    """What became of a telling."""

    WAITING = "waiting", _("Waiting")
    DELIVERED = "delivered", _("Delivered")
    GIVEN_UP = "given_up", _("Given up")


class WebhookDelivery(models.Model):
    """One event on its way to one webhook: the same id and body at every attempt.

    `status` and `answer` (its first bytes) are what came back last, `reason` why that will not do.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="deliveries")
    message_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    event = models.CharField(max_length=20)
    body = models.TextField()
    state = models.CharField(max_length=9, choices=DeliveryState, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, db_default=Now())
    last_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True)
    reason = models.TextField(blank=True)
    answer = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "webhook deliveries"
        constraints = [
            models.CheckConstraint(
                condition=Q(state=DeliveryState.WAITING) ^ Q(next_at=None),
                name="delivery_waits_until",
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_at"],
                condition=Q(state=DeliveryState.WAITING),
                name="delivery_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"msg_{self.message_id.hex}"
