"""Practice: posts with a model answer that experts work through before their first real post.

They are no tasks and what is said on them is no vote, so that nothing of it can enter a count.
"""

import pghistory
from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Member, Post, Study
from legal.algorithms import ExpertAnswer, answer_from
from legal.models.catalogues import Catalogue, append_only


@pghistory.track()
class PracticePost(models.Model):
    """A text with its model answer: one of the study's posts, or written for practice.

    `catalogue` is the version that the model answer refers to. Experts get what is `in_use`.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="practice_posts")
    post = models.ForeignKey(
        Post, on_delete=models.PROTECT, null=True, related_name="practice_posts"
    )
    text = models.TextField()
    catalogue = models.ForeignKey(Catalogue, on_delete=models.PROTECT, related_name="practice")
    model_answer = models.JSONField(null=True)
    explanation = models.TextField(blank=True)
    in_use = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "post"], name="practice_post_once"),
            models.CheckConstraint(
                condition=Q(in_use=False) | Q(model_answer__isnull=False),
                name="practice_in_use_has_answer",
            ),
        ]

    def __str__(self) -> str:
        return f"practice post {self.pk}"

    @property
    def model(self) -> ExpertAnswer:
        """Return the model answer; an empty one where none is written yet."""
        return answer_from(self.model_answer) if self.model_answer else ExpertAnswer("")


class PracticeResult(models.Model):
    """What an expert said on a practice post, beside the model answer as it was shown to them."""

    practice = models.ForeignKey(PracticePost, on_delete=models.PROTECT, related_name="results")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="practice_results")
    answer = models.JSONField()
    model_answer = models.JSONField()
    explanation = models.TextField(blank=True)
    seconds = models.FloatField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["practice", "member"], name="practice_answered_once"),
        ]
        triggers = [append_only("practice_result_is_append_only")]

    def __str__(self) -> str:
        return f"practice {self.practice_id} by {self.member_id}"

    @property
    def said(self) -> ExpertAnswer:
        """Return what the expert said."""
        return answer_from(self.answer)

    @property
    def model(self) -> ExpertAnswer:
        """Return the model answer as the expert saw it."""
        return answer_from(self.model_answer)
