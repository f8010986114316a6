"""What the page of jobs says: progress, honest time, filters, parts, buttons in the row."""

from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Job, JobState, JobWorker
from annotation.queries import jobs as queries
from annotation.services.jobs import alone, queue_job
from annotation.services.progress import LAST_WHILE_SECONDS, LEAST_SECONDS, Pace
from tests.annotation import job_kinds
from tests.api import caller, refusal_of
from tests.queries import queries_for

pytestmark = pytest.mark.django_db

JOBS = "/studies/rumours/jobs/"


@pytest.fixture(autouse=True)
def kind():
    job_kinds.register()


def queue(cast, **more):
    job = queue_job(by=cast.owner.user, study=cast.study, kind="test_steps", parameters={})
    Job.objects.filter(pk=job.pk).update(**more)
    job.refresh_from_db()
    return job


def running(cast, **more):
    now = timezone.now()
    return queue(cast, **{"state": "running", "started_at": now, "moved_at": now, **more})


def said(client, address=JOBS):
    return " ".join(client.get(address).content.decode().split())


def test_a_running_job_tells_how_long_it_may_take_at_the_pace_of_the_last_while(cast, sign_in):
    job = running(cast, done=400, total=1000, pace=0.5)
    with alone(job.pk):
        assert "About 20 minutes left" in said(sign_in(cast.owner))
        assert "About 20 minutes left" in said(sign_in(cast.owner), f"{JOBS}{job.pk}/")


def test_nobody_guesses_before_the_pace_is_known(cast, sign_in):
    running(cast, done=400, total=1000)
    assert " left" not in said(sign_in(cast.owner))


def test_a_job_at_99_percent_that_stands_says_since_when_and_promises_nothing(cast, sign_in):
    job = running(cast, done=99, total=100, pace=1.0)
    then = timezone.now() - timedelta(minutes=7)
    Job.objects.update(moved_at=then)
    with alone(job.pk):
        text = said(sign_in(cast.owner), f"{JOBS}{job.pk}/?part=progress")
    assert "has not moved since" in text and then.strftime("%H:%M") in text
    assert " left" not in text


def test_a_running_job_that_no_process_holds_is_said_to_be_lost(cast, sign_in):
    job = running(cast)
    with alone(job.pk):
        assert "is gone" not in said(sign_in(cast.owner))
    assert "The process that did this is gone" in said(sign_in(cast.owner))


def test_the_list_is_filtered_by_state_and_kind_and_odd_wishes_show_all(cast, sign_in):
    failed = queue(cast, state="failed", reason="Nothing fits.")
    waits = queue(cast)
    client = sign_in(cast.owner)

    def shown(query):
        text = said(client, f"{JOBS}?{query}")
        return [job for job in (failed, waits) if f"/jobs/{job.pk}/" in text]

    assert shown("") == [failed, waits]
    assert shown("state=under_way") == [waits]
    assert shown("state=failed&kind=test_steps") == [failed]
    assert shown("state=nonsense&kind=nothing") == [failed, waits]
    assert "No job fits" in said(client, f"{JOBS}?state=cancelled")


def test_parts_stand_under_their_job_and_not_beside_it(cast, sign_in):
    whole = queue(cast, state="in_parts", total=3, done=1)
    states = (JobState.SUCCEEDED, JobState.RUNNING, JobState.QUEUED)
    parts = [queue(cast, parent=whole, state=state) for state in states]
    text = said(sign_in(cast.owner))
    assert "3 parts, 1 done" in text and "1 job, newest first" in text
    assert all(f"/jobs/{part.pk}/" in text for part in parts)


def test_the_api_tells_time_left_standing_loss_and_parts_as_the_page_does(cast):
    api, now = caller(cast.owner), timezone.now()
    runs = running(cast, done=10, total=100, pace=2.0)
    stands = running(cast, moved_at=now - timedelta(minutes=7), done=99, total=100, pace=1.0)
    whole = queue(cast, state="in_parts", total=2)
    parts = [queue(cast, parent=whole, state=state) for state in ("queued", "failed")]
    with alone(runs.pk):
        told = {row["id"]: row for row in api.get("jobs").json()["results"]}
    assert list(told) == [whole.pk, stands.pk, runs.pk]
    seen = {pk: (row["seconds_left"], row["is_lost"]) for pk, row in told.items()}
    assert seen == {whole.pk: (None, False), stands.pk: (None, True), runs.pk: (45, False)}
    assert told[runs.pk]["stands_since"] is None and told[stands.pk]["stands_since"] is not None
    assert [part["id"] for part in told[whole.pk]["parts"]] == [parts[1].pk, parts[0].pk]
    assert api.get("job", whole.pk).json() == told[whole.pk]
    assert api.get("job", parts[0].pk).json()["parent"] == whole.pk


