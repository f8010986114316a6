"""Tasks, their places, who holds them, and how far each person has come.

Exact overlap rests on these constraints: a place takes one vote, a person has one place of a task.
docs/task-engine.md explains how the states of a place follow each other.
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

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="tasks", db_index=False)
    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="tasks")
    stage = models.CharField(max_length=12, choices=StageCode)
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


class PlaceQuerySet(models.QuerySet["Place"]):
    """Places, and the one definition of what progress counts."""

    def standing(self) -> "PlaceQuerySet":
        """Keep places whose vote counts or is still wanted: those that were vacated do not."""
        return self.filter(vacated_at=None)

    def filled(self) -> "PlaceQuerySet":
        """Keep places whose vote is given and counts."""
        return self.standing().filter(filled_at__isnull=False)

    def unfilled(self) -> "PlaceQuerySet":
        """Keep places that still want a vote, held by somebody or not."""
        return self.filter(filled_at=None)


class Place(models.Model):
    """Room for one counted vote of a closed task.

    It is untouched (no lease yet), held by a member until `lease_until`, come back (`lease_until`
    is over: it lapsed, or was given back), filled, or vacated: filled, but its vote was taken out
    and another place was made for it.
    """

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="places", db_index=False)
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="places")
    position = models.BigIntegerField()
    number = models.PositiveSmallIntegerField()
    member = models.ForeignKey(
        Member, on_delete=models.PROTECT, null=True, related_name="places", db_index=False
    )
    lease_until = models.DateTimeField(null=True)
    filled_at = models.DateTimeField(null=True)
    vacated_at = models.DateTimeField(null=True)

    objects = PlaceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "number"], name="place_number_once"),
            models.UniqueConstraint(fields=["member", "task"], name="place_person_once"),
            models.CheckConstraint(
                condition=Q(filled_at=None) | Q(member__isnull=False), name="place_filled_by_person"
            ),
            models.CheckConstraint(
                condition=Q(lease_until__isnull=False)
                | Q(filled_at__isnull=False)
                | Q(member=None),
                name="place_held_with_lease",
            ),
            models.CheckConstraint(
                condition=Q(vacated_at=None) | Q(filled_at__isnull=False),
                name="place_vacated_was_filled",
            ),
        ]
        indexes = [
            models.Index(
                fields=["batch", "position", "number"],
                condition=Q(filled_at=None, lease_until=None),
                name="place_untouched_in_order",
            ),
            models.Index(
                fields=["batch", "lease_until", "id"],
                condition=Q(filled_at=None, lease_until__isnull=False),
                name="place_held_or_come_back",
            ),
        ]

    def __str__(self) -> str:
        return f"place {self.number} of task {self.task_id}"


class AssignmentState(models.TextChoices):
    """What became of a task in one person's hands."""

    HELD = "held", _("Held")
    PARKED = "parked", _("Parked")
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
    member = models.ForeignKey(
        Member, on_delete=models.PROTECT, related_name="assignments", db_index=False
    )
    sitting = models.ForeignKey(
        "annotation.Sitting", on_delete=models.PROTECT, null=True, related_name="assignments"
    )
    state = models.CharField(max_length=9, choices=AssignmentState, default=AssignmentState.HELD)
    skip_reason = models.CharField(max_length=9, choices=SkipReason, blank=True)
    opened_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["member", "task"], name="assignment_person_once"),
        ]
        indexes = [
            models.Index(
                fields=["member"],
                condition=Q(state=AssignmentState.HELD),
                name="assignment_held_by",
            ),
        ]

    def __str__(self) -> str:
        return f"assignment {self.pk}"


class Cursor(models.Model):
    """How far a person has come in a batch.

    Every post up to `position` was offered to them once; what came back up to `returned_to` (at
    that moment, up to the place `returned_id`), and what lies untouched up to `looked_to`, was
    looked at and is not for them.
    """

    member = models.ForeignKey(
        Member, on_delete=models.CASCADE, related_name="cursors", db_index=False
    )
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="cursors")
    position = models.BigIntegerField()
    returned_to = models.DateTimeField(null=True)
    returned_id = models.BigIntegerField(default=0)
    looked_to = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["member", "batch"], name="cursor_once"),
        ]

    def __str__(self) -> str:
        return f"cursor of {self.member_id} in {self.batch_id}"
