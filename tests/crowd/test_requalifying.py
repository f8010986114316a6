"""A qualification is taken back and earned anew; studies of the same group share what holds."""

import threading

import pytest
from django.db import connection
from django.urls import reverse

from annotation.models import (
    BatchState,
    ExclusionKind,
    Role,
    Sitting,
    StageCode,
    Standing,
    StandingState,
)
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.standings import StandingRefused, change_standing, exclude
from annotation.services.votes import Answer, submit_vote
from crowd.models import Qualified
from crowd.queries.admission import next_gate
from crowd.queries.person import record_of
from crowd.queries.prescreening import Step, candidacy_of
from crowd.services.admission import NotAdmitted, begin_work
from crowd.services.batches import create_batch
from crowd.services.candidates import decide_candidate, requalify
from crowd.services.defaults import current_instructions
from crowd.services.prescreening import (
    PrescreeningRefused,
    change_rules,
    close_prescreening,
    open_prescreening,
)
from tests.api import caller
from tests.cast import add_posts, join, make_cast, upload
from tests.crowd.candidates import begin, candidate, open_with, take_test, wrong

pytestmark = pytest.mark.django_db

WHY = "Many answers differ from the guideline of late"
POOL = ["no_claim", "checkworthy"] * 8
RULES = {"test_size": 4, "min_votes": 3}


def open_batch(cast):
    """Open a batch for the crowd with posts that are in no pool."""
    from annotation.services.importing import import_posts
    from infra.jobs import no_report

    rows = "\n".join(f"w{number},Work {number}" for number in range(1, 7))
    import_posts(by=None, file=upload(cast.study, f"id,text\n{rows}"), report=no_report)
    ids = [f"w{number}" for number in range(1, 7)]
    batch = create_batch(by=None, study=cast.study, external_ids=ids)
    return move_batch(by=None, batch=batch, to=BatchState.OPEN)


def start_work(member):
    return begin_work(by=member, version=current_instructions(member.study).version)


def vote(member):
    held = next_task(by=member, stage=StageCode.CROWD).assignment
    submit_vote(by=member, assignment_id=held.pk, answer=Answer("no_claim", 4.0))


@pytest.fixture
def worker(cast):
    """Somebody who passed, and is in the middle of a sitting."""
    open_with(cast, POOL, **RULES)
    open_batch(cast)
    member = candidate(cast)
    take_test(member)
    start_work(member)
    vote(member)
    next_task(by=member, stage=StageCode.CROWD)
    return member


def again(cast, member):
    return requalify(by=cast.researcher.user, member=member, reason=WHY)


def test_who_qualifies_anew_gets_no_post_before_they_have_passed_again(cast, worker, sign_in):
    taken_back = again(cast, worker)
    assert (taken_back.state, taken_back.reason) == ("revoked", WHY)
    assert taken_back.decided_by == cast.researcher.user
    assert next_task(by=worker, stage=StageCode.CROWD).assignment is None
    with pytest.raises(NotAdmitted):
        start_work(worker)
    page = sign_in(worker).get(reverse("work", args=[cast.study.slug]), follow=True)
    words = page.content.decode()
    assert "Another test, please" in words and WHY not in words
    assert take_test(worker).outcome == "passed"
    assert Qualified.objects.get(user=worker.user).state == "granted"
    start_work(worker)
    vote(worker)


def test_the_sitting_ends_and_what_was_done_in_it_stays(cast, worker):
    again(cast, worker)
    sitting = Sitting.objects.get(member=worker, stage=StageCode.CROWD)
    assert (sitting.state, sitting.votes) == ("left", 1)
    other = candidate(cast, "other")
    take_test(other)
    start_work(other)
    for _post in range(6):
        vote(other)
    assert next_task(by=other, stage=StageCode.CROWD).assignment is None


def test_old_tests_count_neither_for_nor_against_the_new_ones(cast):
    open_with(cast, POOL, **RULES, max_tests=2)
    member = candidate(cast)
    take_test(member, wrong)
    take_test(member)
    again(cast, member)
    assert candidacy_of(member).step is Step.ANEW and candidacy_of(member).tests_left == 2
    take_test(member, wrong)
    assert candidacy_of(member).step is Step.AGAIN and candidacy_of(member).tests_left == 1


def test_who_fails_anew_is_out_for_good(cast, worker):
    change_rules(by=None, study=cast.study, max_tests=1)
    again(cast, worker)
    take_test(worker, wrong)
    assert candidacy_of(worker).step is Step.REFUSED and next_gate(worker) == "prescreening"


def test_who_was_paused_may_work_once_they_have_passed(cast, worker):
    paused = {"stage": StageCode.CROWD, "state": StandingState.PAUSED, "reason": "a rule"}
    change_standing(by=None, member=worker, **paused)
    again(cast, worker)
    take_test(worker)
    start_work(worker)
    vote(worker)
    assert Standing.objects.get(member=worker, stage=StageCode.CROWD).state == "active"


def test_who_failed_for_good_can_be_given_another_chance(cast):
    open_with(cast, POOL, **RULES, max_tests=1)
    member = candidate(cast)
    take_test(member, wrong)
    again(cast, member)
    assert candidacy_of(member).step is Step.ANEW


