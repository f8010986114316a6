"""How people stand at a stage: whether they may work, and how much they did."""

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.batches import StageCode
from annotation.models.studies import Member


class StandingState(models.TextChoices):
    """Whether somebody gets tasks."""

    ACTIVE = "active", _("May work")
    WAITING = "waiting", _("Waits for approval")
    PAUSED = "paused", _("Paused")
    DISMISSED = "dismissed", _("Dismissed")
    WITHDRAWN = "withdrawn", _("Withdrew")


# Whose work is over: nothing more is asked of them, and nothing can be changed by them.
WORK_ENDED = (StandingState.DISMISSED, StandingState.WITHDRAWN)


class Standing(models.Model):
    """One person at one stage. It changes with every vote; a person's requests queue up behind it.

    `votes` are first votes since the beginning, `votes_on_day` those of `day` (in UTC).
    """

    member = models.ForeignKey(
        Member, on_delete=models.PROTECT, related_name="standings", db_index=False
    )
    stage = models.CharField(max_length=12, choices=StageCode)
    state = models.CharField(max_length=9, choices=StandingState, default=StandingState.ACTIVE)
    votes = models.PositiveBigIntegerField(default=0)
    day = models.DateField(null=True)
    votes_on_day = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["member", "stage"], name="standing_once"),
        ]

    def __str__(self) -> str:
        return f"{self.member_id} at {self.stage}: {self.state}"


class StandingChange(models.Model):
    """Why somebody's standing changed: written with each change, never altered."""

    standing = models.ForeignKey(Standing, on_delete=models.PROTECT, related_name="changes")
    state = models.CharField(max_length=9, choices=StandingState)
    reason = models.TextField(blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        triggers = [
            pgtrigger.Protect(
                name="standing_change_is_append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
            )
        ]

    def __str__(self) -> str:
        return f"{self.standing_id} became {self.state}"
