"""A worker is killed while it encodes: the run goes on elsewhere, and a block at most is lost."""

import pytest
from django.db import connection

from annotation.models import Job, JobState
from embeddings.models import StoredEmbedding
from embeddings.services import _ENCODE_BLOCK
from filtering.models import FilterRun
from filtering.services.runs import start_run
from tests.cast import add_posts, make_cast
from tests.embeddings.tiny import save_tiny_roberta
from tests.filtering.rounds import CLEAR, SPLIT, add_round
from tests.processes import wait_for
from tests.workers import kill, running_worker

pytestmark = [pytest.mark.worker, pytest.mark.django_db(transaction=True)]

POSTS = 1_536
WORDS = "The mayor was seen with a suitcase of money at the harbour. " * 3


def stored() -> int:
    return StoredEmbedding.objects.count()


def sent_to_the_table() -> int:
    """Return how many vectors were ever to be stored: also refused ones take a number."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_serial_sequence('embeddings_storedembedding', 'id')")
        cursor.execute(f"SELECT last_value, is_called FROM {cursor.fetchone()[0]}")
        last, is_called = cursor.fetchone()
    return last if is_called else 0


def test_a_killed_worker_loses_at_most_its_block_and_the_run_is_finished_by_another(
    transactional_db, tmp_path
):
    study = make_cast().study
    posts = add_posts(study, [f"{number}. {WORDS}" for number in range(POSTS)])
    add_round(study, posts, [SPLIT if number % 3 == 0 else CLEAR for number in range(POSTS)])
    encoder = save_tiny_roberta(tmp_path / "encoder", positions=514)
    run = start_run(by=None, study=study, k=POSTS // 2, trials=2, seed=1, encoder=str(encoder))
    parts, before = Job.objects.filter(kind="encode_posts"), sent_to_the_table()
    with running_worker(tmp_path, "first") as worker:
        wait_for(lambda: stored() > _ENCODE_BLOCK, seconds=90, what="some vectors")
        kill(worker)
    kept = set(StoredEmbedding.objects.values_list("pk", "created_at"))
    assert _ENCODE_BLOCK < len(kept) < POSTS, "killed too early or too late"
    assert parts.filter(state=JobState.RUNNING).count() == 1
    with running_worker(tmp_path, "second"):
        wait_for(lambda: Job.objects.get(pk=run.job_id).has_ended, seconds=240, what="the run")
    run = FilterRun.objects.select_related("job").get(pk=run.pk)
    assert run.job.state == JobState.SUCCEEDED, run.job.reason
    assert run.is_finished and run.trials.count() == 2
    assert sorted(parts.values_list("attempts", flat=True)) == [1, 2]
    assert kept <= set(StoredEmbedding.objects.values_list("pk", "created_at"))
    assert stored() == POSTS
    assert POSTS <= sent_to_the_table() - before <= POSTS + _ENCODE_BLOCK
