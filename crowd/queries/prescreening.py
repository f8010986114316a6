"""Prescreening: who needs it, how somebody stands in it, and which posts a test may draw."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from annotation.models import (
    Assignment,
    AssignmentState,
    Member,
    Role,
    Sitting,
    SittingSlot,
    SittingState,
    SkipReason,
    StageCode,
    Study,
    Task,
    Vote,
)
from crowd.algorithms.prescreening import Answered, Known, Requirements
from crowd.models import (
    AcceptedQualification,
    GoldLabel,
    GoldSource,
    PrescreeningOutcome,
    PrescreeningRules,
    PrescreeningTest,
    Qualification,
    Qualified,
    QualifiedState,
)
from crowd.models.defaults import AMBIGUOUS
from crowd.queries.labels import own_codes
from crowd.queries.pay import prescreening_reward

GATE = "prescreening"


def needs_prescreening(member: Member) -> str:
    """Return the gate's address while somebody lacks the qualification; one query.

    Who waits for approval or has failed for good stays out, even when prescreening has ended. Whose
    qualification was taken back earns it anew here, whatever other studies gave them.
    """
    held = Qualified.objects.filter(user=member.user_id)
    own = held.filter(qualification__study=OuterRef("study"))
    granted = held.filter(state=QualifiedState.GRANTED).filter(
        Q(qualification__study=OuterRef("study"))
        | Q(qualification__accepted_by__rules=OuterRef("pk"))
    )
    rules = PrescreeningRules.objects.filter(study=member.study_id)
    revoked = own.filter(state=QualifiedState.REVOKED)
    keeps_out = rules.filter(~Exists(granted) | Exists(revoked)).filter(
        Q(is_open=True) | Exists(own)
    )
    return GATE if keeps_out.exists() else ""


def rules_of(study: Study) -> PrescreeningRules:
    """Return the rules of a study; the defaults, not stored, where it has none yet."""
    found = PrescreeningRules.objects.filter(study=study).first()
    return found or PrescreeningRules(study=study)


@dataclass(frozen=True)
class ComingTest:
    """A test that comes before somebody's work: how many posts, and what all of them pay."""

    posts: int
    pay: Decimal


def coming_test(member: Member) -> ComingTest | None:
    """Return the test that somebody has to take before the work; None where none comes."""
    if needs_prescreening(member) != GATE:
        return None
    posts = rules_of(member.study).test_size
    return ComingTest(posts, posts * prescreening_reward(member.study))


def posts_for_retakes(rules: PrescreeningRules) -> int:
    """Return how many unambiguous posts a pool needs so that everybody can take the last test.

    A post is shown to a person once: the tests before may use up their size, and the last one has
    to hold as many as passing takes.
    """
    return rules.test_size * (rules.max_tests - 1) + rules.min_votes


def requirements_of(rules: PrescreeningRules) -> Requirements:
    """Return what passing takes."""
    return Requirements(
        pass_share=Fraction(rules.pass_share),
        min_votes=rules.min_votes,
        labels=own_codes(rules.study),
        min_per_label=rules.min_per_label,
    )


def pool_labels(study: Study) -> list[str | None]:
    """Return the gold labels of the closed pool (None: ambiguous)."""
    found = GoldLabel.objects.filter(post__study=study, source=GoldSource.POOL)
    return [known(label) for label in found.values_list("label", flat=True)]


def known(label: str) -> str | None:
    """Return a gold label as scoring takes it."""
    return None if label == AMBIGUOUS else label


def posts_for(member: Member) -> list[Known]:
    """Return the posts that a test of somebody may draw: those that no test has shown them."""
    shown = Assignment.objects.filter(task=OuterRef("pk"), member=member)
    tasks = (
        Task.objects.filter(
            ~Exists(shown), batch__study=member.study_id, stage=StageCode.PRESCREENING
        )
        .order_by("batch__number", "position")
        .values_list("pk", "post__gold_label__label")
    )
    return [Known(task, known(label)) for task, label in tasks]


def taken_tests(member: Member) -> list[PrescreeningTest]:
    """Return somebody's tests, the first one first."""
    tests = PrescreeningTest.objects.filter(sitting__member=member)
    return list(tests.select_related("sitting").order_by("number"))


def qualified_of(member: Member) -> Qualified | None:
    """Return what was decided on somebody in their study."""
    found = Qualified.objects.filter(qualification__study=member.study_id, user=member.user_id)
    return found.select_related("decided_by").first()


def counted_tests(
    tests: Iterable[PrescreeningTest], qualified: Qualified | None
) -> list[PrescreeningTest]:
    """Return the tests that speak for or against somebody: those after a taking back, else all."""
    before = qualified.tests_before if qualified else 0
    return [test for test in tests if test.number > before]


@dataclass(frozen=True)
class AnswerRow:
    """A post of a test as researchers see it: what gold says, and what the person said."""

    slot: SittingSlot
    gold: str
    vote: str
    skip_reason: str

    @property
    def is_scored(self) -> bool:
        """Say whether the answer counts for or against the person."""
        return bool(self.vote) and self.gold != AMBIGUOUS

    @property
    def is_right(self) -> bool:
        """Say whether the person agrees with gold."""
        return self.is_scored and self.vote == self.gold

    @property
    def answered(self) -> Answered:
        """Return the row as scoring takes it."""
        is_spared = self.skip_reason == SkipReason.HARMFUL
        return Answered(known(self.gold), self.vote or None, is_spared)


