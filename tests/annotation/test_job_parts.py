"""Jobs in parts: done side by side, gone on with once, and ended together."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from annotation.models import Job, JobState
from annotation.registry import JobKind, register_job
from annotation.services.jobs import cancel_job, queue_job, requeue, retry_job, run_job
from infra.jobs import JobRefused, Parts
from tests.cast import make_cast

pytestmark = pytest.mark.django_db


def whole(job, report):
    """Want parts until there is one that succeeded for each number; then sum them up."""
    done = {
        part.parameters["number"]: part.result["square"]
        for part in job.parts.filter(state=JobState.SUCCEEDED)
    }
    missing = [number for number in range(job.parameters["parts"]) if number not in done]
    if missing:
        bad = job.parameters.get("bad") if not job.parts.exists() else None
        return Parts("test_part", [{"number": n, "bad": n == bad} for n in missing], "Squares")
    return {"sum": sum(done.values())}


def part(job, report):
    if job.parameters["bad"]:
        raise JobRefused("This part cannot be done.")
    report(1, 1, "Squared")
    return {"square": job.parameters["number"] ** 2}


@pytest.fixture(autouse=True)
def kinds():
    for code, run in (("test_whole", whole), ("test_part", part)):
        register_job(JobKind(code, code, run, lambda job: f"/studies/{job.study.slug}/"))


def queue(study, **parameters):
    return queue_job(by=None, study=study, kind="test_whole", parameters=parameters)


def state_of(job):
    job.refresh_from_db()
    return job.state


def run_parts(job):
    return [run_job(job_id=one.pk) for one in job.parts.filter(state="queued").order_by("pk")]


def test_a_job_goes_on_when_its_last_part_is_done_and_not_before(cast):
    job = run_job(job_id=queue(cast.study, parts=3).pk)
    assert (job.state, job.done, job.total, job.message) == ("in_parts", 0, 3, "Squares")
    assert not job.has_ended
    first, second, third = job.parts.order_by("pk")
    for number, one in enumerate((second, first), start=1):
        assert run_job(job_id=one.pk).state == "succeeded"
        assert state_of(job) == "in_parts" and job.done == number
    run_job(job_id=third.pk)
    assert state_of(job) == "queued"
    assert run_job(job_id=job.pk).result == {"sum": 0 + 1 + 4}


def test_a_part_that_fails_ends_the_job_with_its_reason_and_the_other_parts(cast):
    job = run_job(job_id=queue(cast.study, parts=3, bad=0).pk)
    run_job(job_id=job.parts.order_by("pk").first().pk)
    assert state_of(job) == "failed" and job.reason == "This part cannot be done."
    assert sorted(job.parts.values_list("state", flat=True)) == ["cancelled", "cancelled", "failed"]


def test_a_job_that_is_tried_again_has_only_those_parts_done_that_are_missing(cast):
    job = run_job(job_id=queue(cast.study, parts=3, bad=2).pk)
    run_parts(job)
    assert state_of(job) == "failed"
    retry_job(by=None, job=job.parts.last())  # a part is not tried alone
    assert state_of(job) == "queued"
    run_job(job_id=job.pk)
    assert [one.parameters["number"] for one in job.parts.filter(state="queued")] == [2]
    run_parts(job)
    assert run_job(job_id=job.pk).result == {"sum": 5}


@pytest.mark.parametrize("through_a_part", [False, True])
def test_cancelling_a_job_or_a_part_of_it_ends_all(cast, through_a_part):
    job = run_job(job_id=queue(cast.study, parts=2).pk)
    first, second = job.parts.order_by("pk")
    Job.objects.filter(pk=second.pk).update(state="running")
    cancel_job(job=first if through_a_part else job)
    assert (state_of(job), state_of(first)) == ("cancelled", "cancelled")
    assert state_of(second) == "running" and second.cancel_requested_at


def test_a_job_that_was_to_be_cancelled_while_it_made_parts_makes_none(cast):
    job = queue(cast.study, parts=2)
    register_job(JobKind("test_whole", "Whole", cancel_first, lambda job: "/"))
    assert run_job(job_id=job.pk).state == "cancelled"
    assert not job.parts.exists()


def cancel_first(job, report):
    cancel_job(job=job)
    return whole(job, report)


def test_a_part_whose_workers_die_three_times_fails_the_job(cast):
    job = run_job(job_id=queue(cast.study, parts=2).pk)
    dead = job.parts.first()
    Job.objects.filter(pk=dead.pk).update(state="running", attempts=3)
    requeue(dead.pk)
    assert (state_of(dead), state_of(job)) == ("failed", "failed")
    assert job.reason == dead.reason


def test_the_deaths_of_other_stretches_do_not_count_against_a_job(cast):
    job = queue(cast.study, parts=1)
    Job.objects.filter(pk=job.pk).update(attempts=2)
    run_job(job_id=job.pk)
    run_parts(job)
    assert state_of(job) == "queued" and job.attempts == 0


def test_pages_list_whole_jobs_and_show_parts_with_their_job(cast, sign_in):
    job = run_job(job_id=queue(cast.study, parts=2).pk)
    client, base = sign_in(cast.owner), f"/studies/{cast.study.slug}/jobs/"
    assert [one.pk for one in client.get(base).context["page"]] == [job.pk]
    page = client.get(f"{base}{job.pk}/").content.decode()
    first = job.parts.first()
    assert f"{base}{first.pk}/" in page and "Running in parts" in page
    assert f"{base}{job.pk}/" in client.get(f"{base}{first.pk}/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_parts_that_end_at_the_same_moment_let_the_job_go_on_once():
    cast = make_cast()
    for _round in range(5):
        job = run_job(job_id=queue(cast.study, parts=6).pk)
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(run_alone, job.parts.values_list("pk", flat=True)))
        assert state_of(job) == "queued" and job.parts.count() == 6
        assert run_job(job_id=job.pk).result == {"sum": 55}


def run_alone(job_id):
    try:
        run_job(job_id=job_id)
    finally:
        connection.close()
