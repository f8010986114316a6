"""What people agree to before they take part, and what a study asks about them."""

import pghistory
import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Member, Study


class ConsentText(models.Model):
    """One version of what people agree to; the database refuses to change or delete one."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="consent_texts")
    version = models.PositiveIntegerField()
    markdown = models.TextField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(fields=["study", "version"], name="consent_version_once"),
        ]
        triggers = [
            pgtrigger.Protect(
                name="consent_text_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"version {self.version}"


@pghistory.track()
class Consent(models.Model):
    """Somebody agreed to a version, and maybe withdrew later."""

    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="consents")
    text = models.ForeignKey(ConsentText, on_delete=models.PROTECT, related_name="consents")
    given_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["member", "text"], name="consent_once"),
        ]

    def __str__(self) -> str:
        return f"{self.member_id} agreed to {self.text_id}"


class QuestionKind(models.TextChoices):
    """How a question is answered."""

    CHOICE = "choice", _("One of several choices")
    NUMBER = "number", _("A number")
    TEXT = "text", _("Free text")


@pghistory.track()
class BackgroundQuestion(models.Model):
    """Something a study asks about its annotators. Nobody has to answer: each can be declined.

    Who gives one of the answers in `turns_away` is not among the people that the study looks for.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="background_questions")
    order = models.PositiveIntegerField()
    question = models.CharField(max_length=300)
    kind = models.CharField(max_length=6, choices=QuestionKind)
    choices = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    turns_away = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    required = models.BooleanField(default=True)
    retired_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(fields=["study", "order"], name="question_order_once"),
        ]

    def __str__(self) -> str:
        return self.question


class BackgroundAnswer(models.Model):
    """What somebody said to a question; nothing when they declined."""

    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="background")
    question = models.ForeignKey(
        BackgroundQuestion, on_delete=models.PROTECT, related_name="answers"
    )
    answer = models.CharField(max_length=1000, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["member", "question"], name="background_answer_once"),
        ]

    def __str__(self) -> str:
        return f"{self.member_id} on {self.question_id}"
