"""Votes and tallies. Votes are append-only: the database refuses to change or delete one."""

from typing import Any

import pgtrigger
from django.db import models
from django.db.models import Exists, OuterRef
from django.db.models.expressions import NegatedExpression

from annotation.models.batches import Batch
from annotation.models.posts import Post
from annotation.models.studies import Member
from annotation.models.tasks import Place, Task

# What `counting()` keeps, for queries in SQL: a condition on `vote`. Only a correction, which has a
# version above 1, can be newer; said, it spares comparing each of a million votes with all others.
COUNTING = """
    vote.counted AND NOT EXISTS (
        SELECT FROM annotation_vote AS newer
        WHERE newer.task_id = vote.task_id AND newer.member_id = vote.member_id
          AND newer.version > vote.version AND newer.version > 1)
    AND (vote.place_id IS NULL OR NOT EXISTS (
        SELECT FROM annotation_place AS vacated
        WHERE vacated.id = vote.place_id AND vacated.vacated_at IS NOT NULL))
"""


class VoteQuerySet(models.QuerySet["Vote"]):
    """Votes, and which of them stand."""

    def current(self) -> "VoteQuerySet":
        """Keep the newest version of each person's vote on a task."""
        return self.filter(is_newest())

    def counting(self) -> "VoteQuerySet":
        """Keep current votes that fill a place: a late answer beyond the overlap does not, and a
        vote that was taken out vacated its place.
        """
        return self.current().filter(counted=True, place__vacated_at=None)


def is_newest() -> "NegatedExpression[Any]":
    """Return the condition that a vote is the newest version of its person's on its task."""
    corrections = Vote.objects.filter(version__gt=1)  # see COUNTING
    return ~Exists(
        corrections.filter(
            task=OuterRef("task"), member=OuterRef("member"), version__gt=OuterRef("version")
        )
    )


class Vote(models.Model):
    """One version of one person's answer to one task.

    `label` is a code of the batch's label set; `seconds` are active seconds; `guide_version` is the
    version of the instructions (crowd) or of the catalogue (legal) that was in force.
    """

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="votes", db_index=False)
    member = models.ForeignKey(
        Member, on_delete=models.PROTECT, related_name="votes", db_index=False
    )
    place = models.ForeignKey(
        Place, on_delete=models.PROTECT, null=True, related_name="votes", db_index=False
    )
    version = models.PositiveIntegerField(default=1)
    label = models.CharField(max_length=60)
    counted = models.BooleanField(default=True)
    seconds = models.FloatField(null=True)
    guide_version = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField()

    objects = VoteQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "member", "version"], name="vote_version_once"),
            models.UniqueConstraint(fields=["place", "version"], name="vote_fills_place_once"),
        ]
        indexes = [models.Index(fields=["member", "-created_at"], name="vote_by_person")]
        triggers = [
            pgtrigger.Protect(
                name="vote_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"vote {self.pk}"


class Tally(models.Model):
    """How many votes for a label an imported round reports for a post, without saying whose."""

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="tallies")
    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="tallies")
    label = models.CharField(max_length=60)
    count = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [
            models.UniqueConstraint(fields=["batch", "post", "label"], name="tally_once"),
        ]

    def __str__(self) -> str:
        return f"{self.label}: {self.count}"
