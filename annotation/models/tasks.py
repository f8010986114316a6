"""Tasks, their places, who holds them, and how far each person has come.

Exact overlap rests on these constraints: a place takes one vote, a person has one place of a task.
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.batches import Batch, Origin, StageCode
from annotation.models.posts import Post
from annotation.models.studies import Member


class TaskKind(models.TextChoices):
    """Whether a task wants a number of votes, or takes one of everybody."""

    CLOSED = "closed", _("Wants n votes")
    OPEN = "open", _("Takes one vote of each person")


class Task(models.Model):
    """One post that wants votes at one stage."""

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="tasks")
    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="tasks")
    stage = models.CharField(max_length=5, choices=StageCode)
    origin = models.CharField(max_length=8, choices=Origin)
    kind = models.CharField(max_length=6, choices=TaskKind, default=TaskKind.CLOSED)
    position = models.BigIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["batch", "post"], name="task_post_once_in_batch"),
            models.UniqueConstraint(
                fields=["post", "stage"],
                condition=Q(kind=TaskKind.CLOSED, origin=Origin.HERE),
                name="task_post_once_at_stage",
            ),
        ]
        indexes = [models.Index(fields=["batch", "position"], name="task_in_order")]

    def __str__(self) -> str:
        return f"task {self.pk}"


class Place(models.Model):
    """Room for one counted vote of a closed task: free, held until `lease_until`, or filled."""

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="places")
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="places")
    position = models.BigIntegerField()
    number = models.PositiveSmallIntegerField()
    member = models.ForeignKey(Member, on_delete=models.PROTECT, null=True, related_name="places")
    lease_until = models.DateTimeField(null=True)
    filled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "number"], name="place_number_once"),
            models.UniqueConstraint(fields=["member", "task"], name="place_person_once"),
            models.CheckConstraint(
                condition=Q(filled_at=None) | Q(member__isnull=False), name="place_filled_by_person"
            ),
            models.CheckConstraint(
                condition=Q(lease_until=None) | Q(member__isnull=False), name="place_held_by_person"
            ),
        ]
        indexes = [
            models.Index(
                fields=["batch", "position", "number"],
                condition=Q(filled_at=None),
                name="place_unfilled_in_order",
            ),
            models.Index(fields=["member"], condition=Q(filled_at=None), name="place_held_by"),
        ]

    def __str__(self) -> str:
        return f"place {self.number} of task {self.task_id}"


class AssignmentState(models.TextChoices):
    """What became of a task in one person's hands."""

    HELD = "held", _("Held")
    SUBMITTED = "submitted", _("Voted")
    SKIPPED = "skipped", _("Skipped")
    LAPSED = "lapsed", _("Lapsed")


class SkipReason(models.TextChoices):
    """Why somebody passes a post on."""

    UNCLEAR_LANGUAGE = "language", _("I do not understand the language")
    NOT_SHOWN = "not_shown", _("The post is not shown properly")
    NOT_SURE = "not_sure", _("I cannot decide")
    HARMFUL = "harmful", _("This is harmful to me")


class Assignment(models.Model):
    """One task in one person's hands; there is never a second of the two."""

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="assignments")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="assignments")
    state = models.CharField(max_length=9, choices=AssignmentState, default=AssignmentState.HELD)
    skip_reason = models.CharField(max_length=9, choices=SkipReason, blank=True)
    opened_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["member", "task"], name="assignment_person_once"),
        ]

    def __str__(self) -> str:
        return f"assignment {self.pk}"


class Cursor(models.Model):
    """How far a person has come in a batch: everything up to here was offered to them once."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="cursors")
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="cursors")
    position = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["member", "batch"], name="cursor_once"),
        ]

    def __str__(self) -> str:
        return f"cursor of {self.member_id} in {self.batch_id}"
