"""What is known to be the right answer to a post."""

import pghistory
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Batch, Post


class GoldSource(models.TextChoices):
    """Where a known answer comes from: two researchers agree, or the post itself tells it."""

    POOL = "pool", _("The pool that researchers labelled")
    ATTENTION = "attention", _("A post that asks for a certain answer")


@pghistory.track()
class GoldLabel(models.Model):
    """The known answer to a post: a code of the study's label set, or `ambiguous`.

    It is made when its pool is closed; votes that are corrected before are no gold yet.
    """

    post = models.OneToOneField(Post, on_delete=models.PROTECT, related_name="gold_label")
    label = models.CharField(max_length=60)
    source = models.CharField(max_length=9, choices=GoldSource, default=GoldSource.POOL)
    batch = models.ForeignKey(
        Batch, on_delete=models.PROTECT, null=True, blank=True, related_name="gold_labels"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(source=GoldSource.POOL) | Q(batch__isnull=False),
                name="gold_label_of_pool_has_batch",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label} for post {self.post_id}"
