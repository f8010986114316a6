"""Who was taken out: the votes stop counting and their places are filled anew, both on record."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.batches import StageCode
from annotation.models.studies import Member


class ExclusionKind(models.TextChoices):
    """Who decided it."""

    DISMISSED = "dismissed", _("Taken out by a researcher")
    WITHDRAWN = "withdrawn", _("Withdrawn by the person")


class Exclusion(models.Model):
    """One person's votes at a stage were taken out; `places` of them were made anew."""

    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="exclusions")
    stage = models.CharField(max_length=12, choices=StageCode)
    kind = models.CharField(max_length=9, choices=ExclusionKind)
    reason = models.TextField(blank=True)
    places = models.PositiveIntegerField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.kind}: {self.member_id} at {self.stage}"
