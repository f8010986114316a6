"""Candidates take a test on the screen of the real work; what it says of them holds."""

from decimal import Decimal

import pytest
from django.urls import reverse

from annotation.models import (
    BatchState,
    Sitting,
    SkipReason,
    StageCode,
    Standing,
    StandingState,
    Task,
    TaskKind,
    Vote,
)
from annotation.services.assignments import Nothing, next_task, skip_task
from annotation.services.batches import move_batch
from annotation.services.votes import Answer, VoteRefused
from crowd.models import GoldLabel, PayRules, PrescreeningTest, Qualified
from crowd.queries.admission import next_gate
from crowd.queries.prescreening import (
    Step,
    candidacy_of,
    needs_prescreening,
    posts_for,
    rows_of,
    taken_tests,
)
from crowd.services.admission import NotAdmitted, begin_work
from crowd.services.batches import create_batch
from crowd.services.candidates import begin_test, decide_candidate
from crowd.services.prescreening import (
    PrescreeningRefused,
    change_rules,
    close_prescreening,
    open_prescreening,
)
from crowd.services.work import correct
from tests.cast import join, make_cast
from tests.crowd.candidates import (
    LABELS,
    answer_next,
    begin,
    candidate,
    closed_pool,
    open_with,
    right,
    take_test,
    wrong,
)

pytestmark = pytest.mark.django_db

SMALL = {"test_size": 4, "min_votes": 3}
POOL = [*LABELS, "no_claim", "no_claim", "checkworthy", "ambiguous"]


def url(name, cast, *more):
    return reverse(name, args=[cast.study.slug, *more])


def page(response):
    return " ".join(response.content.decode().split())


def state_of(member):
    return Qualified.objects.get(user=member.user).state


def test_the_posts_of_the_closed_pool_become_open_tasks(cast):
    open_with(cast, POOL, **SMALL)
    tasks = Task.objects.filter(stage=StageCode.PRESCREENING)
    assert tasks.count() == len(POOL)
    assert set(tasks.values_list("kind", "batch__state")) == {(TaskKind.OPEN, BatchState.OPEN)}
    open_prescreening(by=None, study=cast.study)
    assert tasks.count() == len(POOL)


def test_prescreening_cannot_open_over_a_pool_that_is_too_small_for_its_rules(cast):
    with pytest.raises(PrescreeningRefused, match="has 0 unambiguous posts"):
        open_prescreening(by=None, study=cast.study)
    closed_pool(cast, ["no_claim"] * 3 + ["ambiguous"] * 9)
    with pytest.raises(PrescreeningRefused, match="has 3 unambiguous posts"):
        open_prescreening(by=None, study=cast.study)
    change_rules(by=None, study=cast.study, test_size=6, min_votes=3, min_per_label=1)
    with pytest.raises(PrescreeningRefused, match="has 0 posts of “"):
        open_prescreening(by=None, study=cast.study)
    assert not Task.objects.filter(stage=StageCode.PRESCREENING).exists()


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"test_size": 9}, "at least as many posts as the votes"),
        ({"min_per_label": 7}, "7 posts of each of 3 labels do not fit"),
        ({"pass_share": Decimal("1.5")}, "less than or equal to 1"),
        ({"max_tests": 0}, "greater than or equal to 1"),
    ],
)
def test_rules_that_nobody_can_meet_are_refused(cast, rules, sentence):
    with pytest.raises(PrescreeningRefused, match=sentence):
        change_rules(by=None, study=cast.study, **rules)


def test_without_prescreening_nothing_stands_between_a_worker_and_the_work(cast):
    closed_pool(cast, POOL)
    newcomer = candidate(cast)
    assert next_gate(newcomer) == ""
    change_rules(by=None, study=cast.study, **SMALL)
    assert next_gate(newcomer) == ""
    open_prescreening(by=None, study=cast.study)
    assert next_gate(newcomer) == "prescreening"
    close_prescreening(by=None, study=cast.study)
    assert next_gate(newcomer) == ""


