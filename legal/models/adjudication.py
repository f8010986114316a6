"""How a post is settled where the votes do not: remarks, and decisions that never touch a vote."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from annotation.models import Member, Post
from legal.models.catalogues import append_only
from legal.models.rounds import Misinformation


class Decision(models.Model):
    """An adjudicator's last word on a post; another one is a new version, and the newest holds.

    `issues` are codes of the study's catalogue.
    """

    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="decisions")
    version = models.PositiveIntegerField()
    label = models.CharField(max_length=10, choices=Misinformation)
    issues = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    reason = models.TextField()
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="decisions")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["post", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["post", "version"], name="decision_version_once"),
        ]
        triggers = [append_only("decision_is_append_only")]

    def __str__(self) -> str:
        return f"decision {self.version} on post {self.post_id}"


class Remark(models.Model):
    """What somebody said in the discussion of a post."""

    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="remarks")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="remarks")
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        triggers = [append_only("remark_is_append_only")]

    def __str__(self) -> str:
        return f"remark {self.pk} on post {self.post_id}"
