"""Who withdrew is in no file of the next release: no row, no count."""

import pytest

from annotation.models import Role
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.standings import exclude
from annotation.services.votes import Answer, correct_vote, submit_vote
from crowd.services.batches import create_batch
from crowd.services.consent import withdraw
from tests.cast import add_posts, join
from tests.releases.ways import by_id, content, make, rows

pytestmark = pytest.mark.django_db


def vote(member):
    held = next_task(by=member, stage="crowd").assignment
    submit_vote(by=member, assignment_id=held.pk, answer=Answer("no_claim", 5.0, 1))
    correct_vote(by=member, assignment_id=held.pk, answer=Answer("checkworthy", 6.0, 1))


@pytest.fixture
def leaver(cast):
    add_posts(cast.study, 2)
    batch = create_batch(by=None, study=cast.study, external_ids=["p1"])
    move_batch(batch=batch, to="open")
    leaver = join(cast.study, "leaver", Role.CROWD_WORKER)
    vote(leaver)
    vote(cast.worker)
    return leaver


def annotators(release):
    return {row["annotator"] for row in rows(release, "votes.csv")}


def test_a_release_has_no_row_of_somebody_who_withdrew(cast, leaver):
    before = make(cast.study)
    assert annotators(before) == {leaver.pseudonym, cast.worker.pseudonym}
    assert by_id(rows(before, "dataset.csv"))["p1"]["crowd_checkworthy"] == "2"
    withdraw(by=leaver)
    after = make(cast.study)
    assert annotators(after) == {cast.worker.pseudonym}
    assert by_id(rows(after, "dataset.csv"))["p1"]["crowd_checkworthy"] == "1"
    assert all(leaver.pseudonym not in content(after, file.name) for file in after.files.all())
    assert annotators(before) == {leaver.pseudonym, cast.worker.pseudonym}


def test_who_was_dismissed_stays_on_record_uncounted_until_they_withdraw(cast, leaver):
    exclude(by=None, member=leaver, stage="crowd", kind="dismissed")
    release = make(cast.study)
    theirs = [row for row in rows(release, "votes.csv") if row["annotator"] == leaver.pseudonym]
    assert len(theirs) == 2 and {row["counted"] for row in theirs} == {"false"}
    withdraw(by=leaver)
    assert leaver.pseudonym not in annotators(make(cast.study))
