"""Prescreening: its rules, the tests that candidates take, and the qualification they earn."""

from decimal import Decimal

import pghistory
from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Sitting, Study


class Approval(models.TextChoices):
    """Who lets somebody work who has passed."""

    AUTOMATIC = "automatic", _("Whoever passes may work at once")
    BY_HAND = "by_hand", _("A researcher looks first")


@pghistory.track()
class PrescreeningRules(models.Model):
    """What passing takes in a study. The defaults are the paper's (B.3).

    While it is open, nobody begins to work without the qualification; before it was ever opened,
    and when it is closed, newcomers work without a test.
    """

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="prescreening_rules")
    is_open = models.BooleanField(_("open"), default=False)
    pass_share = models.DecimalField(
        _("share that must agree"),
        max_digits=5,
        decimal_places=4,
        default=Decimal("0.70"),
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(Decimal(1))],
        help_text=_("Of the votes on unambiguous posts: 0.7 is 70%."),
    )
    min_votes = models.PositiveSmallIntegerField(
        _("fewest votes"),
        default=10,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
        help_text=_("On unambiguous posts; with fewer, nobody passes."),
    )
    min_per_label = models.PositiveSmallIntegerField(
        _("fewest votes for each label"),
        default=0,
        validators=[MaxValueValidator(100)],
        help_text=_("Each test has at least this many posts of each label. 0: as chance has it."),
    )
    test_size = models.PositiveSmallIntegerField(
        _("posts in a test"),
        default=20,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
    )
    max_tests = models.PositiveSmallIntegerField(
        _("most tests"),
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
        help_text=_(
            "Who fails this many tests has failed for good. One that had too few unambiguous posts "
            "to be scored does not count."
        ),
    )
    approval = models.CharField(
        _("approval"), max_length=9, choices=Approval, default=Approval.AUTOMATIC
    )

    class Meta:
        verbose_name_plural = "prescreening rules"
        constraints = [
            models.CheckConstraint(
                condition=Q(min_votes__lte=F("test_size")),
                name="prescreening_can_be_passed",
                violation_error_message=_(
                    "A test needs at least as many posts as the votes that passing takes."
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"prescreening of {self.study_id}"


@pghistory.track()
class Qualification(models.Model):
    """What passing a study's prescreening earns; later studies of the same group may accept it."""

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="qualification")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"qualification of {self.study_id}"


@pghistory.track(pghistory.InsertEvent(), pghistory.DeleteEvent())
class AcceptedQualification(models.Model):
    """A study takes the qualification of another study of the same group for its own."""

    rules = models.ForeignKey(PrescreeningRules, on_delete=models.PROTECT, related_name="accepted")
    qualification = models.ForeignKey(
        Qualification, on_delete=models.PROTECT, related_name="accepted_by"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rules", "qualification"], name="accepted_once"),
        ]

    def __str__(self) -> str:
        return f"{self.qualification_id} for {self.rules_id}"


class QualifiedState(models.TextChoices):
    """Whether somebody has a qualification."""

    GRANTED = "granted", _("Qualified")
    WAITING = "waiting", _("Waits for approval")
    REFUSED = "refused", _("Not qualified")
    REVOKED = "revoked", _("Taken back")


@pghistory.track()
class Qualified(models.Model):
    """A person and a qualification: earned, waiting for a researcher, or not earned for good.

    Once it was taken back it is earned anew: tests up to number `tests_before` do not count any
    more. `decided_by` is nobody where the rules decided.
    """

    qualification = models.ForeignKey(
        Qualification, on_delete=models.PROTECT, related_name="people"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="qualifications"
    )
    state = models.CharField(max_length=7, choices=QualifiedState)
    correct = models.PositiveSmallIntegerField(null=True)
    scored = models.PositiveSmallIntegerField(null=True)
    tests_before = models.PositiveSmallIntegerField(default=0)
    reason = models.TextField(blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    decided_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "qualified"
        constraints = [
            models.UniqueConstraint(fields=["qualification", "user"], name="qualified_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.state}"


class PrescreeningOutcome(models.TextChoices):
    """How a test stands."""

    RUNNING = "running", _("At it")
    PASSED = "passed", _("Passed")
    FAILED = "failed", _("Not passed")
    UNDECIDED = "undecided", _("Too few unambiguous posts")


class PrescreeningTest(models.Model):
    """One test of a candidate: a sitting whose posts were drawn for them with `seed`.

    `correct` of `scored` votes on unambiguous posts agreed with gold when the sitting was complete.
    """

    sitting = models.OneToOneField(
        Sitting, on_delete=models.PROTECT, related_name="prescreening_test"
    )
    number = models.PositiveSmallIntegerField()
    seed = models.BigIntegerField()
    only_unambiguous = models.BooleanField(default=False)
    outcome = models.CharField(
        max_length=9, choices=PrescreeningOutcome, default=PrescreeningOutcome.RUNNING
    )
    correct = models.PositiveSmallIntegerField(null=True)
    scored = models.PositiveSmallIntegerField(null=True)
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.CheckConstraint(
                condition=Q(outcome=PrescreeningOutcome.RUNNING) ^ Q(decided_at__isnull=False),
                name="prescreening_test_decided_once",
            ),
        ]

    def __str__(self) -> str:
        return f"test {self.number} in sitting {self.sitting_id}"
