"""The same id at the same moment is one person on any device; places are never overbooked."""

import threading
from collections import Counter
from contextlib import closing
from functools import partial

import pytest
from django.db import IntegrityError, connection, transaction

from annotation.models import Member, Role, User
from annotation.services.people import create_study
from crowd.models import Arrival, Recruit
from crowd.services.arrivals import arrive, offer_start, use_start
from crowd.services.links import EntryRefused, Identity
from crowd.services.recruitment import create_recruitment, move_recruitment
from tests.cast import join, make_cast

THREADS, ROUNDS = 8, 6

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
    return outcomes


def way(study, kind="prolific", by=None, **more):
    made = create_recruitment(by=by, study=study, kind=kind, name=kind, **more)
    return move_recruitment(by=by, recruitment=made, to="open")


def arrival(recruitment, identity):
    return partial(arrive, recruitment=recruitment, identity=identity)


def test_one_id_on_many_devices_at_once_is_one_person():
    cast = make_cast()
    ways = [way(cast.study), way(cast.study)]
    for number in range(ROUNDS):
        identity = Identity(f"PID{number}", f"S{number}")
        outcomes = at_once([arrival(ways[n % 2], identity) for n in range(THREADS)])
        assert all(isinstance(one, Arrival) for one in outcomes), outcomes
        assert len({one.user_id for one in outcomes}) == 1
        assert len({one.pk for one in outcomes}) == 2
    assert Recruit.objects.count() == ROUNDS
    assert Member.objects.filter(study=cast.study, role=Role.CROWD_WORKER).count() == ROUNDS + 1


def test_one_id_in_two_studies_of_one_owner_at_once_is_one_person():
    cast = make_cast()
    owner = cast.owner.user
    second = create_study(by=owner, slug="second", owner=owner)
    ways = [way(cast.study, by=owner), way(second, by=owner)]
    for number in range(ROUNDS):
        identity = Identity(f"PID{number}", f"S{number}")
        outcomes = at_once([arrival(one, identity) for one in ways])
        assert len({one.user_id for one in outcomes}) == 1, outcomes
    assert User.objects.filter(username__startswith="guest-").count() == ROUNDS


def test_places_hold_however_many_come_at_once():
    cast = make_cast()
    recruitment = way(cast.study, places=5)
    people = [Identity(f"PID{n}", f"S{n}") for n in range(12)]
    outcomes = at_once([arrival(recruitment, identity) for identity in people])
    kinds = Counter(type(one) for one in outcomes)
    assert kinds == {Arrival: 5, EntryRefused: 7}
    assert Recruit.objects.count() == 5


def test_a_start_that_is_pressed_twice_at_once_opens_once():
    cast = make_cast()
    recruitment = way(cast.study, "mturk")
    for number in range(ROUNDS):
        start = offer_start(recruitment=recruitment, identity=Identity(f"W{number}", f"A{number}"))
        outcomes = at_once([partial(use_start, start=start)] * 4)
        kinds = Counter(type(one) for one in outcomes)
        assert kinds == {Arrival: 1, EntryRefused: 3}


def test_the_database_itself_refuses_a_second_person_for_an_id():
    cast = make_cast()
    recruit = {"study": cast.study, "platform": "prolific", "platform_id": "PID"}
    Recruit.objects.create(user=cast.worker.user, **recruit)
    other = join(cast.study, "other", Role.CROWD_WORKER)
    with pytest.raises(IntegrityError), transaction.atomic():
        Recruit.objects.create(user=other.user, **recruit)
