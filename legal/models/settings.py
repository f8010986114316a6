"""A study's own rules for its legal stage."""

import pghistory
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Study


class Wanted(models.TextChoices):
    """What an answer may be asked for beyond question 1 and the ticks."""

    EVIDENCE = "evidence", _("Evidence, unless no claim is made")
    STANCE = "stance", _("How each piece of evidence bears on the claim")
    CLAIM = "claim", _("The claim marked in the text, where the answer is yes")
    TESTS = "tests", _("An answer to each test and defence of a ticked issue")
    REASONING = "reasoning", _("Reasoning for each ticked issue")
    KIND = "kind", _("The kind of misinformation, where the answer is yes")
    CONFIDENCE = "confidence", _("How sure the expert is")
    INSISTENCE = "insistence", _("A reason where the answer differs from what follows from it")


class TieRule(models.TextChoices):
    """What becomes of a post on which no label has most votes."""

    UNCLEAR = "unclear", _("It counts as Unclear, and is marked")
    ADJUDICATE = "adjudicate", _("It waits for an adjudicator, and counts as Unclear until then")


def usual_kinds() -> list[str]:
    """Return the kinds of misinformation that a study starts with."""
    return [
        "Misleading content",
        "False connection",
        "Manipulated content",
        "Fabricated content",
        "False context",
        "Satire or parody",
    ]


def usual_metadata() -> list[str]:
    """Return the names under which files usually have a post's date."""
    return ["date", "created_at", "posted_at", "time", "timestamp"]


@pghistory.track()
class LegalSettings(models.Model):
    """What a study asks of its experts, and how it settles ties."""

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="legal_settings")
    kinds = ArrayField(
        models.CharField(max_length=100),
        verbose_name=_("kinds of misinformation"),
        default=usual_kinds,
        blank=True,
        help_text=_("One on each line. Left empty, experts are not asked for the kind."),
    )
    wanted = ArrayField(
        models.CharField(max_length=10, choices=Wanted),
        verbose_name=_("required of each answer"),
        default=list,
        blank=True,
    )
    shown_metadata = ArrayField(
        models.CharField(max_length=200),
        verbose_name=_("columns shown beside the post"),
        default=usual_metadata,
        blank=True,
    )
    tie_rule = models.CharField(
        _("three different answers"), max_length=10, choices=TieRule, default=TieRule.UNCLEAR
    )
    ceiling_votes = models.PositiveIntegerField(
        _("votes before an expert counts"),
        default=50,
        help_text=_("The human ceiling is the mean of experts with more votes than this."),
    )
    weekly_hours = models.DecimalField(
        _("hours a week"),
        max_digits=4,
        decimal_places=1,
        null=True,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(80)],
        help_text=_("The goal shown to each expert. Left empty, none is shown."),
    )

    parked_posts = models.PositiveSmallIntegerField(
        _("posts parked at a time"),
        default=5,
        validators=[MaxValueValidator(50)],
        help_text=_("How many an expert may put aside. With 0 none can be parked."),
    )
    parking_days = models.PositiveSmallIntegerField(
        _("days that a place is kept"),
        default=7,
        validators=[MinValueValidator(1), MaxValueValidator(60)],
        help_text=_("After them somebody else may get a parked post."),
    )

    class Meta:
        verbose_name_plural = "legal settings"

    def __str__(self) -> str:
        return f"legal settings of {self.study_id}"
