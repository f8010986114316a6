"""What an expert says beyond the label: issues, evidence, and why none is raised.

An answer belongs to one version of a vote, and like it is never changed or deleted.
"""

from django.db import models

from annotation.models import Vote
from legal.models.catalogues import Issue, append_only


class LegalAnswer(models.Model):
    """One version of an expert's answer.

    `no_claim` and `defence` say why no issue is raised. Answers made here give them only then;
    imported answers stand as they came.
    """

    vote = models.OneToOneField(Vote, on_delete=models.PROTECT, related_name="legal_answer")
    no_claim = models.BooleanField(default=False)
    defence = models.BooleanField(default=False)
    comment = models.TextField(blank=True)

    class Meta:
        triggers = [append_only("legal_answer_is_append_only")]

    def __str__(self) -> str:
        return f"answer of vote {self.vote_id}"


class RaisedIssue(models.Model):
    """An issue that an expert ticked."""

    answer = models.ForeignKey(LegalAnswer, on_delete=models.PROTECT, related_name="raised")
    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="raised")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["answer", "issue"], name="raised_issue_once"),
        ]
        triggers = [append_only("raised_issue_is_append_only")]

    def __str__(self) -> str:
        return f"issue {self.issue_id} in answer {self.answer_id}"


class Evidence(models.Model):
    """A web page that an expert named as evidence, in the order given."""

    answer = models.ForeignKey(LegalAnswer, on_delete=models.PROTECT, related_name="evidence")
    url = models.TextField()
    order = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["order"]
        verbose_name_plural = "evidence"
        constraints = [
            models.UniqueConstraint(fields=["answer", "order"], name="evidence_order_once"),
        ]
        triggers = [append_only("evidence_is_append_only")]

    def __str__(self) -> str:
        return f"evidence {self.order} of answer {self.answer_id}"
