"""What the crowd's tests start from: a study with posts, an open batch, and somebody at work."""

import pytest

from annotation.models import BatchState, Member, Sitting
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from crowd.services.admission import begin_work
from crowd.services.batches import create_batch, create_gold_batch
from crowd.services.defaults import current_instructions
from crowd.services.instructions import acknowledge
from tests.cast import add_posts


@pytest.fixture
def posts(cast):
    return add_posts(cast.study, [f"Rumour number {number}" for number in range(1, 7)])


@pytest.fixture
def batch(cast, posts):
    batch = create_batch(by=None, study=cast.study, external_ids=["p1", "p2", "p3", "p4"])
    return move_batch(by=None, batch=batch, to=BatchState.OPEN)


@pytest.fixture
def gold_batch(cast, posts):
    batch = create_gold_batch(by=None, study=cast.study, external_ids=["p5", "p6"])
    return move_batch(by=None, batch=batch, to=BatchState.OPEN)


def has_read(member: Member) -> Member:
    acknowledge(by=member, version=current_instructions(member.study).version)
    return member


def begin(member: Member) -> Sitting:
    """Let somebody read the instructions and begin a sitting."""
    return begin_work(by=member, version=current_instructions(member.study).version)


def held_by(member: Member, stage: str = "crowd") -> int:
    """Return the assignment that a person holds next."""
    offer = next_task(by=member, stage=stage)
    assert offer.assignment
    return offer.assignment.pk


@pytest.fixture
def worker(cast):
    return has_read(cast.worker)
