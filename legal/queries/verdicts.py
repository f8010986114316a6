"""The verdict on a post: the experts' answers made one, with everything that it rests on.

The label is the one with most votes; a tie counts as Unclear and is marked. Issues, “no claim” and
“a defence applies” need more than half of the experts on the post; the number of those who said so
is kept beside. Evidence is all that anybody named. Only current, counted votes enter. An
adjudicator's decision goes before the majority's label and issues. `derived` is the label that
follows by the method's definition (Equation 1) from all experts' evidence, and from the issues and
“no claim” by majority.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from django.db.models import F

from annotation.aggregation import majority, majority_of_choices
from annotation.models import Place, StageCode, Study, Vote
from annotation.queries.counts import Counts, Rounds, counts_of, post_counts, rounds_of
from legal.algorithms import derived_label
from legal.models import Decision, Evidence, IssueAnswer, Misinformation, Y
from legal.queries.adjudication import decisions_on
from legal.queries.catalogues import issue_names

BLOCK = 1_000


@dataclass(frozen=True)
class Verdict:
    """What the experts on a post found together.

    `counts` are votes by label, `issue_counts` experts by issue. `is_complete` is false while the
    post still wants votes.
    """

    post_id: int
    label: str
    derived: str
    is_tie: bool
    is_decided: bool
    counts: Mapping[str, int]
    voters: int
    issues: tuple[str, ...]
    issue_counts: Mapping[str, int]
    no_claim_votes: int
    defence_votes: int
    evidence: tuple[str, ...]
    is_complete: bool

    @property
    def y(self) -> int:
        """Return the method's y: 2 MisLC, 1 Unclear, 0 Non-MisLC."""
        return Y[self.label]

    @property
    def no_claim(self) -> bool:
        """Say whether more than half of the experts found no factual claim."""
        return 2 * self.no_claim_votes > self.voters

    @property
    def defence(self) -> bool:
        """Say whether more than half of the experts found that a defence applies."""
        return 2 * self.defence_votes > self.voters


@dataclass
class Said:
    """What the experts on one post said beside the label."""

    issues: dict[int, list[str]] = field(default_factory=dict)
    evidence: list[str] = field(default_factory=list)
    no_claim: int = 0
    defence: int = 0


def verdicts_of(study: Study, post_ids: Iterable[int]) -> dict[int, Verdict]:
    """Return the verdicts on the posts named, where they have any vote."""
    rounds = rounds_of(study, StageCode.LEGAL)
    counts = counts_of(rounds, list(post_ids))
    return {one.post_id: one for one in make_verdicts(rounds, counts, list(issue_names(study)))}


def complete_verdicts(study: Study, rounds: Rounds) -> Iterator[list[Verdict]]:
    """Yield the verdicts on posts that have all their votes, in blocks by the posts' ids."""
    order, counts = list(issue_names(study)), post_counts(rounds)
    while block := dict(islice(counts, BLOCK)):
        yield [one for one in make_verdicts(rounds, block, order) if one.is_complete]


def make_verdicts(
    rounds: Rounds, counts: Mapping[int, Counts], order: list[str]
) -> Iterator[Verdict]:
    """Yield the verdicts on posts whose votes by label are known. Five queries."""
    said = what_was_said(rounds, list(counts))
    wanting = still_wanting(list(counts))
    decisions = decisions_on(list(counts))
    for post_id, votes in counts.items():
        by_label = dict(zip(rounds.labels, votes, strict=True))
        found = verdict(
            post_id, by_label, said.get(post_id, Said()), order, is_complete=post_id not in wanting
        )
        yield decided(found, decisions.get(post_id))


def verdict(
    post_id: int, by_label: Mapping[str, int], said: Said, order: list[str], *, is_complete: bool
) -> Verdict:
    """Return the verdict on one post."""
    found = majority(by_label)
    voters = len(said.issues)
    issues = majority_of_choices(list(said.issues.values()), order)
    return Verdict(
        post_id=post_id,
        label=found.label or Misinformation.UNCLEAR,
        derived=derived_label(
            has_evidence=bool(said.evidence),
            raises_issue=bool(issues.chosen),
            no_claim=2 * said.no_claim > voters,
        ),
        is_tie=found.tie,
        is_decided=False,
        counts=found.counts,
        voters=voters,
        issues=issues.chosen,
        issue_counts={code: count for code, count in issues.counts.items() if count},
        no_claim_votes=said.no_claim,
        defence_votes=said.defence,
        evidence=tuple(dict.fromkeys(said.evidence)),
        is_complete=is_complete,
    )


def decided(found: Verdict, decision: Decision | None) -> Verdict:
    """Return a verdict with an adjudicator's decision before the majority's label and issues."""
    if decision is None:
        return found
    return replace(found, label=decision.label, issues=tuple(decision.issues), is_decided=True)


def what_was_said(rounds: Rounds, post_ids: list[int]) -> dict[int, Said]:
    """Return what experts said beside the label, by post."""
    votes = (
        Vote.objects.filter(task__batch__in=rounds.batch_ids, task__post__in=post_ids)
        .counting()
        .order_by("task__post_id", "pk")
        .values_list("pk", "task__post_id", "legal_answer__no_claim", "legal_answer__defence")
    )
    said: dict[int, Said] = {}
    post_of: dict[int, int] = {}
    for vote_id, post_id, no_claim, defence in votes:
        post_of[vote_id] = post_id
        on_post = said.setdefault(post_id, Said())
        on_post.issues[vote_id] = []
        on_post.no_claim += bool(no_claim)
        on_post.defence += bool(defence)
    raised = IssueAnswer.objects.filter(answer__vote__in=post_of, is_raised=True)
    for vote_id, code in raised.values_list("answer__vote_id", "issue__code"):
        said[post_of[vote_id]].issues[vote_id].append(code)
    evidence = Evidence.objects.filter(answer__vote__in=post_of).select_related("attachment")
    in_order = evidence.order_by("answer__vote_id", "order")
    for one in in_order.annotate(vote_id=F("answer__vote_id")):
        said[post_of[one.vote_id]].evidence.append(one.named)
    return said


def still_wanting(post_ids: list[int]) -> set[int]:
    """Return those of the posts that still want votes at this stage."""
    unfilled = Place.objects.filter(
        task__post__in=post_ids, task__stage=StageCode.LEGAL, filled_at=None
    )
    return set(unfilled.values_list("task__post_id", flat=True))
