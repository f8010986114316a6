"""What a vote of the legal stage may say, which catalogue a batch uses, and who has read which."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Batch, Member
from legal.models.catalogues import Catalogue


class Misinformation(models.TextChoices):
    """Whether a claim of the post, or the post as a whole, qualifies as misinformation."""

    NO = "no", _("No")
    UNCLEAR = "unclear", _("Unclear")
    YES = "yes", _("Yes")


LABELS: tuple[str, ...] = tuple(Misinformation.values)
Y: dict[str, int] = {Misinformation.NO: 0, Misinformation.UNCLEAR: 1, Misinformation.YES: 2}
"""The method's y: 0 = Non-MisLC, 1 = Unclear, 2 = MisLC."""


class LegalRound(models.Model):
    """Ties a batch of the legal stage to the catalogue that its answers refer to."""

    batch = models.OneToOneField(Batch, on_delete=models.PROTECT, related_name="legal_round")
    catalogue = models.ForeignKey(Catalogue, on_delete=models.PROTECT, related_name="rounds")

    def __str__(self) -> str:
        return f"round of batch {self.batch_id}"


class GuideRead(models.Model):
    """An expert has read a version of the guide and wants to start."""

    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="guides_read")
    catalogue = models.ForeignKey(Catalogue, on_delete=models.PROTECT, related_name="readers")
    read_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "guides read"
        constraints = [
            models.UniqueConstraint(fields=["member", "catalogue"], name="guide_read_once"),
        ]

    def __str__(self) -> str:
        return f"{self.member_id} read {self.catalogue_id}"
