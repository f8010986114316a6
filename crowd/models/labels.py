"""Label sets: what a vote of the crowd may say, and which set a round used."""

import pghistory
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from annotation.models import Batch, Origin, Study

MOST_CHECKS = 0.5


@pghistory.track()
class LabelSet(models.Model):
    """The labels of a study's own rounds, or those that an imported round brought with it.

    Own sets have versions: one that an opened batch used stays as it is, a change makes the next.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="label_sets")
    name = models.CharField(max_length=255)
    origin = models.CharField(max_length=8, choices=Origin, default=Origin.HERE)
    version = models.PositiveIntegerField(default=1)
    question = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "version"],
                condition=models.Q(origin=Origin.HERE),
                name="label_set_own_version_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name


@pghistory.track()
class Label(models.Model):
    """One label. `order` is its place in the vectors, `key` the digit or letter that chooses it."""

    label_set = models.ForeignKey(LabelSet, on_delete=models.PROTECT, related_name="labels")
    code = models.CharField(max_length=60)
    name = models.CharField(max_length=100)
    description = models.CharField(max_length=300, blank=True)
    key = models.CharField(max_length=1, blank=True)
    order = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(fields=["label_set", "code"], name="label_code_once"),
            models.UniqueConstraint(fields=["label_set", "order"], name="label_order_once"),
            models.UniqueConstraint(
                fields=["label_set", "key"],
                condition=~models.Q(key=""),
                name="label_key_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name


@pghistory.track()
class CrowdRound(models.Model):
    """Which label set a batch of the crowd or of the gold pool uses.

    `check_share` is the share of checks among the posts that workers get while it is handed out.
    """

    batch = models.OneToOneField(Batch, on_delete=models.PROTECT, related_name="crowd_round")
    label_set = models.ForeignKey(LabelSet, on_delete=models.PROTECT, related_name="rounds")
    check_share = models.FloatField(
        default=0.0, validators=[MinValueValidator(0.0), MaxValueValidator(MOST_CHECKS)]
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(check_share__gte=0.0, check_share__lte=MOST_CHECKS),
                name="round_check_share_is_share",
            ),
        ]

    def __str__(self) -> str:
        return f"round of batch {self.batch_id}"