def test_where_there_is_no_prescreening_it_is_refused(cast):
    add_posts(cast.study, 4)
    with pytest.raises(PrescreeningRefused, match="is not open"):
        again(cast, cast.worker)
    assert not Qualified.objects.exists()
    assert Sitting.objects.get(member=cast.worker).state == "open"


def test_it_is_refused_twice_at_a_test_and_where_the_pool_is_used_up(cast, worker):
    again(cast, worker)
    with pytest.raises(PrescreeningRefused, match="already"):
        again(cast, worker)
    other = candidate(cast, "other")
    begin(other)
    with pytest.raises(PrescreeningRefused, match="at a test"):
        again(cast, other)
    for _round in range(2):
        take_test(worker)
        again(cast, worker)
    take_test(worker)
    with pytest.raises(PrescreeningRefused, match="Too few posts of the pool"):
        again(cast, worker)
    assert Qualified.objects.get(user=worker.user).state == "granted"


def test_who_was_dismissed_stays_out(cast, worker):
    exclude(by=None, member=worker, stage=StageCode.CROWD, kind=ExclusionKind.DISMISSED)
    with pytest.raises(StandingRefused):
        again(cast, worker)
    assert Qualified.objects.get(user=worker.user).state == "granted"


def test_once_prescreening_is_closed_a_researcher_decides(cast, worker, sign_in):
    again(cast, worker)
    close_prescreening(by=None, study=cast.study)
    assert next_gate(worker) == "prescreening"
    page = sign_in(worker).get(reverse("prescreening", args=[cast.study.slug]))
    assert "No test for you at present" in page.content.decode()
    decide_candidate(by=cast.owner.user, member=worker, is_approved=True)
    assert next_gate(worker) == ""


def test_it_is_done_from_the_persons_page_with_a_reason_that_stays_on_record(cast, worker, sign_in):
    client = sign_in(cast.researcher)
    address = reverse("crowd_person_requalify", args=[cast.study.slug, worker.pseudonym])
    assert "Say why first" in client.post(address, follow=True).content.decode()
    assert Qualified.objects.get(user=worker.user).state == "granted"
    page = client.post(address, {"reason": WHY}, follow=True).content.decode()
    assert "takes a test before they go on" in page and WHY in page
    take_test(worker)
    person = reverse("crowd_person", args=[cast.study.slug, worker.pseudonym])
    assert WHY in client.get(person).content.decode()
    close_prescreening(by=None, study=cast.study)
    assert "Have them qualify anew" not in client.get(person).content.decode()


def test_it_is_done_by_the_api(cast, worker):
    api = caller(cast.researcher)
    assert api.post("crowd_person_requalify", worker.pseudonym).status_code == 422
    shown = api.post("crowd_person_requalify", worker.pseudonym, body={"reason": WHY}).json()
    states = [one["state"] for one in shown["qualifications"]]
    assert states == ["revoked", "granted"] and shown["qualifications"][0]["by_hand"]
    twice = api.post("crowd_person_requalify", worker.pseudonym, body={"reason": WHY})
    assert twice.status_code == 409 and "already" in twice.json()["detail"]


@pytest.mark.django_db(transaction=True)
def test_two_researchers_who_take_it_back_at_once_do_it_once(cast, worker):
    barrier, done, refused = threading.Barrier(2), [], []

    def take_back():
        try:
            barrier.wait()
            done.append(again(cast, worker))
        except PrescreeningRefused as refusal:
            refused.append(str(refusal))
        finally:
            connection.close()

    clicks = [threading.Thread(target=take_back) for _click in range(2)]
    for click in clicks:
        click.start()
    for click in clicks:
        click.join()
    assert len(done) == len(refused) == 1 and "already" in refused[0]
    states = [one.state for one in record_of(worker).qualifications]
    assert states == ["revoked", "granted"]


@pytest.fixture
def sister(cast, worker):
    """A later study of the same group, which accepts the qualification; the worker is in it."""
    sister = make_cast("later")
    join(sister.study, cast.owner.user.username, Role.OWNER)
    accepted = [cast.study.qualification.pk]
    open_with(sister, POOL, **RULES)
    change_rules(by=sister.owner.user, study=sister.study, accepted=accepted)
    open_batch(sister)
    return sister


def test_who_qualified_works_in_a_later_study_of_the_group_without_a_test(sister, worker):
    member = join(sister.study, worker.user.username, Role.CROWD_WORKER, posts=0)
    stranger = candidate(sister, "stranger")
    start_work(member)
    vote(member)
    with pytest.raises(NotAdmitted):
        start_work(stranger)
    assert candidacy_of(member).tests == []


def test_whose_qualification_was_taken_back_does_not(cast, sister, worker):
    member = join(sister.study, worker.user.username, Role.CROWD_WORKER, posts=0)
    again(cast, worker)
    with pytest.raises(NotAdmitted):
        start_work(member)
    take_test(worker)
    start_work(member)
    vote(member)


def test_a_later_study_takes_back_what_it_had_accepted_for_itself_alone(sister, worker):
    member = join(sister.study, worker.user.username, Role.CROWD_WORKER, posts=0)
    start_work(member)
    again(sister, member)
    assert next_gate(member) == "prescreening" and next_gate(worker) == ""
    take_test(member)
    start_work(member)
    open_prescreening(by=None, study=sister.study)
    assert next_gate(member) == ""
