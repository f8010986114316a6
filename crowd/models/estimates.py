"""What Dawid and Skene's method makes of the crowd's votes: written once, never changed."""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models

from annotation.models import Job, Member, Post, Study


def append_only(name: str) -> pgtrigger.Protect:
    """Return the trigger that keeps rows as they were written."""
    return pgtrigger.Protect(name=name, operation=pgtrigger.Update | pgtrigger.Delete)


class Estimate(models.Model):
    """One run over all votes of the study's rounds; `labels` is the order of all its vectors."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="estimates")
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="estimate")
    labels = ArrayField(models.CharField(max_length=60))
    shares = ArrayField(models.FloatField())
    posts = models.PositiveIntegerField()
    people = models.PositiveIntegerField()
    votes = models.PositiveBigIntegerField()
    rounds = models.PositiveIntegerField()
    converged = models.BooleanField()
    log_likelihood = models.FloatField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        triggers = [append_only("estimate_is_append_only")]

    def __str__(self) -> str:
        return f"estimate {self.pk}"


class Reliability(models.Model):
    """How reliable somebody is by an estimate.

    `skill` is the chance that an answer is right; a row of `error_rates` is what the person says
    where that label is right, null where they met no such post.
    """

    estimate = models.ForeignKey(Estimate, on_delete=models.PROTECT, related_name="reliabilities")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="reliabilities")
    votes = models.PositiveIntegerField()
    skill = models.FloatField()
    error_rates = models.JSONField()

    class Meta:
        verbose_name_plural = "reliabilities"
        constraints = [
            models.UniqueConstraint(fields=["estimate", "member"], name="reliability_once"),
        ]
        triggers = [append_only("reliability_is_append_only")]

    def __str__(self) -> str:
        return f"skill of {self.member_id}: {self.skill:.2f}"


class LikelyLabel(models.Model):
    """The chances of each label being right for a post, by an estimate."""

    estimate = models.ForeignKey(Estimate, on_delete=models.PROTECT, related_name="likely_labels")
    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="likely_labels")
    chances = ArrayField(models.FloatField())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["estimate", "post"], name="likely_label_once"),
        ]
        triggers = [append_only("likely_label_is_append_only")]

    def __str__(self) -> str:
        return f"likely label of {self.post_id}"
