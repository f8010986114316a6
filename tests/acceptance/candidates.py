"""Candidates come in by a link, agree, and take their tests; whoever passes must be who should."""

from collections import Counter

from annotation.models import Member, SkipReason, StageCode, User
from annotation.services.assignments import Nothing, Offer, next_task, skip_task
from annotation.services.votes import Answer
from crowd.models import Qualified, QualifiedState, RecruitmentKind, RecruitmentState
from crowd.services.admission import NotAdmitted, begin_work
from crowd.services.arrivals import join_by_link
from crowd.services.candidates import answer_in_test, begin_test, finish_test
from crowd.services.consent import give_consent, write_consent_text
from crowd.services.prescreening import change_rules, open_prescreening
from crowd.services.recruitment import create_recruitment, move_recruitment
from tests.acceptance.ground import Month
from tests.acceptance.log import FAILED, MOST_TESTS, PASSED, UNDECIDED, TakenTest
from tests.acceptance.people import CANDIDATES, make_candidates
from tests.acceptance.shifts import INSTRUCTIONS, Worker

STAGE = StageCode.PRESCREENING
TEST_SIZE = 14
PASSING = (8, 17)
SKIPS = 0.03
CONSENT = "We study how people judge posts. You may stop at any time."
IS_OVER = {Nothing.DONE, Nothing.NO_SITTING}


def recruit(month: Month) -> list[Worker]:
    """Open the prescreening and a way in, and let all candidates come."""
    change_rules(by=month.by, study=month.study, test_size=TEST_SIZE)
    open_prescreening(by=month.by, study=month.study)
    write_consent_text(by=month.by, study=month.study, markdown=CONSENT)
    link = create_recruitment(
        by=month.by, study=month.study, kind=RecruitmentKind.LINK, name="a link for everybody"
    )
    link = move_recruitment(by=month.by, recruitment=link, to=RecruitmentState.OPEN)
    people = make_candidates(CANDIDATES, month.dice)
    found = [
        Worker(one, member_of(month, join_by_link(recruitment=link, user=None).user))
        for one in people
    ]
    accounts = {worker.member.pk for worker in found}
    month.findings.check("candidates who came in by the link", len(accounts), len(people))
    return found


def member_of(month: Month, user: User) -> Member:
    """Return who somebody is in the study."""
    return month.study.members.select_related("study__protocol", "user").get(user=user)


def prescreen(month: Month, candidates: list[Worker]) -> list[Worker]:
    """Let all take tests until it is decided, and return those who may work."""
    early = sum(is_kept_out(worker) for worker in candidates)
    month.findings.check("kept out before they agree", early, len(candidates))
    for worker in candidates:
        give_consent(by=worker.member, version=1)
        while take_test(month, worker):
            pass
    compare(month, candidates)
    passed = names_of(month, candidates, QualifiedState.GRANTED)
    return [worker for worker in candidates if worker.name in passed]


def is_kept_out(worker: Worker) -> bool:
    """Say whether somebody cannot begin to work."""
    try:
        begin_work(by=worker.member, version=INSTRUCTIONS)
    except NotAdmitted:
        return True
    return False


def take_test(month: Month, worker: Worker) -> bool:
    """Take one test; say whether another may follow, by the rule as people know it."""
    sitting = begin_test(by=worker.member, version=INSTRUCTIONS)
    month.log.begin(sitting.pk, worker.name, month.rate)
    test = TakenTest(worker.name)
    month.log.tests.append(test)
    offer: Offer | None = next_task(by=worker.member, stage=STAGE)
    while offer and offer.assignment:
        offer = answer_one(month, worker, test, sitting.pk, offer)
    gold = month.log.gold()
    outcomes = [one.outcome(gold) for one in month.log.tests if one.person == worker.name]
    return outcomes[-1] != PASSED and outcomes.count(FAILED) < MOST_TESTS


def answer_one(
    month: Month, worker: Worker, test: TakenTest, sitting: int, offer: Offer
) -> Offer | None:
    """Answer the post on the screen, or now and then skip it."""
    held, person = offer.assignment, worker.person
    assert held
    post = held.task.post.external_id
    if person.dice.random() < SKIPS:
        return skip_one(worker, test, held.pk, post)
    test.said[post] = person.says(
        month.log.truth[post], is_hard=post in month.log.hard, is_test=True
    )
    month.log.votes_in[sitting] += 1
    answer = Answer(test.said[post], person.seconds(), INSTRUCTIONS)
    return answer_in_test(by=worker.member, stage=STAGE, assignment_id=held.pk, answer=answer)[1]


def skip_one(worker: Worker, test: TakenTest, held: int, post: str) -> Offer:
    """Skip a post of a test; the page ends the test when none is left."""
    skip_task(by=worker.member, assignment_id=held, reason=SkipReason.NOT_SURE)
    test.skipped.append(post)
    offer = next_task(by=worker.member, stage=STAGE)
    if offer.nothing in IS_OVER:
        finish_test(by=worker.member, stage=STAGE)
    return offer


def names_of(month: Month, candidates: list[Worker], state: str) -> set[str]:
    """Return who stands so, by the study's records."""
    found = Qualified.objects.filter(qualification__study=month.study, state=state)
    users = set(found.values_list("user", flat=True))
    return {worker.name for worker in candidates if worker.member.user_id in users}


def compare(month: Month, candidates: list[Worker]) -> None:
    """Hold the decisions against the answers that were given."""
    findings, gold = month.findings, month.log.gold()
    outcomes = [(test.person, test.outcome(gold)) for test in month.log.tests]
    passed = {person for person, outcome in outcomes if outcome == PASSED}
    failures = Counter(person for person, outcome in outcomes if outcome == FAILED)
    failed = {person for person in failures if failures[person] == MOST_TESTS}
    granted = names_of(month, candidates, QualifiedState.GRANTED)
    refused = names_of(month, candidates, QualifiedState.REFUSED)
    findings.check("qualified", sorted(granted), sorted(passed))
    findings.check("refused for good", sorted(refused), sorted(failed))
    kept_out = sum(is_kept_out(worker) for worker in candidates if worker.name in failed)
    findings.check("kept out after it", kept_out, len(failed))
    fewest, most = PASSING
    findings.check(f"from {fewest} to {most} pass", fewest <= len(passed) <= most, True)
    findings.note("tests taken", len(outcomes))
    undecided = sum(outcome == UNDECIDED for _person, outcome in outcomes)
    findings.note("of them with too few unambiguous posts, so another followed", undecided)
    kinds = {worker.name: worker.person.kind for worker in candidates}
    findings.note("passed, by what they are", dict(Counter(kinds[name] for name in passed)))