def test_the_gate_costs_one_query(cast, django_assert_num_queries):
    open_with(cast, POOL, **SMALL)
    newcomer, passed = candidate(cast), candidate(cast, "passed")
    take_test(passed)
    for member, gate in ((newcomer, "prescreening"), (passed, "")):
        with django_assert_num_queries(1):
            assert needs_prescreening(member) == gate


def test_whoever_is_in_a_sitting_is_not_asked(cast, sign_in):
    open_with(cast, POOL, **SMALL)
    assert sign_in(cast.worker).get(url("work", cast)).status_code == 200
    newcomer = candidate(cast)
    answer = sign_in(newcomer).get(url("work", cast))
    assert answer["Location"] == url("prescreening", cast)


def test_nobody_begins_to_work_around_the_gate(cast):
    open_with(cast, POOL, **SMALL)
    newcomer = candidate(cast)
    with pytest.raises(NotAdmitted):
        begin_work(by=newcomer, version=1)
    assert not Sitting.objects.filter(member=newcomer).exists()


def test_the_way_of_a_candidate_who_passes(cast, sign_in):
    open_with(cast, POOL, **SMALL)
    newcomer = candidate(cast)
    client = sign_in(newcomer)
    first = page(client.get(url("prescreening", cast)))
    assert "First, a test" in first and "up to 4 posts" in first
    assert client.get(url("prescreening_test", cast)).status_code == 302
    begun = client.post(url("prescreening_start", cast), {"version": 1}, follow=True)
    assert 'data-stage="prescreening"' in page(begun) and "Post 1 of 4" in page(begun)
    assert "lease-clock" in page(begun)
    shown = [slot.task.post.text for slot in Sitting.objects.get(member=newcomer).slots.all()]
    for number, text in enumerate(shown, start=1):
        held = next_task(by=newcomer, stage="prescreening").assignment
        assert held.task.post.text == text
        answer = {"label": right(held.task.post.gold_label.label), "seconds": 3}
        shown_next = client.post(url("prescreening_submit", cast, held.pk), answer, follow=True)
        assert (f"Post {number + 1} of 4" in page(shown_next)) == (number < 4)
    assert "You have passed" in page(shown_next)
    sitting = Sitting.objects.get(member=newcomer, stage="prescreening")
    assert sitting.completion_code in page(shown_next) and sitting.reward == Decimal("0.18")
    assert state_of(newcomer) == "granted"
    assert "Ready when you are" in page(client.get(url("work", cast)))


def test_a_test_is_paid_unless_the_rules_of_pay_say_otherwise_beforehand(cast, sign_in):
    open_with(cast, POOL, **SMALL)
    paid, unpaid = candidate(cast), candidate(cast, "later")
    assert "paid like the work" in page(sign_in(paid).get(url("prescreening", cast)))
    begin(paid)
    PayRules.objects.create(study=cast.study, prescreening_is_paid=False)
    html = page(sign_in(unpaid).get(url("prescreening", cast)))
    assert "paid" not in html and "0.18" not in html
    begin(unpaid)
    rewards = [taken_tests(member)[0].sitting.reward for member in (paid, unpaid)]
    assert rewards == [Decimal("0.18"), 0]


def test_the_last_answer_sent_by_a_script_leads_to_the_result(cast, sign_in):
    open_with(cast, POOL, **SMALL)
    newcomer = candidate(cast)
    begin(newcomer)
    for _post in range(3):
        answer_next(newcomer)
    held = next_task(by=newcomer, stage="prescreening").assignment
    answer = sign_in(newcomer).post(
        url("prescreening_submit", cast, held.pk),
        {"label": "no_claim"},
        headers={"Sec-Fetch-Dest": "empty"},
    )
    assert answer["Location"] == url("prescreening", cast)


