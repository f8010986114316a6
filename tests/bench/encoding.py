"""`script/bench encoding`: texts a second with one worker and with two, in one run.

A filter run is encoded by real workers with one process each, and one thread in each, so that two
of them do not fight over two cores. Vectors are thrown away in between. Loading the encoder, once
in each worker, is in the figures. On a machine that does other things besides, look at the CPU
seconds for each text: they stay the same where workers do not hold each other up.
"""

import csv
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg2

from embeddings.encoders import OFFLINE_ENCODER
from infra.servers import DatabaseAddress, ensure_database
from tests.bench.installation import ROOT, Installation
from tests.bench.tasks import ask, cpu_seconds
from tests.processes import wait_for

TEXTS = int(os.environ.get("BENCH_ENCODING_TEXTS", "6144"))
WORKERS = (1, 2)
CELERY = (sys.executable, "-m", "celery", "--app", "config.celery", "--quiet", "worker")
OPTIONS = ("--concurrency", "1", "--loglevel", "ERROR", "--without-gossip", "--without-mingle")
PATIENCE_SECONDS = 120

SECONDS = """
    SELECT extract(epoch FROM max(ended_at) - min(started_at))::float
    FROM annotation_job WHERE kind = 'encode_posts' AND parent_id = (
        SELECT job_id FROM filtering_filterrun ORDER BY number DESC LIMIT 1
    )
"""
ALIVE = "SELECT count(*) FROM annotation_jobworker"
STORED = "SELECT count(*) FROM embeddings_storedembedding"


def encoding(installation: Installation) -> dict[str, object]:
    """Encode the same texts with one worker and with two; return what each took, and the ratio."""
    database = ensure_database(installation.data)
    write_votes(installation.data.parent, TEXTS)
    installation.command("create_study", "bench")
    installation.command("import_posts", "bench", str(installation.data.parent / "posts.csv"))
    counts = ("--stage", "crowd", "--counts", "yes", "no")
    installation.command(
        "import_votes", "bench", str(installation.data.parent / "votes.csv"), *counts
    )
    rows = [measure(installation, database, number) for number in WORKERS]
    one, two = (float(str(row["texts_per_second"])) for row in rows)
    return {"encoder": OFFLINE_ENCODER, "texts": TEXTS, "rows": rows, "ratio": round(two / one, 2)}


def write_votes(folder: Path, number: int) -> None:
    """Write posts of the length of tweets, no two alike, and two votes on each."""
    with (folder / "posts.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["post_id", "text"])
        for index in range(number):
            rows.writerow(
                [index, f"A reader of {index} streets says gate {index % 97} shuts. " * 3]
            )
    with (folder / "votes.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["post_id", "yes", "no"])
        rows.writerows([index, 2 - index % 2, index % 2] for index in range(number))


def measure(
    installation: Installation, database: DatabaseAddress, number: int
) -> dict[str, object]:
    """Let so many workers do a run whose texts have no vectors yet."""
    forget_vectors(database)
    words = ("--k", str(TEXTS // 2), "--trials", "1", "--seed", "1", "--encoder", OFFLINE_ENCODER)
    with workers(installation, database, number) as running:
        installation.command("run_filter", "bench", *words)
        cpu = cpu_seconds(running)
    assert ask(database, STORED) == TEXTS
    seconds = ask(database, SECONDS)
    return {
        "workers": number,
        "seconds": round(seconds, 1),
        "texts_per_second": round(TEXTS / seconds, 1),
        "cpu_seconds_with_one_trial": round(cpu, 1),
    }


def forget_vectors(database: DatabaseAddress) -> None:
    """Throw all vectors away."""
    connection = psycopg2.connect(database.url)
    with connection, connection.cursor() as cursor:
        cursor.execute("TRUNCATE embeddings_storedembedding")
    connection.close()


@contextmanager
def workers(
    installation: Installation, database: DatabaseAddress, number: int
) -> Iterator[list[psutil.Process]]:
    """Run workers until the block ends; yield the processes in which they do their jobs."""
    environment = installation.environment() | {"OMP_NUM_THREADS": "1"}
    started = [
        subprocess.Popen(
            [*CELERY, "--hostname", f"bench-{one}@%h", *OPTIONS],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for one in range(number)
    ]
    try:
        wait_for(
            lambda: ask(database, ALIVE) == number, seconds=PATIENCE_SECONDS, what="the workers"
        )
        yield [child for one in started for child in psutil.Process(one.pid).children()]
    finally:
        for one in started:
            one.terminate()
        for one in started:
            one.wait(PATIENCE_SECONDS)