def rows_of(test: PrescreeningTest) -> list[AnswerRow]:
    """Return the posts of a test with gold and the person's current votes, in their order."""
    member = test.sitting.member_id
    slots = list(
        SittingSlot.objects.filter(sitting=test.sitting_id)
        .select_related("task__post__gold_label")
        .order_by("number")
    )
    tasks = [slot.task_id for slot in slots]
    votes = Vote.objects.current().filter(member=member, task__in=tasks)
    said = dict(votes.values_list("task_id", "label"))
    skips = Assignment.objects.filter(member=member, task__in=tasks, state=AssignmentState.SKIPPED)
    why = dict(skips.values_list("task_id", "skip_reason"))
    return [
        AnswerRow(
            slot,
            gold=slot.task.post.gold_label.label,
            vote=said.get(slot.task_id, ""),
            skip_reason=why.get(slot.task_id, ""),
        )
        for slot in slots
    ]


class Step(StrEnum):
    """What comes next for a candidate."""

    FIRST = "first"
    GO_ON = "go_on"
    SECOND = "second"
    AGAIN = "again"
    ANEW = "anew"
    NO_POSTS = "no_posts"
    WAITING = "waiting"
    REFUSED = "refused"
    GRANTED = "granted"
    CLOSED = "closed"


DECIDED = {
    QualifiedState.GRANTED: Step.GRANTED,
    QualifiedState.WAITING: Step.WAITING,
    QualifiedState.REFUSED: Step.REFUSED,
}


@dataclass(frozen=True)
class Candidacy:
    """How somebody stands in the prescreening of a study; `counted` are the tests that decide."""

    step: Step
    tests: list[PrescreeningTest]
    counted: list[PrescreeningTest]
    rules: PrescreeningRules

    @property
    def may_begin(self) -> bool:
        """Say whether another test can be begun now."""
        return self.step in {Step.FIRST, Step.SECOND, Step.AGAIN, Step.ANEW}

    @property
    def last_sitting(self) -> Sitting | None:
        """Return the sitting of the newest test."""
        return self.tests[-1].sitting if self.tests else None

    @property
    def tests_left(self) -> int:
        """Return how many tests somebody may still take; undecided ones do not count."""
        return max(0, self.rules.max_tests - failures(self.counted))


def failures(tests: Iterable[PrescreeningTest]) -> int:
    """Return how many tests were failed."""
    return sum(test.outcome == PrescreeningOutcome.FAILED for test in tests)


def candidacy_of(member: Member) -> Candidacy:
    """Return how somebody stands: what was decided, else the test, else what can be begun."""
    rules, tests, qualified = rules_of(member.study), taken_tests(member), qualified_of(member)
    counted = counted_tests(tests, qualified)
    if tests and tests[-1].sitting.state == SittingState.OPEN:
        step = Step.GO_ON
    elif qualified and qualified.state != QualifiedState.REVOKED:
        step = DECIDED[QualifiedState(qualified.state)]
    elif not rules.is_open:
        step = Step.NO_POSTS if qualified else Step.CLOSED
    elif not can_be_tested(member, rules):
        step = Step.NO_POSTS
    else:
        step = next_test(counted, is_anew=qualified is not None)
    return Candidacy(step, tests, counted, rules)


def next_test(counted: list[PrescreeningTest], *, is_anew: bool) -> Step:
    """Return which test comes after those that count."""
    if not counted:
        return Step.ANEW if is_anew else Step.FIRST
    is_undecided = counted[-1].outcome == PrescreeningOutcome.UNDECIDED
    return Step.SECOND if is_undecided else Step.AGAIN


def can_be_tested(member: Member, rules: PrescreeningRules) -> bool:
    """Say whether the posts that no test has shown somebody are enough for one more."""
    return requirements_of(rules).are_met_by(post.gold for post in posts_for(member))


def acceptable_qualifications(study: Study) -> list[Qualification]:
    """Return the qualifications of other studies of the same group: those that share an owner."""
    owners = Member.objects.filter(
        study=study, role=Role.OWNER, is_active=True, user__isnull=False
    ).values("user")
    shared = Member.objects.filter(
        study=OuterRef("study"), role=Role.OWNER, is_active=True, user__in=owners
    )
    found = Qualification.objects.filter(Exists(shared)).exclude(study=study)
    return list(found.select_related("study").order_by("study__title"))


def qualifications_in(studies: Collection[int]) -> QuerySet[Any]:
    """Return the qualifications of some studies, with people counted and those that accept them."""
    accepting = AcceptedQualification.objects.filter(rules__study__in=studies)
    rows = Prefetch("accepted_by", accepting.select_related("rules__study").order_by("pk"))
    counts = {
        state.value: Count("people", filter=Q(people__state=state)) for state in QualifiedState
    }
    found = Qualification.objects.filter(study__in=studies).annotate(**counts)
    return found.select_related("study").prefetch_related(rows)


def accepted_studies(rules: PrescreeningRules) -> list[str]:
    """Return the slugs of the studies whose qualifications count in another one."""
    found = Qualification.objects.filter(accepted_by__rules=rules.pk).order_by("study__slug")
    return list(found.values_list("study__slug", flat=True))
