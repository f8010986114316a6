"""Says all that is wrong with an expert's answer at once, in sentences by field.

Refused are issues of another catalogue, evidence that is no web address, claims outside the text,
reasons for raising no issue where one is raised, what the study requires and is missing, and a
label that does not follow from the rest unless the expert insists.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext as _

from annotation.services.votes import VoteRefused
from legal.algorithms import (
    EvidenceSaid,
    ExpertAnswer,
    Finding,
    IssueSaid,
    contradiction,
    derived_label,
)
from legal.models import LABELS, Confidence, LegalSettings, Misinformation, Stance, Wanted
from legal.queries.catalogues import IssueNode, leaves_of, rules_of

MOST_COMMENT = 20_000
MOST_SENTENCE = 5_000
MOST_URL = 2_000
MOST_EVIDENCE = 50
MOST_SPANS = 50
MOST_CITATIONS = 50
SHOWN = 80

is_web_address = URLValidator(schemes=["http", "https"])

Problems = Iterator[tuple[str, str]]


class AnswerRefused(VoteRefused):
    """An answer that is not taken; `problems` has sentences by the field that they are about."""

    def __init__(self, problems: Mapping[str, list[str]]) -> None:
        super().__init__(" ".join(sentence for found in problems.values() for sentence in found))
        self.problems = problems


@dataclass(frozen=True)
class Judged:
    """An answer with what follows from it: which issues count as raised, and the derived label."""

    answer: ExpertAnswer
    issues: Mapping[str, IssueNode]

    @cached_property
    def against(self) -> dict[str, str]:
        """Return what speaks against each ticked issue that the answers contradict, by code."""
        found = {
            said.code: contradiction(rules_of(self.issues[said.code]), findings_of(said))
            for said in self.answer.issues
            if said.is_ticked and said.code in self.issues
        }
        return {code: what for code, what in found.items() if what}

    @cached_property
    def raised(self) -> frozenset[str]:
        """Return the issues that count: ticked, and not contradicted or insisted upon."""
        return frozenset(
            said.code
            for said in self.answer.issues
            if said.is_ticked and (said.code not in self.against or said.insistence)
        )

    @property
    def derived(self) -> str:
        """Return the label that follows from evidence and issues."""
        return derived_label(
            has_evidence=self.answer.has_evidence,
            raises_issue=bool(self.raised),
            no_claim=self.answer.no_claim,
        )


def findings_of(said: IssueSaid) -> dict[str, Finding]:
    """Return the findings on an issue's criteria in the rules' own type."""
    known = set(Finding)
    return {code: Finding(found) for code, found in said.findings.items() if found in known}


def judged(
    answer: ExpertAnswer,
    issues: Mapping[str, IssueNode],
    *,
    text: str,
    settings: LegalSettings,
    passages: Collection[int],
) -> Judged:
    """Return an answer with what follows from it, or raise AnswerRefused with all that is wrong.

    `passages` are those of the passages cited that the study's library has.
    """
    result = Judged(answer.plain(), issues)
    problems: dict[str, list[str]] = {}
    for name, sentence in problems_of(result, text, settings, passages):
        problems.setdefault(name, []).append(sentence)
    if problems:
        raise AnswerRefused(problems)
    if (
        result.answer.label == result.derived
    ):  # a reason for insisting where nothing differs is none
        return Judged(replace(result.answer, insistence=""), issues)
    return result


def problems_of(
    found: Judged, text: str, settings: LegalSettings, passages: Collection[int]
) -> Problems:
    """Yield what is wrong with an answer: the field, and a sentence."""
    answer = found.answer
    if answer.label not in LABELS:
        yield "label", _("Answer the first question: yes, no or unclear.")
    yield from issue_problems(found)
    yield from contradictions(found)
    for sentence in evidence_problems(answer.evidence):
        yield "evidence", sentence
    for sentence in span_problems(answer.spans, len(text)):
        yield "spans", sentence
    yield from citation_problems(found, passages)
    yield from other_problems(answer, settings)
    if answer.label in LABELS:
        yield from wanting(found, set(settings.wanted))
        yield from difference(found)


def other_problems(answer: ExpertAnswer, settings: LegalSettings) -> Problems:
    """Yield what is wrong with the kind, the confidence and the texts."""
    if answer.kind and answer.kind not in settings.kinds:
        yield "kind", _("This study does not know the kind “%s”.") % printable(answer.kind)
    if answer.confidence is not None and answer.confidence not in Confidence.values:
        yield "confidence", _("How sure you are is low, medium or high.")
    for sentence in text_problems(_("The comment"), answer.comment, MOST_COMMENT):
        yield "comment", sentence
    for sentence in text_problems(_("The reason"), answer.insistence, MOST_SENTENCE):
        yield "insistence", sentence


def issue_problems(found: Judged) -> Problems:
    """Yield what is wrong with what was said of issues."""
    unknown = [said.code for said in found.answer.issues if said.code not in found.issues]
    if unknown:
        yield (
            "issues",
            _("These issues are not in this batch's catalogue: %s. Load the page anew.")
            % ", ".join(printable(code) for code in unknown[:5]),
        )
    for said in found.answer.issues:
        if said.code in found.issues:
            yield from criterion_problems(said, found.issues[said.code])


def criterion_problems(said: IssueSaid, node: IssueNode) -> Problems:
    """Yield what is wrong with the answers to one issue's tests and defences."""
    known = {leaf.code for leaf in leaves_of(node)}
    if not known.issuperset({*said.findings, *said.sentences}):
        sentence = _("“%s” has other tests and defences in this batch's catalogue. Load it anew.")
        yield "issues", sentence % node.issue.name
    if not set(Finding).issuperset(said.findings.values()):
        sentence = _("Each test and defence of “%s” passes, fails, or cannot be told.")
        yield "issues", sentence % node.issue.name
    for text in (said.reasoning, said.insistence, *said.sentences.values()):
        what = _("What you wrote on “%s”") % node.issue.name
        for sentence in text_problems(what, text, MOST_SENTENCE):
            yield "issues", sentence


