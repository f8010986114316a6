"""Sittings: the n posts that one visit asks for, with their reward and completion code."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.batches import StageCode
from annotation.models.studies import Member
from annotation.models.tasks import Task

MOST_POSTS = 10_000


class SittingState(models.TextChoices):
    """Whether a sitting goes on. One that ended early keeps the votes that were given in it."""

    OPEN = "open", _("Open")
    COMPLETE = "complete", _("Complete")
    LEFT = "left", _("Left early")


class Sitting(models.Model):
    """What one visit asks for; `votes` are given, `size` are wanted, `reward` is paid for each.

    `active_seconds` are those of its votes, where corrected those of the newest version.
    """

    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="sittings")
    stage = models.CharField(max_length=12, choices=StageCode)
    state = models.CharField(max_length=8, choices=SittingState, default=SittingState.OPEN)
    size = models.PositiveIntegerField(
        validators=[MinValueValidator(1), MaxValueValidator(MOST_POSTS)]
    )
    votes = models.PositiveIntegerField(default=0)
    active_seconds = models.FloatField(default=0)
    reward = models.DecimalField(max_digits=8, decimal_places=2)
    currency = models.CharField(max_length=3)
    completion_code = models.CharField(max_length=40)
    opened_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["member", "stage"],
                condition=Q(state=SittingState.OPEN),
                name="sitting_open_once",
            ),
            models.CheckConstraint(
                condition=Q(votes__lte=models.F("size")), name="sitting_not_overfull"
            ),
            models.CheckConstraint(
                condition=Q(state=SittingState.OPEN) ^ Q(ended_at__isnull=False),
                name="sitting_has_end",
            ),
        ]

    def __str__(self) -> str:
        return f"sitting {self.pk}"


class SittingSlot(models.Model):
    """A task that a sitting shows as its n-th post; what has no slot comes from the batches."""

    sitting = models.ForeignKey(
        Sitting, on_delete=models.PROTECT, related_name="slots", db_index=False
    )
    number = models.PositiveIntegerField()
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="slots")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["sitting", "number"], name="slot_number_once"),
            models.UniqueConstraint(fields=["sitting", "task"], name="slot_task_once"),
        ]

    def __str__(self) -> str:
        return f"slot {self.number} of sitting {self.sitting_id}"
