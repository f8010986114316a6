"""What other platforms got wrong, and what the task engine promises beside exact overlap."""

import threading

import pytest
from django.db import connection, transaction

from annotation.models import (
    Assignment,
    BatchState,
    Cursor,
    Exclusion,
    Place,
    Role,
    Sitting,
    SittingState,
    StageCode,
    Standing,
    StandingChange,
    StandingState,
    Task,
    Vote,
)
from annotation.models.votes import COUNTING
from annotation.services.assignments import Nothing, next_task, skip_task
from annotation.services.batches import move_batch
from annotation.services.sittings import begin_sitting, end_sitting
from annotation.services.standings import StandingRefused, change_standing, exclude
from annotation.services.votes import (
    Answer,
    VoteRefused,
    correct_vote,
    submit_vote,
    vote_and_go_on,
)
from annotation.sql import TASK_ENGINE
from tests.cast import add_posts, join, make_cast, sample_batch

LABELS = ["no_claim", "not_checkworthy", "checkworthy"]
CROWD = StageCode.CROWD

pytestmark = pytest.mark.django_db


def opened(study, posts, votes=3):
    add_posts(study, posts)
    batch = sample_batch(
        study=study, stage=CROWD, labels=LABELS, number=posts, votes_wanted=votes, seed=1
    )
    return move_batch(by=None, batch=batch, to=BatchState.OPEN)


def workers(study, number, **more):
    return [join(study, f"hand-{count}", Role.CROWD_WORKER, **more) for count in range(number)]


def take(member):
    return next_task(by=member, stage=CROWD)


def answer(member, label="checkworthy"):
    held = take(member).assignment
    return submit_vote(by=member, assignment_id=held.pk, answer=Answer(label, 3.0, 1))[0]


def work_until_nothing(member, label="checkworthy"):
    while (offer := take(member)).assignment:
        submit_vote(by=member, assignment_id=offer.assignment.pk, answer=Answer(label))
    return offer.nothing


def lapse():
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE annotation_place SET lease_until = now() - interval '1 minute' "
            "WHERE filled_at IS NULL AND member_id IS NOT NULL"
        )


def counted():
    found = dict.fromkeys(Task.objects.values_list("pk", flat=True), 0)
    for task in Vote.objects.counting().values_list("task_id", flat=True):
        found[task] += 1
    return found


class TestPlacesOfThoseWhoLeft:
    def test_twenty_people_open_a_post_and_leave_and_each_post_still_gets_its_votes(self, cast):
        opened(cast.study, 30)
        people = workers(cast.study, 23)
        for member in people[:20]:
            assert take(member).assignment
        lapse()
        for member in people[20:]:
            work_until_nothing(member)
        assert set(counted().values()) == {3}

    def test_a_post_that_was_skipped_comes_to_somebody_who_had_passed_it(self, cast):
        opened(cast.study, 3, votes=1)
        first, second = workers(cast.study, 2)
        held = take(first).assignment
        seen = {answer(second).task_id, answer(second).task_id}
        assert take(second).nothing == Nothing.HELD_BY_OTHERS
        skip_task(by=first, assignment_id=held.pk, reason="not_sure")
        assert take(second).assignment.task_id == held.task_id not in seen
        assert take(first).nothing == Nothing.DONE

    def test_posts_that_others_began_come_before_untouched_ones(self, cast):
        opened(cast.study, 5, votes=2)
        first, second, third = workers(cast.study, 3)
        begun = take(first).assignment
        answer(second)
        skip_task(by=first, assignment_id=begun.pk, reason="not_sure")
        assert take(third).assignment.task_id == begun.task_id

    def test_a_place_that_a_failed_transaction_left_behind_is_found_again(self, cast):
        batch = opened(cast.study, 4, votes=1)
        member = cast.worker
        left_behind = Place.objects.get(batch=batch, position=2)
        Cursor.objects.create(member=member, batch=batch, position=4)
        Place.objects.exclude(pk=left_behind.pk).filter(batch=batch).update(
            lease_until="2200-01-01T00:00:00Z", member=cast.expert
        )
        assert take(member).assignment.task_id == left_behind.task_id

    def test_what_is_looked_through_behind_goes_on_where_it_stopped(self, cast):
        batch = opened(cast.study, 250, votes=2)
        member = cast.worker
        for place in Place.objects.filter(batch=batch, number=1, position__lte=249):
            Assignment.objects.create(
                task_id=place.task_id, member=member, state="skipped", opened_at="2024-01-01T00:00Z"
            )
        Place.objects.filter(batch=batch, number=1).update(
            lease_until="2200-01-01T00:00:00Z", member=cast.expert
        )
        Cursor.objects.create(member=member, batch=batch, position=250)
        found = [take(member).assignment for _number in range(2)]
        assert found[0] is None and found[1].task.position == 250


