"""Several people meet on one post at the same moment: nobody meets an error, no vote is lost.

With a rule for ties each vote looks at the others' places, and an exclusion makes new ones.
"""

import threading
from collections import Counter
from contextlib import closing
from functools import partial

import pytest
from django.db import connection

from annotation.models import (
    Assignment,
    BatchState,
    ExclusionKind,
    Place,
    Role,
    StageCode,
    Task,
    Vote,
)
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.standings import exclude
from annotation.services.votes import Answer, VoteRefused, correct_vote, vote_and_go_on
from tests.cast import add_posts, join, make_cast, sample_batch

LABELS = ["no_claim", "not_checkworthy", "checkworthy"]
POSTS, WANTED, TIES = 12, 3, 2

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(acts):
    """Run functions at the same moment; return what each gave or raised."""
    barrier, outcomes = threading.Barrier(len(acts)), []

    def run(act):
        with closing(connection):
            barrier.wait()
            try:
                outcomes.append(act())
            except Exception as error:
                outcomes.append(error)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [one for one in outcomes if isinstance(one, Exception)]


@pytest.fixture
def people():
    study = make_cast("together", tie_votes=TIES).study
    add_posts(study, POSTS)
    batch = sample_batch(
        study=study,
        stage=StageCode.CROWD,
        labels=LABELS,
        number=POSTS,
        votes_wanted=WANTED,
        seed=1,
    )
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    return [join(study, f"w{number}", Role.CROWD_WORKER) for number in range(WANTED)]


def go_on(member, label):
    held = next_task(by=member, stage=StageCode.CROWD).assignment
    assert held
    return partial(
        vote_and_go_on,
        by=member,
        stage=StageCode.CROWD,
        assignment_id=held.pk,
        answer=Answer(label, 1.0),
    )


def vote_all(people, labels=LABELS):
    """Let all vote on each post at the same moment; return what went wrong."""
    faults = []
    for _number in range(POSTS):
        pairs = zip(people, labels, strict=True)
        faults += at_once([go_on(member, label) for member, label in pairs])
    return faults


def places():
    return Counter(Place.objects.filter(vacated_at=None).values_list("task_id", flat=True))


def test_three_who_disagree_at_once_are_all_taken_and_ask_for_one_more_vote(people):
    assert vote_all(people) == []
    assert Vote.objects.filter(counted=True).count() == POSTS * WANTED
    assert set(places().values()) == {WANTED + 1}


def test_corrections_at_once_settle_the_tie_by_what_stands_in_the_end(people):
    vote_all(people)
    for task in Task.objects.all():
        held = [Assignment.objects.get(task=task, member=member) for member in people]
        acts = [
            partial(correct_vote, by=member, assignment_id=one.pk, answer=Answer(LABELS[0]))
            for member, one in zip(people, held, strict=True)
        ]
        assert at_once(acts) == []
    assert set(places().values()) == {WANTED}


def test_people_who_are_taken_out_at_once_get_their_places_made_anew_once_each(people):
    vote_all(people)
    out = partial(exclude, by=None, stage=StageCode.CROWD, kind=ExclusionKind.DISMISSED)
    assert at_once([partial(out, member=member) for member in people]) == []
    assert set(places().values()) <= {WANTED, WANTED + 1}
    assert not Place.objects.filter(vacated_at=None, filled_at__isnull=False).exists()
    fresh = join(people[0].study, "newcomer", Role.CROWD_WORKER)
    assert next_task(by=fresh, stage=StageCode.CROWD).assignment


def test_somebody_is_taken_out_while_others_vote_on_the_same_posts(people):
    leaver, *others = people
    for _number in range(POSTS):
        go_on(leaver, LABELS[0])()
    out = partial(exclude, by=None, stage=StageCode.CROWD, kind=ExclusionKind.DISMISSED)

    def work(member, label):
        for _number in range(POSTS):
            go_on(member, label)()

    acts = [partial(work, one, label) for one, label in zip(others, LABELS, strict=False)]
    assert at_once([*acts, partial(out, member=leaver)]) == []
    assert Vote.objects.filter(member__in=others, counted=True).count() == POSTS * 2


@pytest.mark.parametrize("kind", ExclusionKind)
def test_who_was_taken_out_corrects_no_vote_any_more(people, kind):
    go_on(people[0], LABELS[0])()
    mine = Assignment.objects.get(member=people[0], state="submitted")
    correct_vote(by=people[0], assignment_id=mine.pk, answer=Answer(LABELS[1]))
    exclude(by=None, member=people[0], stage=StageCode.CROWD, kind=kind)
    with pytest.raises(VoteRefused, match="has ended"):
        correct_vote(by=people[0], assignment_id=mine.pk, answer=Answer(LABELS[2]))
    assert Vote.objects.filter(member=people[0]).count() == 2
