"""The archive refuses changes, and waits for those that began before it."""

import threading
from typing import Any

import pytest
from django.db import connection, transaction
from django.urls import reverse

from annotation.models import Batch, BatchState, Job, JobState, Member, Study, StudyState, Vote
from annotation.services.archive import StudyArchived, hold_open
from annotation.services.assignments import lock_standing, next_task
from annotation.services.batches import move_batch
from annotation.services.jobs import queue_job
from annotation.services.people import change_study
from annotation.services.studies import StudyRefused, archive_study, clone_study, reopen_study
from annotation.services.uploads import queue_check
from annotation.services.votes import Answer, VoteRefused, submit_vote
from crowd.services.batches import create_batch, create_gold_batch
from crowd.services.checks import write_attention_post
from crowd.services.consent import add_question, withdraw, write_consent_text
from crowd.services.gold import close_pool
from crowd.services.instructions import write_instructions
from crowd.services.labels import NewLabel, write_labels
from crowd.services.prescreening import change_rules
from crowd.services.quality import write_rule
from crowd.services.recruitment import create_recruitment
from filtering.services.runs import start_run
from tests.cast import add_posts, make_cast, upload
from tests.house import fingerprint


@pytest.fixture
def study(db):
    """An archived study with posts, a draft for the crowd and one for gold."""
    cast = make_cast()
    add_posts(cast.study, 4)
    create_batch(by=None, study=cast.study, posts=2)
    cast.gold = create_gold_batch(by=None, study=cast.study, posts=1)
    cast.file = upload(cast.study, "id,text\n1,One")
    archive_study(by=cast.owner)
    return cast


LABELS = [NewLabel("yes", "Yes", "1"), NewLabel("no", "No", "2")]
CHANGES = {
    "protocol": lambda cast: change_study(
        by=cast.owner, study=cast.study, title="Another", description=""
    ),
    "batch": lambda cast: create_batch(by=None, study=cast.study, posts=1),
    "opening": lambda cast: move_batch(by=None, batch=Batch.objects.first(), to="open"),
    "gold batch": lambda cast: create_gold_batch(by=None, study=cast.study, posts=1),
    "closing gold": lambda cast: close_pool(by=None, batch=cast.gold, without_rest=True),
    "labels": lambda cast: write_labels(by=None, study=cast.study, question="?", labels=LABELS),
    "instructions": lambda cast: write_instructions(by=None, study=cast.study, markdown="Look."),
    "consent": lambda cast: write_consent_text(by=None, study=cast.study, markdown="We keep it."),
    "question": lambda cast: add_question(by=None, study=cast.study, question="?", kind="text"),
    "way in": lambda cast: create_recruitment(by=None, study=cast.study, kind="link", name="L"),
    "attention": lambda cast: write_attention_post(
        by=None, study=cast.study, text="Press no", label="no_claim"
    ),
    "quality rule": lambda cast: write_rule(
        by=None, study=cast.study, watched="gold", threshold=0.5, action="ask"
    ),
    "prescreening": lambda cast: change_rules(by=None, study=cast.study, max_tests=3),
    "filter": lambda cast: start_run(by=None, study=cast.study),
    "upload": lambda cast: upload(cast.study, "id,text\n2,Two"),
    "reading": lambda cast: queue_check(by=None, file=cast.file),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_what_is_set_up_is_refused(change, study):
    before = fingerprint()
    with pytest.raises(Exception, match=r"archived|no gold") as refusal:
        CHANGES[change](study)
    assert isinstance(refusal.value, StudyArchived) or change == "closing gold"
    assert fingerprint() == before


def test_an_archived_study_is_cloned_and_left_and_taken_out(study):
    study.owner.user.may_create_studies = True
    study.owner.user.save()
    owner = Member.objects.select_related("study__protocol", "user").get(pk=study.owner.pk)
    assert clone_study(by=owner, slug="again", title="Again").state == StudyState.ACTIVE
    withdraw(by=study.worker)
    reopen_study(by=study.owner)
    CHANGES["batch"](study)


def test_a_study_with_a_job_under_way_is_not_archived_and_the_page_says_which(cast, sign_in):
    job = queue_job(by=None, study=cast.study, kind="estimate_reliability", parameters={})
    with pytest.raises(StudyRefused, match="under way"):
        archive_study(by=cast.owner)
    address = reverse("study_archive", args=[cast.study.slug])
    page = sign_in(cast.owner).post(address, {"to": "archive"}, follow=True).content.decode()
    assert "is under way" in page
    Job.objects.filter(pk=job.pk).update(state=JobState.CANCELLED)
    assert archive_study(by=cast.owner).state == StudyState.ARCHIVED


def in_thread(act: Any) -> tuple[threading.Thread, list[Any]]:
    """Start something on a connection of its own; what comes of it is in the list at its end."""
    found: list[Any] = []

    def run() -> None:
        try:
            found.append(act())
        except Exception as error:
            found.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread, found


def handed_out(cast: Any) -> Any:
    add_posts(cast.study, 3)
    move_batch(by=None, batch=create_batch(by=None, study=cast.study, posts=3), to=BatchState.OPEN)
    return next_task(by=cast.worker, stage="crowd").assignment


@pytest.mark.django_db(transaction=True)
def test_the_archive_waits_for_who_writes_and_lets_nobody_begin():
    cast = make_cast()
    with transaction.atomic():
        hold_open(cast.study.pk)
        archiving, found = in_thread(lambda: archive_study(by=cast.owner))
        archiving.join(0.5)
        assert archiving.is_alive() and not found
        assert Study.objects.get(pk=cast.study.pk).state == StudyState.ACTIVE
    archiving.join(10)
    assert found[0].state == StudyState.ARCHIVED
    with pytest.raises(StudyArchived, match="archived"), transaction.atomic():
        hold_open(cast.study.pk)


@pytest.mark.django_db(transaction=True)
def test_the_archive_is_ready_only_when_the_vote_at_that_moment_has_ended():
    cast = make_cast()
    held = handed_out(cast)
    with transaction.atomic():
        lock_standing(cast.worker, "crowd")
        archiving, found = in_thread(lambda: archive_study(by=cast.owner))
        archiving.join(0.5)
        assert archiving.is_alive() and not found
        with pytest.raises(VoteRefused, match="archived"):
            submit_vote(by=cast.worker, assignment_id=held.pk, answer=Answer("no_claim"))
    archiving.join(10)
    assert found and not Vote.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_no_vote_and_no_batch_lands_once_the_archive_is_there():
    for number in range(6):
        cast = make_cast(f"study-{number}")
        held = handed_out(cast)
        worker = Member.objects.select_related("study").get(pk=cast.worker.pk)
        start = threading.Barrier(3)

        def vote(worker=worker, held=held, start=start):
            start.wait()
            return submit_vote(by=worker, assignment_id=held.pk, answer=Answer("no_claim"))

        def open_another(study=cast.study, start=start):
            start.wait()
            return create_batch(by=None, study=study, external_ids=["p1"])

        threads = [in_thread(vote), in_thread(open_another)]
        start.wait()
        archive_study(by=cast.owner)
        there = fingerprint()
        for thread, _found in threads:
            thread.join(10)
        after = fingerprint()
        assert {name: after[name] for name in ("Vote", "Batch", "Task", "Place")} == {
            name: there[name] for name in ("Vote", "Batch", "Task", "Place")
        }
