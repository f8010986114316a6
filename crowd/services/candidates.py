"""Takes candidates through their tests, and grants or refuses the qualification."""

import secrets
from collections.abc import Sequence
from contextlib import suppress

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Member, Sitting, SittingState, StageCode, StandingState, Task, User
from annotation.services.assignments import Nothing, Offer, database_now, lock_standing
from annotation.services.sittings import begin_sitting, end_sitting, open_sitting
from annotation.services.standings import StandingRefused, change_standing
from annotation.services.votes import Answer, Receipt, vote_and_go_on
from crowd.algorithms.prescreening import draw_test, score_test
from crowd.models import (
    Approval,
    PrescreeningOutcome,
    PrescreeningTest,
    Qualification,
    Qualified,
    QualifiedState,
)
from crowd.queries.admission import next_gate
from crowd.queries.pay import prescreening_reward
from crowd.queries.prescreening import (
    GATE,
    Candidacy,
    Step,
    can_be_tested,
    candidacy_of,
    counted_tests,
    failures,
    posts_for,
    qualified_of,
    requirements_of,
    rows_of,
    rules_of,
    taken_tests,
)
from crowd.services.admission import NotAdmitted
from crowd.services.instructions import acknowledge
from crowd.services.ledger import pay_screen_out
from crowd.services.prescreening import PrescreeningRefused

STAGE = StageCode.PRESCREENING
TEST_IS_OVER = {Nothing.DONE, Nothing.NO_SITTING}
MOST_SEED = 2**31


@transaction.atomic
def begin_test(*, by: Member, version: int) -> Sitting:
    """Record that a candidate has read the instructions; begin a test, or go on with the open one.

    Whatever comes before prescreening (consent, say) comes before the test.
    """
    lock_standing(by, STAGE)
    known = open_sitting(by=by, stage=STAGE)
    if known is None:
        gate = next_gate(by)
        if gate != GATE:
            raise NotAdmitted(gate or "work")
    candidacy = candidacy_of(by)
    if known is None and not candidacy.may_begin:
        raise NotAdmitted(GATE)
    acknowledge(by=by, version=version)
    return known or draw_sitting(by, candidacy)


def draw_sitting(member: Member, candidacy: Candidacy) -> Sitting:
    """Begin a sitting whose posts are drawn for this person."""
    seed = secrets.randbelow(MOST_SEED)
    only_unambiguous = candidacy.step == Step.SECOND
    drawn = draw_test(
        posts_for(member),
        size=candidacy.rules.test_size,
        requirements=requirements_of(candidacy.rules),
        only_unambiguous=only_unambiguous,
        seed=seed,
    )
    tasks = Task.objects.in_bulk(drawn)
    slots = [(number, tasks[task]) for number, task in enumerate(drawn, start=1)]

    def plan(_sitting: Sitting) -> Sequence[tuple[int, Task]]:
        return slots

    sitting = begin_sitting(
        by=member,
        stage=STAGE,
        size=len(drawn),
        plan=plan,
        reward=prescreening_reward(member.study),
    )
    PrescreeningTest.objects.create(
        sitting=sitting,
        number=len(candidacy.tests) + 1,
        seed=seed,
        only_unambiguous=only_unambiguous,
    )
    return sitting


@transaction.atomic
def answer_in_test(
    *, by: Member, stage: str, assignment_id: int, answer: Answer
) -> tuple[Receipt, Offer | None]:
    """Record an answer and hand out the next post; the last answer decides the test."""
    receipt, offer = vote_and_go_on(by=by, stage=stage, assignment_id=assignment_id, answer=answer)
    if offer:
        conclude_test(by=by, stage=stage, offer=offer)
    return receipt, offer


def conclude_test(*, by: Member, stage: str, offer: Offer) -> None:
    """Finish a test in which no post is left."""
    if offer.nothing in TEST_IS_OVER:
        finish_test(by=by, stage=stage)


@transaction.atomic
def finish_test(*, by: Member, stage: str) -> None:
    """End a test in which no post is left, and decide what it says of the person."""
    lock_standing(by, stage)
    end_sitting(by=by, stage=stage, state=SittingState.COMPLETE)
    tests = taken_tests(by)
    for test in tests:
        if test.outcome == PrescreeningOutcome.RUNNING:
            decide_test(by, test)
            conclude(by, tests, test)


def decide_test(member: Member, test: PrescreeningTest) -> None:
    """Score a finished test by the person's current votes."""
    rules = rules_of(member.study)
    score = score_test([row.answered for row in rows_of(test)], requirements_of(rules))
    test.outcome = PrescreeningOutcome(score.outcome)
    test.correct, test.scored = score.correct, score.scored
    test.decided_at = database_now()
    test.save(update_fields=["outcome", "correct", "scored", "decided_at"])


