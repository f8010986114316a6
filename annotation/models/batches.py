"""Batches: posts that are voted on together."""

import pghistory
import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.studies import Study


class StageCode(models.TextChoices):
    """What people vote for: the two stages, and what surrounds the first one.

    Gold is labelled by researchers, prescreening by candidates, and checks are posts with a known
    answer among a worker's posts; none of the three counts among the crowd's votes.
    """

    CROWD = "crowd", _("Crowd")
    GOLD = "gold", _("Gold")
    PRESCREENING = "prescreening", _("Prescreening")
    CHECK = "check", _("Check")
    LEGAL = "legal", _("Legal")


# Checks stand among the crowd's posts, so whoever works there has tasks of both.
WORKED_AT: dict[str, tuple[str, ...]] = {StageCode.CROWD: (StageCode.CROWD, StageCode.CHECK)}


def worked_at(stage: str) -> tuple[str, ...]:
    """Return the stages of the tasks that somebody has who works at a stage."""
    return WORKED_AT.get(stage, (stage,))


class BatchState(models.TextChoices):
    """Whether a batch's tasks are handed out."""

    DRAFT = "draft", _("Draft")
    OPEN = "open", _("Open")
    PAUSED = "paused", _("Paused")
    CLOSED = "closed", _("Closed")


class Origin(models.TextChoices):
    """Where the votes are made."""

    HERE = "here", _("Voted on here")
    IMPORTED = "imported", _("Imported")


@pghistory.track(
    fields=["study", "stage", "number", "origin", "state", "follows"], model_name="BatchEvent"
)
class Batch(models.Model):
    """A set of posts at one stage with one label set. An imported round is a batch, too.

    The checks among a crowd batch's posts stand in a batch of their own that `follows` it: it is
    open, paused and closed together with it. `finished_at`: it had all its votes, or was closed.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="batches")
    stage = models.CharField(max_length=12, choices=StageCode)
    number = models.PositiveIntegerField()
    origin = models.CharField(max_length=8, choices=Origin, default=Origin.HERE)
    state = models.CharField(_("state"), max_length=6, choices=BatchState, default=BatchState.DRAFT)
    labels = ArrayField(models.CharField(max_length=60))
    votes_wanted = models.PositiveSmallIntegerField(null=True)
    seed = models.BigIntegerField(null=True)
    source = models.CharField(max_length=200, blank=True)
    follows = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="follower"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "batches"
        constraints = [
            models.UniqueConstraint(fields=["study", "stage", "number"], name="batch_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.number}"


class DiscardedBatch(models.Model):
    """A draft that was thrown away before anybody voted; its number is not given again."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="discarded_batches")
    stage = models.CharField(max_length=12, choices=StageCode)
    number = models.PositiveIntegerField()
    posts = models.PositiveIntegerField()
    seed = models.BigIntegerField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "discarded batches"
        constraints = [
            models.UniqueConstraint(
                fields=["study", "stage", "number"], name="discarded_number_once"
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="discarded_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"discarded {self.stage} {self.number}"
