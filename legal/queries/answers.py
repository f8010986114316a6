"""What experts answered: one's own answers for oneself, all answers to a post for researchers."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

from annotation.models import Assignment, BatchState, Member, Place, Post, StageCode, Study, Vote
from annotation.models.votes import is_newest
from annotation.queries.progress import votes_of
from annotation.queries.vote_streams import VotesAsked
from legal.algorithms import CitationSaid, EvidenceSaid, ExpertAnswer, IssueSaid
from legal.models import Citation, Evidence, IssueAnswer, LegalAnswer, LegalRound

BLOCK = 500


def own_answers(member: Member) -> QuerySet[Vote]:
    """Return a person's current votes, newest first, with their answers and assignments."""
    assignment = Assignment.objects.filter(task=OuterRef("task"), member=OuterRef("member"))
    return (
        votes_of(member, StageCode.LEGAL)
        .select_related("legal_answer")
        .prefetch_related(*beside("legal_answer__"))
        .annotate(assignment_id=Subquery(assignment.values("pk")[:1]))
    )


def own_answers_with(
    member: Member, *, q: str = "", label: str = "", issue: str = "", discuss: bool = False
) -> QuerySet[Vote]:
    """Return those of a person's answers that have all these words, in the post or the comment,
    this label, this issue ticked, and the mark for another look.
    """
    found = own_answers(member)
    for word in q.split():
        found = found.filter(
            Q(task__post__text__icontains=word) | Q(legal_answer__comment__icontains=word)
        )
    if label:
        found = found.filter(label=label)
    if issue:
        ticked = IssueAnswer.objects.filter(is_ticked=True, issue__code=issue)
        found = found.filter(Exists(ticked.filter(answer=OuterRef("legal_answer"))))
    return found.filter(legal_answer__discuss=True) if discuss else found


def own_answer(assignment: Assignment) -> LegalAnswer | None:
    """Return the newest version of the answer that came out of an assignment."""
    return (
        with_all(LegalAnswer.objects.all())
        .filter(vote__task=assignment.task_id, vote__member=assignment.member_id)
        .order_by("-vote__version")
        .first()
    )


def answers_to(post: Post) -> QuerySet[Vote]:
    """Return all current votes of the experts on a post with their answers, oldest first."""
    return (
        Vote.objects.filter(task__post=post, task__stage=StageCode.LEGAL)
        .current()
        .select_related("member", "place", "task__batch__legal_round__catalogue", "legal_answer")
        .select_related("task__post")
        .prefetch_related(*beside("legal_answer__"))
        .order_by("pk")
    )


def exported_answers(study: Study, asked: VotesAsked) -> Iterator[Any]:
    """Yield the asked ones of the experts' votes on posts that have all of theirs, in the order in
    which they came, each with its answer and `is_current`; read in blocks.
    """
    wanting = Place.objects.unfilled().filter(
        task__post=OuterRef("task__post"), task__stage=StageCode.LEGAL
    )
    votes = Vote.objects.filter(
        task__batch__study=study, task__stage=StageCode.LEGAL, legal_answer__isnull=False
    )
    rows = (
        votes.filter(~Exists(wanting))
        .annotate(is_current=is_newest())
        .select_related("member", "place", "task__post", "task__batch", "legal_answer")
        .prefetch_related(*beside("legal_answer__"))
    )
    if not asked.all_versions:
        rows = rows.filter(is_current=True)
    blind = votes.filter(Exists(wanting)).exclude(task__batch__state=BatchState.CLOSED)
    part = asked.part(rows, blind=blind)
    found: Iterator[Any] = part.iterator(chunk_size=BLOCK)
    return found


def with_all(answers: "QuerySet[LegalAnswer]") -> "QuerySet[LegalAnswer]":
    """Return answers with everything that was said in them."""
    return answers.select_related("vote").prefetch_related(*beside(""))


def beside(prefix: str) -> "Iterable[str | Prefetch[Any]]":
    """Return how to fetch along with an answer what was said beside the label."""
    issues = IssueAnswer.objects.select_related("issue__topic").order_by(
        "issue__topic__order", "issue__order"
    )
    evidence = Evidence.objects.select_related("attachment", "page").defer("page__text")
    cited = Citation.objects.select_related("issue", "passage__document").defer(
        "passage__text", "passage__document__text"
    )
    return (
        Prefetch(f"{prefix}issues", queryset=issues),
        f"{prefix}issues__criteria__criterion",
        Prefetch(f"{prefix}evidence", queryset=evidence),
        f"{prefix}spans",
        Prefetch(f"{prefix}citations", queryset=cited),
    )


def as_said(answer: LegalAnswer) -> ExpertAnswer:
    """Return a stored answer as it was said."""
    return ExpertAnswer(
        label=answer.vote.label,
        issues=tuple(issue_as_said(one) for one in answer.issues.all()),
        no_claim=answer.no_claim,
        defence=answer.defence,
        evidence=tuple(
            EvidenceSaid(one.url, one.stance, one.quote, one.note)
            for one in answer.evidence.all()
            if one.page_id
        ),
        files=tuple(one.attachment_id for one in answer.evidence.all() if one.attachment_id),
        spans=tuple((span.start, span.end) for span in answer.spans.all()),
        citations=tuple(
            CitationSaid(one.passage_id, one.issue.code if one.issue else "", one.passage.title)
            for one in answer.citations.all()
        ),
        kind=answer.kind,
        confidence=answer.confidence,
        comment=answer.comment,
        discuss=answer.discuss,
        insists=answer.derived != answer.vote.label,
        insistence=answer.insistence,
        seconds=answer.vote.seconds,
    )


def issue_as_said(one: IssueAnswer) -> IssueSaid:
    """Return what was said of one issue."""
    criteria = {row.criterion.code: row for row in one.criteria.all()}
    return IssueSaid(
        code=one.issue.code,
        is_ticked=one.is_ticked,
        findings={code: row.finding for code, row in criteria.items() if row.finding},
        sentences={code: row.sentence for code, row in criteria.items() if row.sentence},
        reasoning=one.reasoning,
        insistence=one.insistence,
    )


def round_of(assignment: Assignment) -> LegalRound:
    """Return the round of an assignment's batch, with its catalogue."""
    return LegalRound.objects.select_related("catalogue").get(batch=assignment.task.batch_id)
