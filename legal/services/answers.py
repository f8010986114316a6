"""Records what experts answer: the vote and all beside it, in one transaction.

Sent again, an answer changes nothing; what is wrong with one is told by `legal.services.checking`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Assignment, Member, Vote
from annotation.services.assignments import own_assignment
from annotation.services.votes import Answer, VoteRefused, correct_vote, current_vote, submit_vote
from legal.algorithms import ExpertAnswer, IssueSaid
from legal.models import (
    Catalogue,
    Citation,
    ClaimSpan,
    Criterion,
    CriterionAnswer,
    Evidence,
    IssueAnswer,
    LegalAnswer,
    LegalRound,
)
from legal.queries.answers import as_said, with_all
from legal.queries.catalogues import IssueNode, issue_nodes, leaves_of
from legal.queries.library import passages_among
from legal.queries.settings import settings_of
from legal.services.answer_drafts import drop_draft
from legal.services.attachments import files_to_cite
from legal.services.checking import Judged, judged
from legal.services.evidence import pages_for


@dataclass(frozen=True)
class Outcome:
    """What became of an answer: the one that stands, and whether it says what was sent."""

    answer: LegalAnswer
    is_new: bool
    agrees: bool


class ChangedMeanwhile(VoteRefused):
    """The answer that a person corrects is not the one they saw; it carries the present one."""

    def __init__(self, answer: LegalAnswer) -> None:
        super().__init__(
            _(
                "You changed this answer in another window meanwhile. Below is what you typed "
                "here; submit it again if it should replace the other."
            )
        )
        self.answer = answer


@transaction.atomic
def submit_answer(*, by: Member, assignment_id: int, answer: ExpertAnswer) -> Outcome:
    """Record a first answer. Another one to the same task is not stored, and told apart."""
    assignment = own_assignment(by, assignment_id)
    catalogue = catalogue_of(assignment)
    answer = with_files(answer, assignment)
    found = judge(assignment, catalogue, answer)
    vote, is_new = submit_vote(
        by=by, assignment_id=assignment_id, answer=vote_answer(answer, catalogue)
    )
    drop_draft(assignment_id)
    if is_new:
        return Outcome(write_answer(assignment, vote, found), is_new=True, agrees=True)
    known = answer_of(vote)
    return Outcome(known, is_new=False, agrees=as_said(known).same_as(found.answer))


@transaction.atomic
def correct_answer(
    *, by: Member, assignment_id: int, answer: ExpertAnswer, seen_version: int | None = None
) -> LegalAnswer:
    """Record a new version of one's answer, until the batch is closed.

    An answer that says the same makes none; a version that the person has not seen stays.
    """
    member = Member.objects.select_for_update(no_key=True).get(pk=by.pk)
    assignment = own_assignment(member, assignment_id)
    catalogue = catalogue_of(assignment)
    answer = with_files(answer, assignment)
    found = judge(assignment, catalogue, answer)
    known = current_vote(assignment)
    if known:
        standing = answer_of(known)
        if as_said(standing).same_as(found.answer):
            return standing
        if seen_version is not None and known.version != seen_version:
            raise ChangedMeanwhile(standing)
    vote = correct_vote(by=by, assignment_id=assignment_id, answer=vote_answer(answer, catalogue))
    return write_answer(assignment, vote, found)


def with_files(answer: ExpertAnswer, assignment: Assignment) -> ExpertAnswer:
    """Return an answer with the files that were attached for it."""
    return replace(answer, files=tuple(file.pk for file in files_to_cite(assignment)))


def judge(assignment: Assignment, catalogue: Catalogue, answer: ExpertAnswer) -> Judged:
    """Return an answer with what follows from it, or raise AnswerRefused."""
    study = assignment.member.study
    return judged(
        answer,
        issue_nodes(catalogue),
        text=assignment.task.post.text,
        settings=settings_of(study),
        passages=passages_among(study, [one.passage for one in answer.citations]),
    )


def catalogue_of(assignment: Assignment) -> Catalogue:
    """Return the catalogue that a task of the legal stage refers to."""
    found = (
        LegalRound.objects.select_related("catalogue")
        .filter(batch=assignment.task.batch_id)
        .first()
    )
    if found is None:
        raise VoteRefused(_("This post does not belong to the legal stage."))
    return found.catalogue


def vote_answer(answer: ExpertAnswer, catalogue: Catalogue) -> Answer:
    """Return the part of an answer that the vote holds."""
    return Answer(label=answer.label, seconds=answer.seconds, guide_version=catalogue.version)


def answer_of(vote: Vote) -> LegalAnswer:
    """Return the answer that belongs to a vote."""
    return with_all(LegalAnswer.objects.all()).select_related("vote__task__batch").get(vote=vote)


def write_answer(assignment: Assignment, vote: Vote, found: Judged) -> LegalAnswer:
    """Append what belongs to a version of a vote."""
    said = found.answer
    written = LegalAnswer.objects.create(
        vote=vote,
        derived=found.derived,
        insistence=said.insistence,
        no_claim=said.no_claim,
        defence=said.defence,
        kind=said.kind,
        confidence=said.confidence,
        comment=said.comment,
        discuss=said.discuss,
    )
    write_issues(written, found)
    ClaimSpan.objects.bulk_create(
        ClaimSpan(answer=written, start=start, end=end) for start, end in said.spans
    )
    Citation.objects.bulk_create(
        Citation(
            answer=written,
            passage_id=one.passage,
            issue=found.issues[one.issue].issue if one.issue else None,
        )
        for one in said.citations
    )
    write_evidence(written, said, study_id=assignment.member.study_id)
    return written


def write_evidence(written: LegalAnswer, said: ExpertAnswer, *, study_id: int) -> None:
    """Append the pages and files that an answer rests on; the archive fetches the pages later."""
    pages = pages_for(study_id, (one.url for one in said.evidence))
    Evidence.objects.bulk_create(
        Evidence(
            answer=written,
            order=order,
            url=one.url,
            page_id=pages[one.url],
            stance=one.stance,
            quote=one.quote,
            note=one.note,
        )
        for order, one in enumerate(said.evidence, start=1)
    )
    Evidence.objects.bulk_create(
        Evidence(answer=written, order=order, attachment_id=file)
        for order, file in enumerate(said.files, start=len(said.evidence) + 1)
    )


def write_issues(written: LegalAnswer, found: Judged) -> None:
    """Append what was said of issues, and of their tests and defences."""
    said = found.answer.issues
    rows = IssueAnswer.objects.bulk_create(
        IssueAnswer(
            answer=written,
            issue=found.issues[one.code].issue,
            is_ticked=one.is_ticked,
            is_raised=one.code in found.raised,
            reasoning=one.reasoning,
            insistence=one.insistence,
        )
        for one in said
    )
    CriterionAnswer.objects.bulk_create(
        CriterionAnswer(
            issue_answer=row,
            criterion=criterion,
            finding=one.findings.get(criterion.code, ""),
            sentence=one.sentences.get(criterion.code, ""),
        )
        for row, one in zip(rows, said, strict=True)
        for criterion in answered(one, found.issues[one.code])
    )


def answered(said: IssueSaid, node: IssueNode) -> Iterable[Criterion]:
    """Return the criteria of an issue that were answered or written about."""
    return (one for one in leaves_of(node) if one.code in {*said.findings, *said.sentences})
