"""Who withdrew is in no file of the next release: no row, no count."""

import pytest

from annotation.models import Role
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.jobs import run_job
from annotation.services.standings import exclude
from annotation.services.votes import Answer, correct_vote, submit_vote
from crowd.services.batches import create_batch
from crowd.services.consent import withdraw
from crowd.services.estimates import start_estimate
from releases.algorithms.pseudonyms import pseudonym
from releases.services.making import release_folder
from tests.cast import add_posts, join
from tests.releases.ways import by_id, make, rows

pytestmark = pytest.mark.django_db


def vote(member):
    held = next_task(by=member, stage="crowd").assignment
    submit_vote(by=member, assignment_id=held.pk, answer=Answer("no_claim", 5.0, 1))
    correct_vote(by=member, assignment_id=held.pk, answer=Answer("checkworthy", 6.0, 1))


@pytest.fixture
def leaver(cast):
    add_posts(cast.study, 2)
    batch = create_batch(by=None, study=cast.study, external_ids=["p1"])
    move_batch(by=None, batch=batch, to="open")
    leaver = join(cast.study, "leaver", Role.CROWD_WORKER)
    vote(leaver)
    vote(cast.worker)
    return leaver


def name_of(member):
    return pseudonym(member.pk, bytes(member.study.release_key.key))


def annotators(release):
    return {row["annotator"] for row in rows(release, "votes")}


def test_a_release_has_no_row_of_somebody_who_withdrew(cast, leaver):
    before = make(cast.study)
    assert annotators(before) == {name_of(leaver), name_of(cast.worker)}
    assert by_id(rows(before, "posts"))["p1"]["crowd_checkworthy"] == "2"
    withdraw(by=leaver)
    after = make(cast.study)
    assert annotators(after) == {name_of(cast.worker)}
    assert by_id(rows(after, "posts"))["p1"]["crowd_checkworthy"] == "1"
    for file in after.files.all():
        raw = (release_folder(after) / file.name).read_bytes()
        assert name_of(leaver).encode() not in raw
    assert annotators(before) == {name_of(leaver), name_of(cast.worker)}


def test_who_was_dismissed_stays_on_record_uncounted_until_they_withdraw(cast, leaver):
    exclude(by=None, member=leaver, stage="crowd", kind="dismissed")
    release = make(cast.study, versions="all")
    theirs = [row for row in rows(release, "votes") if row["annotator"] == name_of(leaver)]
    assert len(theirs) == 2 and {row["counted"] for row in theirs} == {"false"}
    withdraw(by=leaver)
    assert name_of(leaver) not in annotators(make(cast.study))


def test_an_estimate_that_weighs_votes_which_are_left_out_is_left_out_too(cast, leaver):
    def chance(**chosen):
        return by_id(rows(make(cast.study, **chosen), "posts"))["p1"]["crowd_chance_checkworthy"]

    assert chance() == ""
    run_job(job_id=start_estimate(by=None, study=cast.study).pk)
    assert float(chance()) > 0.5 and chance(crowd_round=1) == ""
    withdraw(by=leaver)
    assert chance() == ""
    run_job(job_id=start_estimate(by=None, study=cast.study).pk)
    assert float(chance()) > 0.5