def test_the_api_lists_jobs_by_state_and_kind_and_refuses_odd_wishes(cast):
    api = caller(cast.owner)
    failed, waits = queue(cast, state="failed", reason="Nothing fits."), queue(cast)

    def found(**asked):
        return [row["id"] for row in api.get("jobs", **asked).json()["results"]]

    assert found() == [waits.pk, failed.pk]
    assert found(state="under_way") == found(state="queued") == [waits.pk]
    assert found(state="failed", kind="test_steps") == [failed.pk]
    for asked in ({"state": "nonsense"}, {"kind": "nothing"}, {"parent": waits.pk}):
        refused = api.get("jobs", **asked)
        assert refusal_of(refused) == (422, "invalid")
        assert list(refused.json()["fields"]) == list(asked)


def test_a_job_is_cancelled_and_tried_again_in_its_row(cast, sign_in):
    job, client = queue(cast), sign_in(cast.owner)
    assert f"{JOBS}{job.pk}/cancel/?back=jobs" in said(client)
    response = client.post(f"{JOBS}{job.pk}/cancel/?back=jobs")
    assert response.url == JOBS
    assert f"{JOBS}{job.pk}/retry/?back=jobs" in said(client)
    client.post(f"{JOBS}{job.pk}/retry/?back=jobs")
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


def test_the_part_that_is_polled_ends_when_nothing_is_under_way(cast, sign_in):
    job, client = queue(cast), sign_in(cast.owner)
    part = said(client, f"{JOBS}?part=rows")
    assert "<html" not in part and "data-ended" not in part
    Job.objects.filter(pk=job.pk).update(state="succeeded")
    assert "data-ended" in said(client, f"{JOBS}?part=rows")


def test_more_jobs_with_parts_cost_no_more_queries(cast, sign_in):
    client = sign_in(cast.owner)

    def add():
        for _number in range(10):
            whole = queue(cast, state="in_parts")
            queue(cast, parent=whole, state="running")

    add()
    cost = queries_for(client, JOBS)
    add()
    assert queries_for(client, JOBS) == cost


@pytest.mark.parametrize(
    ("worker", "address", "answers", "named"),
    [
        (True, "redis://x", True, []),
        (False, "redis://x", True, ["No worker is running"]),
        (True, "redis://x", False, ["The queue does not answer"]),
        (False, "redis://x", False, ["No worker is running", "The queue does not answer"]),
        (True, "", False, ["The queue does not answer"]),
        (False, "", False, ["No worker is running"]),  # a worker would start Redis
    ],
)
def test_a_missing_worker_and_a_missing_queue_have_each_its_sentence(
    monkeypatch, worker, address, answers, named
):
    if worker:
        JobWorker.objects.create(name="one", seen_at=timezone.now())
    monkeypatch.setattr(queries, "broker_address", lambda: address)
    monkeypatch.setattr(queries, "broker_answers", lambda: answers)
    assert [trouble.title for trouble in queries.troubles()] == named


def test_a_worker_of_eleven_seconds_ago_is_dead(settings):
    JobWorker.objects.create(name="one", seen_at=timezone.now() - timedelta(seconds=9))
    assert queries.worker_is_alive()
    JobWorker.objects.update(seen_at=timezone.now() - timedelta(seconds=11))
    assert not queries.worker_is_alive()


def test_a_redis_that_is_not_there_is_known_at_once(settings, tmp_path):
    settings.EMBEDDED_REDIS = False
    assert queries.broker_answers()
    settings.REDIS_URL = f"redis+socket://{tmp_path}/none.sock?virtual_host=0"
    assert not queries.broker_answers()


@given(st.integers(1, 1_000), st.integers(10, 120))
def test_a_steady_job_has_its_own_pace(steps, seconds):
    pace = Pace()
    for second in range(seconds + 1):
        pace.note(float(second), second * steps, 10**9)
    assert pace.per_second(float(seconds)) == pytest.approx(steps)


def test_the_pace_is_that_of_the_last_while_and_gone_when_nothing_moves():
    pace = Pace()
    for second in range(100):
        pace.note(float(second), second * 10, 10**6)
    for second in range(100, 200):
        pace.note(float(second), 990 + second, 10**6)
    assert pace.per_second(199.0) == pytest.approx(1.0, rel=0.05)
    for second in range(200, 200 + int(LAST_WHILE_SECONDS) + 2):
        pace.note(float(second), 990 + 199, 10**6)
    assert pace.per_second(262.0) is None


def test_the_next_step_of_a_job_begins_with_a_pace_of_its_own():
    pace = Pace()
    for second in range(20):
        assert pace.note(float(second), second, 100)
    assert pace.note(20.0, 0, 500)
    assert pace.per_second(20.0 + LEAST_SECONDS / 2) is None
