"""Studies, their protocol and their members."""

from decimal import Decimal

import pghistory
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


def by_study_and_time(of: str) -> models.Index:
    """Return the index by which a study's activity walks down a history that grows long."""
    return models.Index(fields=["study", "-pgh_created_at", "-pgh_id"], name=f"{of}_history")


class StudyState(models.TextChoices):
    """Whether a study's work goes on."""

    ACTIVE = "active", _("Active")
    PAUSED = "paused", _("Paused")
    ARCHIVED = "archived", _("Archived")


@pghistory.track()
class Study(models.Model):
    """One dataset in the making."""

    slug = models.SlugField(_("short name"), max_length=60, unique=True)
    title = models.CharField(_("title"), max_length=200)
    description = models.TextField(_("description"), blank=True)
    state = models.CharField(
        _("state"), max_length=10, choices=StudyState, default=StudyState.ACTIVE
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["title"]
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.title


class NonAscii(models.TextChoices):
    """What cleaning does with characters outside ASCII."""

    DROP = "drop", _("Drop them (as the paper did)")
    FOLD = "fold", _("Fold them to their nearest ASCII letter")
    KEEP = "keep", _("Keep them")


class Pooling(models.TextChoices):
    """How a text's token vectors become one vector."""

    FIRST = "first", _("First token")
    MEAN = "mean", _("Mean of the tokens")


def english() -> list[str]:
    """Return the languages that the paper kept."""
    return ["en"]


@pghistory.track(meta={"indexes": [by_study_and_time("protocol")]})
class Protocol(models.Model):
    """A study's settings. The defaults are the paper's (sections 3.2, B.1, B.3, B.4)."""

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="protocol")
    sample_size = models.PositiveIntegerField(
        _("posts to collect"),
        default=10_000,
        help_text=_("The goal shown beside what is imported."),
    )
    languages = ArrayField(
        models.CharField(max_length=8),
        verbose_name=_("languages"),
        default=english,
        help_text=_("Codes such as en or it, separated by commas; stated in each release."),
    )
    mask_users = models.BooleanField(
        _("mask user mentions"), default=True, help_text=_("Words that start with @ become <user>.")
    )
    non_ascii = models.CharField(
        _("characters outside ASCII"), max_length=4, choices=NonAscii, default=NonAscii.DROP
    )
    crowd_posts = models.PositiveIntegerField(_("posts to the crowd"), default=1_500)
    batch_size = models.PositiveIntegerField(
        _("posts in a batch"), default=500, validators=[MinValueValidator(1)]
    )
    crowd_votes = models.PositiveSmallIntegerField(
        _("crowd votes a post"),
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
    )
    reward = models.DecimalField(
        _("pay for a vote"),
        max_digits=8,
        decimal_places=2,
        default=Decimal("0.18"),
        validators=[MinValueValidator(Decimal(0))],
    )
    currency = models.CharField(_("currency"), max_length=3, default="USD")
    contact = models.CharField(
        _("contact"), max_length=200, blank=True, help_text=_("Whom annotators may write to.")
    )
    ethics_number = models.CharField(_("ethics approval"), max_length=100, blank=True)
    content_warning = models.TextField(
        _("content warning"),
        max_length=2_000,
        blank=True,
        help_text=_(
            "Annotators read it before their first post. Left empty, they read a general one."
        ),
    )
    sitting_size = models.PositiveIntegerField(
        _("posts in a sitting"),
        default=20,
        validators=[MinValueValidator(1), MaxValueValidator(10_000)],
        help_text=_("What one visit of a crowd worker asks for."),
    )
    person_limit = models.PositiveIntegerField(
        _("most crowd votes of one person"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Left empty, there is no limit."),
    )
    daily_cap = models.PositiveIntegerField(
        _("most crowd votes of one person in a day"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Spares people long hours with upsetting posts. Left empty, there is no cap."),
    )
    tie_votes = models.PositiveSmallIntegerField(
        _("further votes while there is no majority"),
        default=0,
        validators=[MaxValueValidator(20)],
        help_text=_("The paper's authors bought up to two where three workers disagreed."),
    )
    encoder = models.CharField(_("encoder"), max_length=200, default="FacebookAI/roberta-large")
    encoder_revision = models.CharField(_("encoder's revision"), max_length=64, blank=True)
    pooling = models.CharField(_("pooling"), max_length=5, choices=Pooling, default=Pooling.FIRST)
    filter_k = models.PositiveIntegerField(
        _("filter's k"),
        default=1_000,
        validators=[MinValueValidator(1)],
        help_text=_("A trial stops before fewer than k posts would be left."),
    )
    filter_trials = models.PositiveSmallIntegerField(
        _("filter's trials"),
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
    )
    expert_votes = models.PositiveSmallIntegerField(
        _("expert votes a post"),
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
    )
    lease_minutes = models.PositiveSmallIntegerField(
        _("minutes a post is held"),
        default=20,
        validators=[MinValueValidator(1), MaxValueValidator(1440)],
        help_text=_("After this long without activity, somebody else may get the post."),
    )

    def __str__(self) -> str:
        return f"protocol of {self.study_id}"


class Role(models.TextChoices):
    """What a member is in a study."""

    OWNER = "owner", _("Owner")
    RESEARCHER = "researcher", _("Researcher")
    EXPERT = "expert", _("Expert")
    CROWD_WORKER = "crowd_worker", _("Crowd worker")


@pghistory.track(meta={"indexes": [by_study_and_time("member")]})
class Member(models.Model):
    """Somebody in a study. Whoever votes is a member: by account, or named by an imported round."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="memberships",
    )
    imported_name = models.CharField(max_length=200, blank=True)
    role = models.CharField(_("role"), max_length=12, choices=Role)
    permissions = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    pseudonym = models.CharField(max_length=20)
    is_active = models.BooleanField(_("takes part"), default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "user"], name="member_person_once"),
            models.UniqueConstraint(
                fields=["study", "role", "imported_name"],
                condition=models.Q(user=None),
                name="member_imported_name_once",
            ),
            models.UniqueConstraint(fields=["study", "pseudonym"], name="member_pseudonym_once"),
            models.CheckConstraint(
                condition=models.Q(user=None) ^ models.Q(imported_name=""),
                name="member_is_account_or_imported",
            ),
        ]

    def __str__(self) -> str:
        return self.pseudonym
