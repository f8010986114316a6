"""Rules about the quality of work, as data, and what they saw."""

import pghistory
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Member, Study


class Watched(models.TextChoices):
    """What a rule watches in one person's work."""

    GOLD = "gold", gettext_lazy("Right answers to gold checks")
    ATTENTION = "attention", gettext_lazy("Right answers to attention posts")
    AGREEMENT = "agreement", gettext_lazy("Agreement with the majority of the others")
    SECONDS = "seconds", gettext_lazy("Median seconds a vote")
    SKIPS = "skips", gettext_lazy("Share of posts skipped")


# The rule acts below its threshold; too many skips are the one thing that is bad above it.
BAD_ABOVE = frozenset({Watched.SKIPS})
IS_SHARE = frozenset({Watched.GOLD, Watched.ATTENTION, Watched.AGREEMENT, Watched.SKIPS})
MOST_SECONDS = 3_600


class Action(models.TextChoices):
    """What follows."""

    WARN = "warn", gettext_lazy("Tell the person, kindly")
    PAUSE = "pause", gettext_lazy("Pause the person")
    ASK = "ask", gettext_lazy("Ask a researcher")


# What an action costs the person, from the least.
STRENGTH = (Action.WARN, Action.ASK, Action.PAUSE)


@pghistory.track()
class QualityRule(models.Model):
    """When the last `over` rows of what is watched lie on the wrong side of `threshold`, act."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="quality_rules")
    watched = models.CharField(gettext_lazy("what is watched"), max_length=9, choices=Watched)
    over = models.PositiveIntegerField(
        gettext_lazy("over how many of the last"),
        default=10,
        validators=[MinValueValidator(1), MaxValueValidator(1_000)],
    )
    threshold = models.FloatField(gettext_lazy("threshold"))
    action = models.CharField(gettext_lazy("what follows"), max_length=5, choices=Action)
    is_active = models.BooleanField(gettext_lazy("in force"), default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.watched} over {self.over}: {self.action}"

    def clean(self) -> None:
        """Refuse a threshold that nothing can pass or everything does."""
        most = 1 if self.watched in IS_SHARE else MOST_SECONDS
        if self.threshold is None or not 0 <= self.threshold <= most:
            sentence = _("Give a number from 0 to %d.") % most
            raise ValidationError({"threshold": sentence})

    def is_broken_by(self, value: float) -> bool:
        """Say whether a value lies on the wrong side of the threshold."""
        above = value > self.threshold
        return above if self.watched in BAD_ABOVE else value < self.threshold

    @property
    def threshold_in_words(self) -> str:
        """Return the threshold as people read it."""
        return in_unit(self.watched, self.threshold)


@pghistory.track()
class Flag(models.Model):
    """A rule acted on somebody's work: what it saw in how many rows, and how it was settled.

    Settled by nobody is one that a newer flag of the rule took the place of.
    """

    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="flags")
    rule = models.ForeignKey(QualityRule, on_delete=models.PROTECT, related_name="flags")
    seen = models.FloatField()
    over = models.PositiveIntegerField()
    threshold = models.FloatField()
    action = models.CharField(max_length=5, choices=Action)
    created_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    note = models.TextField(blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["member", "rule"],
                condition=Q(settled_at=None),
                name="flag_open_once",
            ),
        ]

    def __str__(self) -> str:
        return f"flag of rule {self.rule_id} on {self.member_id}"

    @property
    def is_weaker_than_rule(self) -> bool:
        """Say whether the rule asks for more by now than what this flag led to."""
        return STRENGTH.index(Action(self.action)) < STRENGTH.index(Action(self.rule.action))

    @property
    def in_words(self) -> str:
        """Return what was seen, over how many rows, beside the threshold of that time."""
        words = {
            "watched": self.rule.get_watched_display(),
            "seen": in_unit(self.rule.watched, self.seen),
            "over": self.over,
            "threshold": in_unit(self.rule.watched, self.threshold),
        }
        return _("%(watched)s: %(seen)s over the last %(over)s (threshold %(threshold)s)") % words


def in_unit(watched: str, value: float) -> str:
    """Return a value as people read it: a percentage, or seconds."""
    return f"{100 * value:.0f}%" if watched in IS_SHARE else _("%.1f s") % value
