"""What an expert says beyond the label: issues, evidence, claims, and why no issue is raised.

An answer belongs to one version of a vote, and like it is never changed or deleted.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Vote
from legal.algorithms import Finding
from legal.models.archive import ArchivedPage
from legal.models.attachments import Attachment
from legal.models.catalogues import Criterion, Issue, append_only
from legal.models.library import Passage
from legal.models.rounds import Misinformation


class Confidence(models.IntegerChoices):
    """How sure an expert is of an answer."""

    LOW = 1, _("Low")
    MEDIUM = 2, _("Medium")
    HIGH = 3, _("High")


class Stance(models.TextChoices):
    """How a piece of evidence bears on the claim."""

    SUPPORTS = "supports", _("Supports it")
    REFUTES = "refutes", _("Refutes it")
    CONTEXT = "context", _("Gives context")


FINDINGS = [
    (Finding.PASSES.value, _("Passes")),
    (Finding.FAILS.value, _("Fails")),
    (Finding.CANNOT_TELL.value, _("Cannot tell")),
]


class LegalAnswerQuerySet(models.QuerySet["LegalAnswer"]):
    """Answers, and which of them are not the ones that follow."""

    def differing(self) -> "LegalAnswerQuerySet":
        """Keep answers whose vote has another label than the derived one."""
        return self.exclude(derived=models.F("vote__label"))


class LegalAnswer(models.Model):
    """One version of an expert's answer.

    `no_claim` and `defence` say why no issue is raised. Answers made here give them only then;
    imported answers stand as they came. `derived` is the label that follows from the answer's own
    evidence and issues (Equation 1); where it is another than the vote's, the expert was told so
    and insisted, with `insistence` as the reason where one was given.
    """

    vote = models.OneToOneField(Vote, on_delete=models.PROTECT, related_name="legal_answer")
    derived = models.CharField(max_length=10, choices=Misinformation)
    insistence = models.TextField(blank=True)
    no_claim = models.BooleanField(default=False)
    defence = models.BooleanField(default=False)
    kind = models.CharField(max_length=100, blank=True)
    confidence = models.PositiveSmallIntegerField(null=True, choices=Confidence)
    comment = models.TextField(blank=True)
    discuss = models.BooleanField(default=False)

    objects = LegalAnswerQuerySet.as_manager()

    class Meta:
        triggers = [append_only("legal_answer_is_append_only")]

    def __str__(self) -> str:
        return f"answer of vote {self.vote_id}"

    @property
    def raised_issues(self) -> "list[IssueAnswer]":
        """Return what counts as raised, in the order in which the issues were fetched."""
        return [one for one in self.issues.all() if one.is_raised]


class IssueAnswer(models.Model):
    """What an expert said of a legal issue, ticked or only looked into.

    `is_raised` says whether it counts: ticked, and not contradicted by the answers to its tests and
    defences unless the expert insists, with `insistence` as the reason.
    """

    answer = models.ForeignKey(LegalAnswer, on_delete=models.PROTECT, related_name="issues")
    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="answers")
    is_ticked = models.BooleanField()
    is_raised = models.BooleanField()
    reasoning = models.TextField(blank=True)
    insistence = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["answer", "issue"], name="issue_answered_once"),
            models.CheckConstraint(
                condition=models.Q(is_raised=False) | models.Q(is_ticked=True),
                name="raised_issue_is_ticked",
            ),
        ]
        triggers = [append_only("issue_answer_is_append_only")]

    def __str__(self) -> str:
        return f"issue {self.issue_id} in answer {self.answer_id}"


class CriterionAnswer(models.Model):
    """What an expert found about a test or a defence; groups follow from their parts."""

    issue_answer = models.ForeignKey(IssueAnswer, on_delete=models.PROTECT, related_name="criteria")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="answers")
    finding = models.CharField(max_length=11, choices=FINDINGS, blank=True)
    sentence = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["issue_answer", "criterion"], name="criterion_answered_once"
            ),
        ]
        triggers = [append_only("criterion_answer_is_append_only")]

    def __str__(self) -> str:
        return f"criterion {self.criterion_id} in issue answer {self.issue_answer_id}"


class ClaimSpan(models.Model):
    """A claim that an expert marked in the post's text: [start, end) in code points."""

    answer = models.ForeignKey(LegalAnswer, on_delete=models.PROTECT, related_name="spans")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        ordering = ["start", "end"]
        constraints = [
            models.UniqueConstraint(fields=["answer", "start", "end"], name="claim_marked_once"),
            models.CheckConstraint(
                condition=models.Q(end__gt=models.F("start")), name="claim_is_not_empty"
            ),
        ]
        triggers = [append_only("claim_span_is_append_only")]

    def __str__(self) -> str:
        return f"{self.start} to {self.end} in answer {self.answer_id}"

    @property
    def place(self) -> str:
        """Return where it stands, as Python and Django's templates write a slice."""
        return f"{self.start}:{self.end}"


class Citation(models.Model):
    """A passage of the legal library that an expert cites, for an issue or the whole answer."""

    answer = models.ForeignKey(LegalAnswer, on_delete=models.PROTECT, related_name="citations")
    passage = models.ForeignKey(Passage, on_delete=models.PROTECT, related_name="citations")
    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, null=True, related_name="citations")

    class Meta:
        ordering = ["passage", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["answer", "passage", "issue"],
                nulls_distinct=False,
                name="passage_cited_once",
            ),
        ]
        triggers = [append_only("citation_is_append_only")]

    def __str__(self) -> str:
        return f"passage {self.passage_id} in answer {self.answer_id}"


class Evidence(models.Model):
    """A web page that an expert named as evidence, or a file they attached, in the order given.

    `url` is what the expert wrote; what the archive holds of it is the `page`.
    """

    answer = models.ForeignKey(LegalAnswer, on_delete=models.PROTECT, related_name="evidence")
    url = models.TextField(blank=True)
    page = models.ForeignKey(
        ArchivedPage, on_delete=models.PROTECT, null=True, related_name="evidence"
    )
    attachment = models.ForeignKey(
        Attachment, on_delete=models.PROTECT, null=True, related_name="evidence"
    )
    order = models.PositiveSmallIntegerField()
    stance = models.CharField(max_length=8, choices=Stance, blank=True)
    quote = models.TextField(blank=True)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ["order"]
        verbose_name_plural = "evidence"
        constraints = [
            models.UniqueConstraint(fields=["answer", "order"], name="evidence_order_once"),
            models.CheckConstraint(
                condition=models.Q(page__isnull=False, attachment=None) & ~models.Q(url="")
                | models.Q(page=None, attachment__isnull=False, url=""),
                name="evidence_is_page_or_file",
            ),
        ]
        triggers = [append_only("evidence_is_append_only")]

    @property
    def named(self) -> str:
        """Return the address, or the checksum by which an attached file is told."""
        return self.attachment.reference if self.attachment else self.url

    def __str__(self) -> str:
        return f"evidence {self.order} of answer {self.answer_id}"