def contradictions(found: Judged) -> Problems:
    """Yield a sentence for each reason for raising no issue that stands beside a raised one."""
    if found.raised and found.answer.no_claim:
        yield (
            "no_claim",
            _("You ticked an issue, so there is a claim. Untick the issue, or “no factual claim”."),
        )
    if found.raised and found.answer.defence:
        yield (
            "defence",
            _(
                "“A defence applies” says why no issue is raised, but you ticked one. Untick the "
                "issue that the defence undoes, or the defence."
            ),
        )


def evidence_problems(evidence: Sequence[EvidenceSaid]) -> Iterator[str]:
    """Yield a sentence for each piece of evidence that is not as it should be."""
    for number, one in enumerate(evidence, start=1):
        if not one.url:
            yield _("Evidence %s has a quote or a note, but no address.") % number
        elif not is_address(one.url):
            yield _(
                "Evidence %(number)s, “%(text)s”, is not a web address. It must begin with http:// "
                "or https:// and name a site."
            ) % {"number": number, "text": printable(one.url)}
        if one.stance and one.stance not in Stance.values:
            yield _("Evidence %s supports, refutes, or gives context.") % number
        for text in (one.quote, one.note):
            yield from text_problems(_("Evidence %s") % number, text, MOST_SENTENCE)
    if len(evidence) > MOST_EVIDENCE:
        yield _("Give at most %s addresses.") % MOST_EVIDENCE


def span_problems(spans: Sequence[tuple[int, int]], length: int) -> Iterator[str]:
    """Yield what is wrong with the claims that were marked in a text of so many code points."""
    if any(not 0 <= start < end <= length for start, end in spans):
        yield _("A marked claim lies outside the post's text. Mark it again.")
    if len(spans) > MOST_SPANS:
        yield _("Mark at most %s claims.") % MOST_SPANS


