"""Instructions to the crowd: each change is a new version, and it is known who has read which."""

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from annotation.models import Member, Study


class Instructions(models.Model):
    """One version of what annotators read; the database refuses to change or delete one.

    `introduction` stands before the first post, `markdown` is the guideline beside each post.
    `shown_metadata` names the columns of the imported file that stand beside a post; none by
    default, because a column may tell what others said.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="crowd_instructions")
    version = models.PositiveIntegerField()
    introduction = models.TextField(blank=True)
    markdown = models.TextField()
    shown_metadata = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-version"]
        verbose_name_plural = "instructions"
        constraints = [
            models.UniqueConstraint(fields=["study", "version"], name="instructions_version_once"),
        ]
        triggers = [
            pgtrigger.Protect(
                name="instructions_are_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"version {self.version}"


class Acknowledgement(models.Model):
    """Somebody has read a version of the instructions and wants to start."""

    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="acknowledgements")
    instructions = models.ForeignKey(
        Instructions, on_delete=models.PROTECT, related_name="acknowledgements"
    )
    read_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["member", "instructions"], name="acknowledgement_once"),
        ]

    def __str__(self) -> str:
        return f"{self.member_id} read {self.instructions_id}"