def test_failing_is_kind_and_final_after_the_allowed_tests(cast, sign_in):
    open_with(cast, [*POOL, *LABELS], test_size=3, min_votes=1)
    newcomer = candidate(cast)
    client = sign_in(newcomer)
    assert take_test(newcomer, wrong).outcome == "failed"
    again = page(client.get(url("prescreening", cast)))
    assert "You can try once more" in again and "1 more test" in again
    assert take_test(newcomer, wrong).outcome == "failed"
    result = page(client.get(url("prescreening", cast)))
    assert "Thank you for your time" in result and "is paid" in result
    with pytest.raises(NotAdmitted):
        begin(newcomer)
    close_prescreening(by=None, study=cast.study)
    assert next_gate(newcomer) == "prescreening"
    assert next_gate(candidate(cast, "later")) == ""
    seen = Vote.objects.filter(member=newcomer).values_list("task")
    assert len(seen) == len(set(seen)) == 6


def test_only_ambiguous_posts_bring_a_second_test_that_is_no_retake(cast):
    open_with(cast, ["no_claim"] * 8, test_size=4, min_votes=4, max_tests=1)
    newcomer = candidate(cast)
    begin(newcomer)
    test = taken_tests(newcomer)[-1]
    GoldLabel.objects.filter(post__tasks__slots__sitting=test.sitting).update(label="ambiguous")
    unseen = posts_for(newcomer)
    for _post in range(4):
        answer_next(newcomer)
    first = taken_tests(newcomer)[-1]
    assert (first.outcome, first.scored) == ("undecided", 0)
    assert candidacy_of(newcomer).step is Step.SECOND
    assert not Qualified.objects.exists()
    second = take_test(newcomer)
    assert second.only_unambiguous and second.outcome == "passed"
    assert {row.slot.task_id for row in rows_of(second)} <= {post.task for post in unseen}
    assert {row.gold for row in rows_of(second)} == {"no_claim"}


def test_after_the_second_test_a_failure_counts(cast):
    open_with(cast, ["no_claim"] * 8, test_size=4, min_votes=4, max_tests=1)
    newcomer = candidate(cast)
    assert take_test(newcomer, wrong).outcome == "failed"
    assert candidacy_of(newcomer).step is Step.REFUSED


def test_where_no_posts_are_left_to_test_with_a_researcher_can_decide(cast, sign_in):
    open_with(cast, ["no_claim"] * 4, test_size=4, min_votes=4)
    newcomer = candidate(cast)
    assert take_test(newcomer, wrong).outcome == "failed"
    assert candidacy_of(newcomer).step is Step.WAITING
    assert "Waiting for approval" in page(sign_in(newcomer).get(url("prescreening", cast)))
    candidate_page = sign_in(cast.researcher).get(url("crowd_candidate", cast, newcomer.pseudonym))
    assert "Too few posts of the pool are left for one more test" in page(candidate_page)
    decide_candidate(by=cast.owner.user, member=newcomer, is_approved=True)
    assert next_gate(newcomer) == ""


def test_an_undecided_test_that_used_up_the_pool_leaves_the_decision_to_a_researcher(cast):
    """Of few posts, most turn out ambiguous: nobody is given a post twice, and nobody is lost."""
    open_with(cast, ["no_claim"] * 6, test_size=4, min_votes=3)
    newcomer = candidate(cast)
    begin(newcomer)
    test = taken_tests(newcomer)[-1]
    GoldLabel.objects.filter(post__tasks__slots__sitting=test.sitting).update(label="ambiguous")
    for _post in range(4):
        answer_next(newcomer)
    assert taken_tests(newcomer)[-1].outcome == "undecided"
    waiting = Qualified.objects.get(user=newcomer.user)
    assert (waiting.state, waiting.decided_by) == ("waiting", None) and waiting.reason
    assert not candidacy_of(newcomer).may_begin
    with pytest.raises(NotAdmitted):
        begin(newcomer)
    decide_candidate(by=cast.owner.user, member=newcomer, is_approved=True)
    assert next_gate(newcomer) == ""