def conclude(member: Member, tests: Sequence[PrescreeningTest], test: PrescreeningTest) -> None:
    """Grant the qualification, wait for a researcher, or refuse it after the last allowed test.

    A post is never given to a person twice, so whoever has used up the pool cannot be tested again:
    a researcher decides by what they have done.
    """
    rules = rules_of(member.study)
    counted = counted_tests(tests, qualified_of(member))
    if test.outcome == PrescreeningOutcome.PASSED:
        if rules.approval == Approval.AUTOMATIC:
            settle(None, member, QualifiedState.GRANTED, "")
        else:
            wait(member, _("Passed the prescreening; a researcher looks first."))
    elif failures(counted) >= rules.max_tests:
        settle(None, member, QualifiedState.REFUSED, "")
    elif not can_be_tested(member, rules):
        wait(
            member,
            _(
                "Too few posts of the pool are left for one more test. Decide by the answers, or "
                "close another gold batch, open prescreening again, and let them be tested anew."
            ),
        )


def wait(member: Member, reason: str) -> None:
    """Let a researcher decide, and say to them why."""
    settle(None, member, QualifiedState.WAITING, reason)
    with suppress(StandingRefused):  # who was taken out for good stays out
        change_standing(
            by=None,
            member=member,
            stage=StageCode.CROWD,
            state=StandingState.WAITING,
            reason=reason,
        )


def settle(by: User | None, member: Member, state: str, reason: str) -> Qualified:
    """Write down how somebody stands, with the score of their last test if they took one.

    Who is refused after tests that were not paid is paid for coming.
    """
    assert member.user
    tests = taken_tests(member)
    last = tests[-1] if tests else None
    qualification, _is_new = Qualification.objects.get_or_create(study=member.study)
    decided = {
        "state": state,
        "correct": last.correct if last else None,
        "scored": last.scored if last else None,
        "reason": reason,
        "decided_by": by,
        "decided_at": database_now(),
    }
    if state == QualifiedState.REVOKED and last:
        decided["tests_before"] = last.number
    with pghistory.context(user=by.pk if by else None, action="decide on a candidate"):
        qualified, _is_new = Qualified.objects.update_or_create(
            qualification=qualification, user=member.user, defaults=decided
        )
    if state == QualifiedState.REFUSED and not any(test.sitting.reward for test in tests):
        pay_screen_out(by=by, member=member)
    return qualified


@transaction.atomic
def decide_candidate(*, by: User, member: Member, is_approved: bool, reason: str = "") -> Qualified:
    """Approve or refuse a candidate by hand, whatever the rules said before."""
    lock_standing(member, STAGE)
    if not taken_tests(member):
        raise PrescreeningRefused(_("%s has not taken a test yet.") % member.pseudonym)
    if open_sitting(by=member, stage=STAGE):
        raise PrescreeningRefused(_("%s is at a test; wait until it is over.") % member.pseudonym)
    state = QualifiedState.GRANTED if is_approved else QualifiedState.REFUSED
    qualified = settle(by, member, state, reason)
    change_standing(
        by=by,
        member=member,
        stage=StageCode.CROWD,
        state=StandingState.ACTIVE if is_approved else StandingState.PAUSED,
        reason=reason or (_("Approved.") if is_approved else _("Not approved.")),
    )
    return qualified


@transaction.atomic
def requalify(*, by: User, member: Member, reason: str) -> Qualified:
    """Take somebody's qualification back; they earn it anew before they go on working.

    Their sitting ends with what was done in it. Whoever was paused may work once they have passed.
    """
    lock_standing(member, STAGE)
    refuse_requalifying(member)
    change_standing(
        by=by, member=member, stage=StageCode.CROWD, state=StandingState.ACTIVE, reason=reason
    )
    end_sitting(by=member, stage=StageCode.CROWD, state=SittingState.LEFT)
    return settle(by, member, QualifiedState.REVOKED, reason)


def refuse_requalifying(member: Member) -> None:
    """Refuse where no test can be taken now, or one is asked for already."""
    name, rules = member.pseudonym, rules_of(member.study)
    known = qualified_of(member)
    if member.user is None:
        raise PrescreeningRefused(_("%s came with an imported round and takes no test.") % name)
    if not rules.is_open:
        raise PrescreeningRefused(
            _("The prescreening of this study is not open, so nobody can take its test.")
        )
    if known and known.state == QualifiedState.REVOKED:
        raise PrescreeningRefused(_("%s has been asked to take the test already.") % name)
    if open_sitting(by=member, stage=STAGE):
        raise PrescreeningRefused(_("%s is at a test; wait until it is over.") % name)
    if not can_be_tested(member, rules):
        raise PrescreeningRefused(
            _(
                "Too few posts of the pool are left that %s has not seen in a test. Close another "
                "gold batch and open prescreening again first."
            )
            % name
        )
