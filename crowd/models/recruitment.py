"""The ways into a study: a link for everybody, panels, Prolific and Mechanical Turk.

Platform ids are personal data. They stand in one column here and nowhere else; only owners see
them, where people are paid.
"""

import secrets

import pghistory
from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Sitting, Study

LONGEST_ID = 100
TOKEN_BYTES = 18
SECRET_BYTES = 32
CODE_BYTES = 8


class RecruitmentKind(models.TextChoices):
    """Who sends the people, and what they carry with them."""

    LINK = "link", _("Link for everybody who has it")
    PANEL = "panel", _("Panel: an id in the link, a code at the end")
    PROLIFIC = "prolific", _("Prolific")
    MTURK = "mturk", _("Mechanical Turk")


class RecruitmentState(models.TextChoices):
    """Whether people are let in."""

    OPEN = "open", _("Open")
    PAUSED = "paused", _("Paused")
    CLOSED = "closed", _("Closed")


def new_token() -> str:
    """Return what makes an entry address unguessable."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_secret() -> str:
    """Return the secret with which a panel signs its links."""
    return secrets.token_urlsafe(SECRET_BYTES)


def new_code() -> str:
    """Return a code that nobody guesses."""
    return secrets.token_hex(CODE_BYTES).upper()


@pghistory.track(exclude=["token", "signing_secret", "completion_code", "screen_out_code"])
class Recruitment(models.Model):
    """One way into a study.

    `platform` names whose ids come along: people of one platform are the same people everywhere
    in a study.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="recruitments")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=8, choices=RecruitmentKind)
    platform = models.CharField(max_length=40, blank=True)
    state = models.CharField(
        max_length=6, choices=RecruitmentState, default=RecruitmentState.PAUSED
    )
    token = models.CharField(max_length=40, unique=True, default=new_token)
    places = models.PositiveIntegerField(null=True, validators=[MinValueValidator(1)])
    sitting_size = models.PositiveIntegerField(
        null=True, validators=[MinValueValidator(1), MaxValueValidator(10_000)]
    )
    completion_code = models.CharField(max_length=40, default=new_code)
    screen_out_code = models.CharField(max_length=40, default=new_code)
    id_parameter = models.CharField(max_length=40, default="id")
    signature_parameter = models.CharField(max_length=40, blank=True)
    signing_secret = models.CharField(max_length=60, default=new_secret)
    external_study_id = models.CharField(max_length=64, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="recruitment_number_once"),
            models.UniqueConstraint(
                fields=["kind", "external_study_id"],
                condition=~Q(external_study_id=""),
                name="recruitment_external_study_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Recruit(models.Model):
    """Who a platform's id stands for in a study; a `platform_id` is stored nowhere else."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="recruits")
    platform = models.CharField(max_length=40)
    platform_id = models.CharField(max_length=LONGEST_ID)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="recruits"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "platform", "platform_id"], name="recruit_is_one_person"
            ),
        ]

    def __str__(self) -> str:
        return f"recruit {self.pk}"


class Arrival(models.Model):
    """One coming of a recruit: the platform's session, and the sitting that was done for it.

    `start_hash` is of a start that may be used once, where the work opens in a tab of its own.
    """

    recruitment = models.ForeignKey(Recruitment, on_delete=models.PROTECT, related_name="arrivals")
    recruit = models.ForeignKey(Recruit, on_delete=models.PROTECT, null=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="arrivals"
    )
    session_id = models.CharField(max_length=LONGEST_ID, blank=True)
    sitting = models.OneToOneField(
        Sitting, on_delete=models.PROTECT, null=True, related_name="arrival"
    )
    start_hash = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["recruitment", "session_id"],
                condition=~Q(session_id=""),
                name="arrival_session_once",
            ),
            models.UniqueConstraint(
                fields=["recruitment", "user"],
                condition=Q(session_id=""),
                name="arrival_without_session_once",
            ),
            models.UniqueConstraint(
                fields=["start_hash"], condition=~Q(start_hash=""), name="arrival_start_once"
            ),
        ]

    def __str__(self) -> str:
        return f"arrival {self.pk}"


class ReturnCode(models.Model):
    """The hash of the code with which somebody without e-mail comes back."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="return_code"
    )
    code_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"return code of {self.user_id}"
