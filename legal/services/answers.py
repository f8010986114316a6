"""Records what experts answer: the vote and all beside it, in one transaction.

Sent again, an answer changes nothing. Refused are issues of another catalogue, evidence that is no
web address, and reasons for raising no issue where one is raised.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Assignment, Member, Vote
from annotation.services.assignments import own_assignment
from annotation.services.votes import Answer, VoteRefused, correct_vote, current_vote, submit_vote
from legal.models import (
    LABELS,
    Catalogue,
    Evidence,
    Issue,
    LegalAnswer,
    LegalRound,
    RaisedIssue,
)

MOST_COMMENT = 20_000
MOST_URL = 2_000
MOST_EVIDENCE = 50
SHOWN = 80

is_web_address = URLValidator(schemes=["http", "https"])


@dataclass(frozen=True)
class ExpertAnswer:
    """What an expert sends. `evidence` holds one line each; empty lines are passed over."""

    label: str
    issues: tuple[str, ...] = ()
    no_claim: bool = False
    defence: bool = False
    evidence: tuple[str, ...] = ()
    comment: str = ""
    seconds: float | None = None


@dataclass(frozen=True)
class Outcome:
    """What became of an answer: the one that stands, and whether it says what was sent."""

    answer: LegalAnswer
    is_new: bool
    agrees: bool


class AnswerRefused(VoteRefused):
    """An answer that is not taken; `problems` has sentences by the field that they are about."""

    def __init__(self, problems: Mapping[str, list[str]]) -> None:
        super().__init__(" ".join(sentence for found in problems.values() for sentence in found))
        self.problems = problems


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
    catalogue = catalogue_of(own_assignment(by, assignment_id))
    issues = checked(answer, catalogue)
    vote, is_new = submit_vote(
        by=by, assignment_id=assignment_id, answer=vote_answer(answer, catalogue)
    )
    if is_new:
        return Outcome(write_answer(vote, answer, issues), is_new=True, agrees=True)
    known = answer_of(vote)
    return Outcome(known, is_new=False, agrees=says_the_same(known, answer))


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
    issues = checked(answer, catalogue)
    known = current_vote(assignment)
    if known:
        standing = answer_of(known)
        if says_the_same(standing, answer):
            return standing
        if seen_version is not None and known.version != seen_version:
            raise ChangedMeanwhile(standing)
    vote = correct_vote(by=by, assignment_id=assignment_id, answer=vote_answer(answer, catalogue))
    return write_answer(vote, answer, issues)


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
    return LegalAnswer.objects.select_related("vote__task__batch").get(vote=vote)


def write_answer(vote: Vote, answer: ExpertAnswer, issues: Sequence[Issue]) -> LegalAnswer:
    """Append what belongs to a version of a vote."""
    written = LegalAnswer.objects.create(
        vote=vote,
        no_claim=answer.no_claim,
        defence=answer.defence,
        comment=plain_lines(answer.comment),
    )
    RaisedIssue.objects.bulk_create(RaisedIssue(answer=written, issue=issue) for issue in issues)
    Evidence.objects.bulk_create(
        Evidence(answer=written, url=url, order=order)
        for order, url in enumerate(addresses(answer.evidence), start=1)
    )
    return written


def says_the_same(known: LegalAnswer, answer: ExpertAnswer) -> bool:
    """Say whether a stored answer is the one that was sent."""
    issues = set(known.raised.values_list("issue__code", flat=True))
    evidence = list(known.evidence.values_list("url", flat=True))
    return (
        known.vote.label == answer.label
        and issues == set(answer.issues)
        and (known.no_claim, known.defence) == (answer.no_claim, answer.defence)
        and evidence == addresses(answer.evidence)
        and known.comment == plain_lines(answer.comment)
    )


def checked(answer: ExpertAnswer, catalogue: Catalogue) -> list[Issue]:
    """Return the issues that an answer raises, or raise AnswerRefused with all that is wrong."""
    known = {issue.code: issue for issue in Issue.objects.filter(catalogue=catalogue)}
    unknown = [code for code in dict.fromkeys(answer.issues) if code not in known]
    problems: dict[str, list[str]] = {}
    for name, sentence in problems_of(answer, unknown):
        problems.setdefault(name, []).append(sentence)
    if problems:
        raise AnswerRefused(problems)
    return [issue for code, issue in known.items() if code in answer.issues]


def problems_of(answer: ExpertAnswer, unknown: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with an answer: the field, and a sentence."""
    if answer.label not in LABELS:
        yield "label", _("Answer the first question: yes, no or unclear.")
    if unknown:
        yield (
            "issues",
            _("These issues are not in this batch's catalogue: %s. Load the page anew.")
            % ", ".join(printable(code) for code in unknown[:5]),
        )
    yield from contradictions(answer)
    for sentence in evidence_problems(answer.evidence):
        yield "evidence", sentence
    for sentence in comment_problems(answer.comment):
        yield "comment", sentence


def contradictions(answer: ExpertAnswer) -> Iterator[tuple[str, str]]:
    """Yield a sentence for each reason for raising no issue that stands beside an issue."""
    if answer.issues and answer.no_claim:
        yield (
            "no_claim",
            _("You ticked an issue, so there is a claim. Untick the issue, or “no factual claim”."),
        )
    if answer.issues and answer.defence:
        yield (
            "defence",
            _(
                "“A defence applies” says why no issue is raised, but you ticked one. Untick the "
                "issue that the defence undoes, or the defence."
            ),
        )


def evidence_problems(lines: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each line that is no web address."""
    for number, line in enumerate(lines, start=1):
        url = line.strip()
        if url and not is_address(url):
            yield _(
                "Line %(line)s, “%(text)s”, is not a web address. It must begin with http:// or "
                "https:// and name a site."
            ) % {"line": number, "text": printable(url)}
    if len(addresses(lines)) > MOST_EVIDENCE:
        yield _("Give at most %s addresses.") % MOST_EVIDENCE


def comment_problems(comment: str) -> Iterator[str]:
    """Yield what is wrong with a comment."""
    if len(plain_lines(comment)) > MOST_COMMENT:
        yield _(
            "The comment has %(found)s characters; at most %(most)s are stored. Shorten it."
        ) % {
            "found": len(plain_lines(comment)),
            "most": MOST_COMMENT,
        }
    if not is_storable(comment):
        yield _("The comment holds a character that cannot be stored (NUL or half a character).")


def is_address(url: str) -> bool:
    """Say whether a text is a public page's address by its form: http or https, and a site."""
    if len(url) > MOST_URL or not is_storable(url):
        return False
    try:
        is_web_address(url)
    except ValidationError:
        return False
    return True


def is_storable(text: str) -> bool:
    """Say whether the database can hold a text."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def addresses(lines: Sequence[str]) -> list[str]:
    """Return the addresses in lines, each once, in the order given."""
    return list(dict.fromkeys(line.strip() for line in lines if line.strip()))


def plain_lines(text: str) -> str:
    """Return a text as it is stored: line breaks as one character, no blanks around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def printable(text: str) -> str:
    """Return the beginning of a text, fit to stand in a sentence."""
    shown = "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in text)
    return shown[:SHOWN] + ("…" if len(shown) > SHOWN else "")
