"""The two halves of `script/bench release`: `fill N` makes N votes, `make` releases and measures.

Posts, tasks, places and votes are made by the database itself. Prints JSON.
"""

import json
import resource
import sys
import time
from collections import Counter

import psutil

from tests.bench.filling import FILE, PLACES, POSTS, TASKS, VOTES_WANTED, unwatched

from django.db import connection, transaction  # isort: skip -- set up by filling

from annotation.models import Batch, Member, StageCode, Study
from annotation.services.jobs import run_job
from crowd.services.batches import start_round
from releases.models import Release
from releases.services.releases import make_release

PEOPLE = 500

FILLED = """
    UPDATE annotation_place AS place
    SET member_id = %(first)s + (position * 7 + number * 131) %% %(people)s, filled_at = now()
    WHERE batch_id = %(batch)s
"""
VOTES = """
    INSERT INTO annotation_vote
        (task_id, member_id, place_id, version, label, counted, seconds, guide_version, created_at)
    SELECT task_id, member_id, id, 1,
        (ARRAY['no_claim', 'not_checkworthy', 'checkworthy'])[1 + abs(hashint8(id)) %% 3],
        true, 3 + number * 1.25, 1, now() - make_interval(secs => position)
    FROM annotation_place WHERE batch_id = %(batch)s ORDER BY hashint8(id)
"""


@transaction.atomic
def fill(study: Study, votes: int) -> dict[str, object]:
    """Give a study posts with three votes each, in the order in which people come."""
    batch = start_round(study=study, stage=StageCode.CROWD, votes_wanted=VOTES_WANTED, seed=None)
    values = {"study": study.pk, "batch": batch.pk, "votes": VOTES_WANTED, "people": PEOPLE}
    values |= {"posts": votes // VOTES_WANTED, "first": everybody(study)}
    with connection.cursor() as cursor:
        cursor.execute(FILE, [study.pk])
        values["file"] = cursor.fetchone()[0]
        with unwatched(cursor, "post", "task", "place", "vote"):
            for sql in (POSTS, TASKS, PLACES, FILLED, VOTES):
                cursor.execute(sql, values)
        cursor.execute("ANALYZE")
    Batch.objects.filter(pk=batch.pk).update(state="closed")
    return {"votes": votes}


def everybody(study: Study) -> int:
    """Make the people; return the id of the first."""
    rows = Member.objects.bulk_create(
        Member(
            study=study,
            imported_name=f"worker {number}",
            pseudonym=f"bench-{number}",
            role="crowd_worker",
        )
        for number in range(PEOPLE)
    )
    return rows[0].pk


def make(study: Study) -> dict[str, object]:
    """Make a release; return how long it took, and the most memory that this process had."""
    job = make_release(by=None, study=study)
    before, database = peak(), database_seconds()
    started, own = time.perf_counter(), time.process_time()
    ended = run_job(job_id=job.pk)
    seconds = time.perf_counter() - started
    busy = [time.process_time() - own, database_seconds() - database]
    assert ended and ended.state == "succeeded", ended and ended.reason
    files = Release.objects.get(job=job).files.all()
    rows = {file.name.split("/")[1]: file.rows for file in files if file.name.startswith("csv/")}
    sizes: Counter[str] = Counter()
    for file in files:
        sizes[file.name.partition("/")[0]] += file.size
    total = sum(filter(None, rows.values()))
    return {
        "rows": rows,
        "seconds": round(seconds, 1),
        "rows_per_second": round(total / seconds),
        "votes_per_second": round((rows["votes.csv"] or 0) / seconds),
        "cpu_seconds_of_worker_and_database": [round(one, 1) for one in busy],
        "megabytes_before_and_at_most": [round(before), round(peak())],
        "megabytes_of_files": {name: round(size / 2**20, 1) for name, size in sizes.items()},
    }


def database_seconds() -> float:
    """Return how long the database's processes have kept a core busy, those that ended included."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        server = psutil.Process(cursor.fetchone()[0]).parent()
    assert server
    times = [server.cpu_times(), *(one.cpu_times() for one in server.children())]
    running = sum(one.user + one.system for one in times)
    return running + times[0].children_user + times[0].children_system


def peak() -> float:
    """Return the most resident megabytes that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    found = Study.objects.get(slug=sys.argv[1])
    done = fill(found, int(sys.argv[3])) if sys.argv[2] == "fill" else make(found)
    json.dump(done, sys.stdout)