def test_while_the_pool_lasts_each_test_has_posts_of_its_own(cast):
    open_with(cast, ["no_claim"] * 40, test_size=10, min_votes=10, max_tests=3)
    newcomer = candidate(cast)
    for _test in range(3):
        take_test(newcomer, wrong)
    assert state_of(newcomer) == "refused"
    seen = Vote.objects.filter(member=newcomer).values_list("task", flat=True)
    assert len(seen) == len(set(seen)) == 30


def test_a_skipped_post_is_followed_by_the_next_and_the_last_skip_ends_the_test(cast, sign_in):
    open_with(cast, ["no_claim"] * 8, test_size=4, min_votes=3)
    newcomer = candidate(cast)
    client = sign_in(newcomer)
    begin(newcomer)
    first = next_task(by=newcomer, stage="prescreening").assignment
    client.post(url("prescreening_skip", cast, first.pk), {"reason": "not_sure"})
    for _post in range(2):
        answer_next(newcomer)
    last = next_task(by=newcomer, stage="prescreening").assignment
    assert last.task_id != first.task_id
    skipped = client.post(
        url("prescreening_skip", cast, last.pk), {"reason": "not_sure"}, follow=True
    )
    assert "You can try once more" in page(skipped)
    test = taken_tests(newcomer)[0]
    assert (test.outcome, test.scored, test.sitting.state) == ("failed", 2, "complete")


def test_what_harms_a_candidate_never_costs_the_test(cast):
    open_with(cast, POOL[:6], test_size=4, min_votes=3)
    newcomer = candidate(cast)
    begin(newcomer)
    for _post in range(2):
        held = next_task(by=newcomer, stage="prescreening").assignment
        skip_task(by=newcomer, assignment_id=held.pk, reason=SkipReason.HARMFUL)
    for _post in range(2):
        answer_next(newcomer)
    assert taken_tests(newcomer)[0].outcome == "undecided"


def test_answers_can_be_corrected_until_the_test_is_complete_and_the_newest_count(cast, sign_in):
    open_with(cast, ["no_claim"] * 4, test_size=4, min_votes=4)
    newcomer = candidate(cast)
    client = sign_in(newcomer)
    begin(newcomer)
    first = answer_next(newcomer, wrong)
    second = answer_next(newcomer, wrong)
    for assignment in (first, second):
        correction = {"label": "no_claim", "vote_version": "1"}
        client.post(url("prescreening_correct", cast, assignment), correction)
    assert url("prescreening_correct", cast, first) in page(
        client.get(url("prescreening_votes", cast))
    )
    for _post in range(2):
        answer_next(newcomer)
    test = taken_tests(newcomer)[0]
    assert (test.outcome, test.correct) == ("passed", 4)
    late = {"label": "checkworthy", "vote_version": "2"}
    answer = client.post(url("prescreening_correct", cast, first), late)
    assert answer.status_code == 409 and "This test is complete" in page(answer)
    with pytest.raises(VoteRefused):
        correct(by=newcomer, assignment_id=first, answer=Answer("checkworthy"), seen_version=2)
    assert url("prescreening_correct", cast, first) not in page(
        client.get(url("prescreening_votes", cast))
    )


def test_a_candidate_waits_for_a_researcher_where_the_study_wants_that(cast, sign_in):
    open_with(cast, POOL, **SMALL, approval="by_hand")
    batch = create_some_work(cast)
    newcomer, other = candidate(cast), candidate(cast, "other")
    for member in (newcomer, other):
        take_test(member)
        assert state_of(member) == "waiting"
        assert next_task(by=member, stage="crowd").nothing is Nothing.YOU_WAIT
        assert next_gate(member) == "prescreening"
    html = page(sign_in(newcomer).get(url("prescreening", cast)))
    assert "Waiting for approval" in html
    decide_candidate(by=cast.researcher.user, member=newcomer, is_approved=True)
    assert next_gate(newcomer) == ""
    assert Standing.objects.get(member=newcomer, stage="crowd").state == StandingState.ACTIVE
    begin_work(by=newcomer, version=1)
    assert next_task(by=newcomer, stage="crowd").assignment.task.batch == batch
    decide_candidate(by=cast.researcher.user, member=other, is_approved=False, reason="Guesses")
    assert next_gate(other) == "prescreening"
    assert next_task(by=other, stage="crowd").nothing is Nothing.YOU_ARE_PAUSED
    refused = page(sign_in(other).get(url("prescreening", cast)))
    assert "Thank you for your time" in refused and "Guesses" not in refused


