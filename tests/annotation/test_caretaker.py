"""The caretaker's chores: done when they are due, and no fault in one stops the rounds."""

import threading

import pytest
from django.db import OperationalError

from annotation import caretaker
from annotation.models import JobWorker
from annotation.registry import Chore, chores
from tests.processes import wait_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def go(monkeypatch):
    """Return a function that goes a round with some chores."""
    one = caretaker.Housekeeper()

    def round_with(*wanted):
        monkeypatch.setattr(caretaker, "chores", lambda: list(wanted))
        one.go_round()

    return round_with


def test_a_chore_is_done_at_once_and_then_when_it_is_due(go):
    done = []
    often = Chore("often", lambda: done.append("often"), every_seconds=0.0)
    rarely = Chore("rarely", lambda: done.append("rarely"), every_seconds=3600.0)
    for _round in range(2):
        go(often, rarely)
    assert done == ["often", "rarely", "often"]


def test_a_chore_that_fails_does_not_stop_the_next_one(go, caplog):
    done = []
    go(
        Chore("broken", lambda: int("none"), every_seconds=0.0),
        Chore("good", lambda: done.append(1), every_seconds=0.0),
    )
    assert done and "“broken” failed" in caplog.text


def test_a_database_that_is_away_is_waited_for(go):
    def away():
        raise OperationalError

    with pytest.raises(OperationalError):
        go(Chore("away", away, every_seconds=0.0))


@pytest.mark.django_db(transaction=True)
def test_a_chore_that_takes_long_leaves_the_signs_of_life_alone(monkeypatch):
    begun, may_end = threading.Event(), threading.Event()

    def dawdle():
        begun.set()
        may_end.wait(20)

    slow = Chore("slow", dawdle, every_seconds=0.0)
    monkeypatch.setattr(caretaker, "chores", lambda: [slow])
    monkeypatch.setattr(caretaker, "EVERY_SECONDS", 0.05)
    one = caretaker.Caretaker(name="worker-1")
    one.start()
    try:
        assert begun.wait(10)
        wait_for(JobWorker.objects.filter(name="worker-1").exists)
        JobWorker.objects.all().delete()
        wait_for(JobWorker.objects.filter(name="worker-1").exists, what="a new sign of life")
    finally:
        may_end.set()
        one.stop()
        one.housekeeper.join(10)
    assert not JobWorker.objects.exists()


def test_pay_is_settled_by_time_and_ended_sessions_are_forgotten():
    codes = {chore.code for chore in chores()}
    assert codes >= {"settle_pay_by_time", "forget_sessions_that_ended"}