class TestReasonsForNothing:
    @pytest.mark.parametrize(
        ("field", "nothing"),
        [("person_limit", Nothing.LIMIT), ("daily_cap", Nothing.DAILY_CAP)],
    )
    def test_a_limit_ends_the_work_after_exactly_so_many_votes(self, cast, field, nothing):
        setattr(cast.study.protocol, field, 2)
        cast.study.protocol.save()
        opened(cast.study, 5)
        assert work_until_nothing(cast.worker) == nothing
        assert Vote.objects.count() == 2

    def test_yesterdays_votes_do_not_count_towards_todays_cap(self, cast):
        cast.study.protocol.daily_cap = 1
        cast.study.protocol.save()
        opened(cast.study, 5)
        answer(cast.worker)
        assert take(cast.worker).nothing == Nothing.DAILY_CAP
        Standing.objects.update(day="2024-01-01")
        assert take(cast.worker).assignment

    @pytest.mark.parametrize(
        ("state", "nothing"),
        [
            (StandingState.WAITING, Nothing.YOU_WAIT),
            (StandingState.PAUSED, Nothing.YOU_ARE_PAUSED),
        ],
    )
    def test_who_may_not_work_hears_why_and_what_they_held_is_free(self, cast, state, nothing):
        opened(cast.study, 1, votes=1)
        other = workers(cast.study, 1)[0]
        held = take(cast.worker).assignment
        change_standing(by=None, member=cast.worker, stage=CROWD, state=state, reason="Look first")
        assert take(cast.worker).nothing == nothing
        with pytest.raises(VoteRefused):
            submit_vote(by=cast.worker, assignment_id=held.pk, answer=Answer("no_claim"))
        assert not Vote.objects.exists()
        assert take(other).assignment.task_id == held.task_id
        assert StandingChange.objects.get().reason == "Look first"

    def test_who_may_work_again_goes_on(self, cast):
        opened(cast.study, 1)
        for state in (StandingState.PAUSED, StandingState.ACTIVE):
            change_standing(by=None, member=cast.worker, stage=CROWD, state=state, reason="")
        assert take(cast.worker).assignment


