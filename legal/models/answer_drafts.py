"""What an expert has typed so far on a post, kept for themselves until they submit it."""

from django.db import models

from annotation.models import Assignment
from legal.algorithms import ExpertAnswer, answer_from


class AnswerDraft(models.Model):
    """The draft of a first answer. `revision` counts what was saved; nobody but its writer sees it.

    It goes when the answer is submitted.
    """

    assignment = models.OneToOneField(
        Assignment, on_delete=models.PROTECT, related_name="answer_draft"
    )
    content = models.JSONField()
    revision = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"draft of assignment {self.assignment_id}"

    @property
    def answer(self) -> ExpertAnswer:
        """Return what was typed."""
        return answer_from(self.content)