def create_some_work(cast):
    from annotation.models import Post
    from annotation.services.importing import import_posts
    from infra.jobs import no_report
    from tests.cast import upload

    import_posts(by=None, file=upload(cast.study, "id,text\nw1,Some work\n"), report=no_report)
    assert Post.objects.filter(study=cast.study, external_id="w1").exists()
    batch = create_batch(by=None, study=cast.study, external_ids=["w1"])
    return move_batch(by=None, batch=batch, to=BatchState.OPEN)


def test_a_study_of_the_same_group_accepts_a_qualification(cast):
    open_with(cast, POOL, **SMALL)
    earned = take_test(candidate(cast)).sitting.member
    later = make_cast("later")
    join(later.study, cast.owner.user.username, "owner")
    open_with(later, POOL, **SMALL)
    again = join(later.study, "candidate", "crowd_worker", posts=0)
    assert again.user == earned.user
    assert next_gate(again) == "prescreening"
    mine = cast.study.qualification
    change_rules(by=None, study=later.study, accepted=[mine.pk])
    assert next_gate(again) == ""
    change_rules(by=None, study=later.study, accepted=[])
    assert next_gate(again) == "prescreening"


def test_a_qualification_of_another_group_is_refused(cast):
    open_with(cast, POOL, **SMALL)
    stranger = make_cast("strangers")
    with pytest.raises(PrescreeningRefused, match="share an owner"):
        change_rules(by=None, study=stranger.study, accepted=[cast.study.qualification.pk])
    assert not stranger.study.__class__.objects.filter(
        prescreening_rules__accepted__isnull=False
    ).exists()


def test_a_test_is_recorded_with_its_seed_and_drawn_for_each_person(cast):
    open_with(cast, ["no_claim"] * 12, test_size=6, min_votes=3)
    orders = set()
    for number in range(4):
        member = candidate(cast, f"candidate-{number}")
        begin(member)
        test = PrescreeningTest.objects.get(sitting__member=member)
        orders.add(tuple(test.sitting.slots.values_list("task", flat=True)))
        assert test.seed >= 0
    assert len(orders) > 1


def test_another_test_begins_only_when_one_is_over(cast):
    open_with(cast, POOL, **SMALL)
    newcomer = candidate(cast)
    begin(newcomer)
    answer_next(newcomer)
    begin(newcomer)
    assert PrescreeningTest.objects.count() == 1
    assert taken_tests(newcomer)[0].sitting.votes == 1


def test_who_is_qualified_needs_no_other_test(cast):
    open_with(cast, POOL, **SMALL)
    newcomer = candidate(cast)
    take_test(newcomer)
    with pytest.raises(NotAdmitted) as refusal:
        begin_test(by=newcomer, version=1)
    assert refusal.value.gate == "work"
    assert PrescreeningTest.objects.count() == 1


@pytest.mark.parametrize(("most", "is_warned"), [(1, False), (2, True)])
def test_rules_warn_where_the_pool_is_too_small_for_another_test(cast, sign_in, most, is_warned):
    open_with(cast, ["no_claim"] * 5, test_size=4, max_tests=most, min_votes=2, min_per_label=0)
    client = sign_in(cast.researcher)
    for name in ("crowd_prescreening", "crowd_prescreening_rules"):
        html = client.get(reverse(name, args=[cast.study.slug])).content.decode()
        assert ("needs 6 unambiguous posts. It has 5." in html) == is_warned