class TestSittings:
    def test_a_sitting_counts_its_posts_and_ends_with_the_last(self, cast):
        opened(cast.study, 5)
        member = workers(cast.study, 1, posts=2)[0]
        held = take(member).assignment
        assert (held.sitting.votes, held.sitting.size) == (0, 2)
        _receipt, offer = vote_and_go_on(
            by=member, stage=CROWD, assignment_id=held.pk, answer=Answer("no_claim", 4.0)
        )
        assert offer.assignment.sitting.votes == 1
        assert offer.assignment.sitting.active_seconds == 4.0
        _receipt, offer = vote_and_go_on(
            by=member, stage=CROWD, assignment_id=offer.assignment.pk, answer=Answer("no_claim")
        )
        assert offer.nothing == Nothing.NO_SITTING
        sitting = Sitting.objects.get(member=member)
        assert sitting.state == SittingState.COMPLETE and sitting.ended_at

    def test_what_is_left_of_a_sitting_is_resumed_with_its_old_reward(self, cast):
        opened(cast.study, 5)
        member = workers(cast.study, 1, posts=3)[0]
        answer(member)
        cast.study.protocol.reward = 9
        cast.study.protocol.save()
        again = begin_sitting(by=member, stage=CROWD, size=50)
        assert (again.votes, again.size, str(again.reward)) == (1, 3, "0.18")
        assert Sitting.objects.filter(member=member).count() == 1

    def test_leaving_keeps_the_votes_and_gives_back_what_is_held(self, cast):
        opened(cast.study, 2, votes=1)
        member, other = workers(cast.study, 2, posts=5)
        answer(member)
        held = take(member).assignment
        end_sitting(by=member, stage=CROWD, state=SittingState.LEFT)
        assert Vote.objects.counting().count() == 1
        assert take(other).assignment.task_id == held.task_id
        assert take(member).nothing == Nothing.NO_SITTING

    def test_codes_of_sittings_cannot_be_guessed_from_each_other(self, cast):
        sittings = [
            Sitting.objects.get(member=member) for member in workers(cast.study, 20, posts=2)
        ]
        codes = {sitting.completion_code for sitting in sittings}
        assert len(codes) == 20 and all(len(code) == 20 for code in codes)


class TestTies:
    @pytest.fixture
    def people(self, cast):
        cast.study.protocol.tie_votes = 2
        cast.study.protocol.save()
        opened(cast.study, 1)
        return workers(cast.study, 7)

    def test_three_who_disagree_ask_for_a_fourth_and_a_fifth_vote_and_no_more(self, people):
        for member, label in zip(people, [*LABELS, LABELS[0], LABELS[1]], strict=False):
            answer(member, label)
        assert set(counted().values()) == {5}
        assert take(people[5]).nothing == Nothing.DONE

    def test_a_majority_asks_for_no_more(self, people):
        for member, label in zip(people[:3], [LABELS[0], LABELS[0], LABELS[1]], strict=True):
            answer(member, label)
        assert take(people[3]).nothing == Nothing.DONE

    def test_a_correction_that_makes_a_majority_takes_the_free_place_away_again(self, people):
        votes = [answer(member, label) for member, label in zip(people[:3], LABELS, strict=True)]
        assert Place.objects.count() == 4
        mine = Assignment.objects.get(task=votes[0].task_id, member=people[0])
        correct_vote(by=people[0], assignment_id=mine.pk, answer=Answer(LABELS[1]))
        assert Place.objects.count() == 3 and take(people[4]).nothing == Nothing.DONE

    def test_a_correction_that_undoes_a_majority_asks_for_one_more(self, people):
        for member, label in zip(people[:3], [LABELS[0], LABELS[0], LABELS[1]], strict=True):
            answer(member, label)
        mine = Assignment.objects.get(member=people[0])
        correct_vote(by=people[0], assignment_id=mine.pk, answer=Answer(LABELS[2]))
        assert take(people[3]).assignment

    def test_without_the_rule_a_tie_stays_a_tie(self, cast):
        opened(cast.study, 1)
        for member, label in zip(workers(cast.study, 3), LABELS, strict=True):
            answer(member, label)
        assert Place.objects.count() == 3


