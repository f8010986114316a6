"""Checks: posts with a known answer that stand among a worker's posts and look like any other."""

import pghistory
from django.conf import settings
from django.db import models

from crowd.models.gold import GoldLabel


@pghistory.track()
class Check(models.Model):
    """A post with a known answer that may be drawn as a check; not any more when not `in_use`."""

    gold = models.OneToOneField(GoldLabel, on_delete=models.PROTECT, related_name="check_post")
    in_use = models.BooleanField(default=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"check with post {self.gold_id}"
