"""Long work: one record each. The record is the truth; a message in the queue is only a nudge."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.studies import Study


class JobState(models.TextChoices):
    """How a job stands."""

    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    IN_PARTS = "in_parts", _("Running in parts")
    SUCCEEDED = "succeeded", _("Done")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


UNDER_WAY = (JobState.QUEUED, JobState.RUNNING, JobState.IN_PARTS)


class Job(models.Model):
    """A piece of long work of a study. `parameters` and `result` hold ids and plain settings.

    A job may have parts, which as many workers do as there are; it goes on when all are done.
    `moved_at` is when its progress last moved, `pace` how many steps a second it made during the
    last while (None: not known yet).
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="jobs")
    parent = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="parts"
    )
    kind = models.CharField(max_length=40)
    parameters = models.JSONField(default=dict)
    state = models.CharField(max_length=9, choices=JobState, default=JobState.QUEUED)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    pace = models.FloatField(null=True)
    moved_at = models.DateTimeField(null=True)
    message = models.CharField(max_length=200, blank=True)
    reason = models.TextField(blank=True)
    result = models.JSONField(default=dict)
    attempts = models.PositiveSmallIntegerField(default=0)
    cancel_requested_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["sent_at"],
                condition=models.Q(state__in=["queued", "running", "in_parts"]),
                name="job_unfinished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def has_ended(self) -> bool:
        """Say whether nothing more will happen by itself."""
        return self.state not in UNDER_WAY


class JobWorker(models.Model):
    """A Celery worker that showed signs of life at `seen_at`."""

    name = models.CharField(max_length=200, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