class TestExclusion:
    @pytest.fixture
    def people(self, cast):
        self.batch = opened(cast.study, 4, votes=2)
        people = workers(cast.study, 3)
        for member in people[:2]:
            work_until_nothing(member)
        return people

    def test_votes_stop_counting_and_their_places_are_filled_anew_exactly(self, people):
        out = exclude(by=None, member=people[0], stage=CROWD, kind="dismissed", reason="Noise")
        assert (out.places, Exclusion.objects.get().reason) == (4, "Noise")
        assert set(counted().values()) == {1}
        assert take(people[0]).nothing == Nothing.YOU_ARE_DISMISSED
        assert work_until_nothing(people[2]) == Nothing.DONE
        assert set(counted().values()) == {2}
        assert Vote.objects.filter(member=people[0]).count() == 4

    def test_who_votes_already_on_a_post_does_not_fill_the_place_made_anew(self, people):
        exclude(by=None, member=people[0], stage=CROWD, kind="withdrawn")
        assert take(people[1]).nothing == Nothing.DONE

    def test_nobody_is_taken_out_twice(self, people):
        exclude(by=None, member=people[0], stage=CROWD, kind="dismissed")
        with pytest.raises(StandingRefused):
            exclude(by=None, member=people[0], stage=CROWD, kind="dismissed")
        assert Place.objects.count() == 12

    def test_who_was_dismissed_may_still_withdraw_which_asks_for_nothing_more(self, people):
        exclude(by=None, member=people[0], stage=CROWD, kind="dismissed")
        assert exclude(by=None, member=people[0], stage=CROWD, kind="withdrawn").places == 0
        with pytest.raises(StandingRefused):
            exclude(by=None, member=people[0], stage=CROWD, kind="dismissed")
        assert Place.objects.count() == 12

    def test_a_closed_batch_asks_for_nothing_anew(self, people):
        move_batch(by=None, batch=self.batch, to=BatchState.CLOSED)
        assert exclude(by=None, member=people[0], stage=CROWD, kind="dismissed").places == 0
        assert set(counted().values()) == {1}

    def test_both_ways_of_asking_which_votes_count_agree(self, people):
        exclude(by=None, member=people[0], stage=CROWD, kind="dismissed")
        mine = Assignment.objects.filter(member=people[1]).first()
        correct_vote(by=people[1], assignment_id=mine.pk, answer=Answer("no_claim"))
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT vote.id FROM annotation_vote AS vote WHERE {COUNTING}")
            in_sql = {row[0] for row in cursor.fetchall()}
        assert in_sql == set(Vote.objects.counting().values_list("pk", flat=True))
        assert len(in_sql) == 4


def test_a_cycle_is_one_statement_on_the_first_vote_and_on_the_hundredth(
    cast, django_assert_num_queries
):
    opened(cast.study, 120, votes=1)
    offer = take(cast.worker)
    for number in range(100):
        given = {"by": cast.worker, "stage": CROWD, "assignment_id": offer.assignment.pk}
        if number in (1, 99):
            with django_assert_num_queries(1):
                offer = vote_and_go_on(**given, answer=Answer("no_claim"))[1]
        else:
            offer = vote_and_go_on(**given, answer=Answer("no_claim"))[1]


def functions():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT proname, pg_get_functiondef(oid) FROM pg_proc WHERE proname LIKE 'annotation_%'"
        )
        return dict(cursor.fetchall())


def test_the_database_runs_the_functions_of_the_file():
    installed = functions()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(TASK_ENGINE.read_text())
        assert functions() == installed
    assert "annotation_take_task" in installed


@pytest.mark.django_db(transaction=True)
def test_two_submissions_of_one_person_at_the_same_moment_are_one_vote():
    cast = make_cast()
    opened(cast.study, 5)
    held = take(cast.worker).assignment
    barrier, outcomes = threading.Barrier(8), []

    def submit():
        try:
            barrier.wait()
            given = {"by": cast.worker, "stage": CROWD, "assignment_id": held.pk}
            receipt, offer = vote_and_go_on(**given, answer=Answer("no_claim"))
            outcomes.append((receipt.is_new, offer.assignment.pk))
        finally:
            connection.close()

    threads = [threading.Thread(target=submit) for _number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 8
    assert sum(is_new for is_new, _next in outcomes) == 1
    assert len({following for _is_new, following in outcomes}) == 1
    assert Vote.objects.count() == 1