def citation_problems(found: Judged, passages: Collection[int]) -> Problems:
    """Yield what is wrong with the passages that are cited."""
    cited = found.answer.citations
    if any(one.passage not in passages for one in cited):
        yield "citations", _("A passage that you cite is not in this study's legal library.")
    if any(one.issue and one.issue not in found.issues for one in cited):
        yield "citations", _("A passage is cited for an issue that the catalogue does not have.")
    if len(cited) > MOST_CITATIONS:
        yield "citations", _("Cite at most %s passages.") % MOST_CITATIONS


def text_problems(what: str, text: str, most: int) -> Iterator[str]:
    """Yield what is wrong with a text that somebody typed."""
    if len(text) > most:
        yield _("%(what)s has %(found)s characters; at most %(most)s are stored. Shorten it.") % {
            "what": what,
            "found": len(text),
            "most": most,
        }
    if not is_storable(text):
        yield _("%s holds a character that cannot be stored (NUL or half a character).") % what


def wanting(found: Judged, wanted: set[str]) -> Problems:
    """Yield a sentence for each thing that the study requires and the answer lacks."""
    answer = found.answer
    says_yes = answer.label == Misinformation.YES
    if Wanted.EVIDENCE in wanted and not answer.has_evidence and not answer.no_claim:
        yield "evidence", _("This study wants evidence, unless no claim is made.")
    if Wanted.STANCE in wanted and any(not one.stance for one in answer.evidence):
        yield "evidence", _("Say of each piece of evidence how it bears on the claim.")
    if Wanted.CLAIM in wanted and says_yes and not answer.spans:
        yield "spans", _("Mark the claim in the post's text.")
    if Wanted.KIND in wanted and says_yes and not answer.kind:
        yield "kind", _("Say what kind of misinformation it is.")
    if Wanted.CONFIDENCE in wanted and answer.confidence is None:
        yield "confidence", _("Say how sure you are.")
    if Wanted.INSISTENCE in wanted and answer.label != found.derived and not answer.insistence:
        yield "insistence", _("Say why your answer stands although %s.") % why(found)
    ticked = [said for said in answer.issues if said.is_ticked and said.code in found.issues]
    reasoned = {one.issue for one in answer.citations}
    yield from wanting_of_issues(ticked, found.issues, wanted, reasoned)


def wanting_of_issues(
    ticked: Iterable[IssueSaid],
    issues: Mapping[str, IssueNode],
    wanted: set[str],
    reasoned: Collection[str],
) -> Problems:
    """Yield what the study requires of ticked issues and is missing.

    A passage cited for an issue (`reasoned`) is reasoning.
    """
    for said in ticked:
        node = issues[said.code]
        unanswered = [leaf for leaf in leaves_of(node) if leaf.code not in said.findings]
        if Wanted.TESTS in wanted and unanswered:
            sentence = _("Answer each test and defence of “%s”: passes, fails, or cannot tell.")
            yield "issues", sentence % node.issue.name
        if Wanted.REASONING in wanted and not (
            said.reasoning or said.sentences or said.code in reasoned
        ):
            yield "issues", _("Say in a sentence why “%s” is raised.") % node.issue.name


def difference(found: Judged) -> Problems:
    """Yield why the answer is not the one that follows, unless the expert insists."""
    if found.answer.label == found.derived or found.answer.insists:
        return
    yield (
        "insists",
        _(
            "You answered “%(label)s”, but %(why)s; by the definition that is “%(derived)s”. "
            "Change one of them, or tick “Keep my answer”."
        )
        % {
            "label": Misinformation(found.answer.label).label,
            "why": why(found),
            "derived": Misinformation(found.derived).label,
        },
    )


def why(found: Judged) -> str:
    """Return in words what the derived label rests on."""
    if found.answer.no_claim:
        return _("you found no factual claim")
    if not found.answer.has_evidence:
        return _("no evidence is given")
    if found.raised:
        return _("evidence is given and an issue is raised")
    return _("evidence is given and no issue is raised")


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


def printable(text: str) -> str:
    """Return the beginning of a text, fit to stand in a sentence."""
    shown = "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in text)
    return shown[:SHOWN] + ("…" if len(shown) > SHOWN else "")
