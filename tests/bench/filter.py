"""`script/bench filter`: three trials side by side, by number of posts, beside AFLite.

Embeddings are made up and lie on disk in half precision, as they come from the database. Trials run
in two processes that are up already, as workers are; encoding is not in the figures. On a machine
that does other things besides, look at the CPU seconds.
"""

import multiprocessing
import os
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from filtering.algorithms import AFLiteSettings, FilterSettings, Settings, Trial, run_trial
from filtering.algorithms.linear_classifier import plan
from tests.bench.installation import Installation

SIZES = os.environ.get("BENCH_FILTER_POSTS", "1500,50000,100000,1000000")
AFLITE_POSTS = int(os.environ.get("BENCH_FILTER_AFLITE_POSTS", "1500"))
FEATURES = 1_024
LABELS = 3
TRIALS = 3
PROCESSES = 2
CAUSES = 8
BLOCK = 8_192


def filter_trials(installation: Installation) -> dict[str, object]:
    """Seconds and memory of three trials of each size, and what AFLite takes for one."""
    folder = installation.data.parent
    sizes = [int(size) for size in SIZES.split(",")]
    found: dict[str, object] = {"features": FEATURES, "processes": PROCESSES}
    found["kl"] = [measure(folder, posts) for posts in sizes]
    if AFLITE_POSTS:
        found["aflite"] = beside_aflite(folder, AFLITE_POSTS)
    return found


def measure(folder: Path, posts: int) -> dict[str, object]:
    """Run three trials with fresh workers and return what they took."""
    make_posts(folder, posts)
    settings = FilterSettings(k=posts // 2)
    workers = ProcessPoolExecutor(PROCESSES, multiprocessing.get_context("spawn"))
    with workers:
        list(workers.map(warm_up, range(PROCESSES)))
        started = time.perf_counter()
        jobs = [workers.submit(timed, folder, settings, seed) for seed in range(TRIALS)]
        trials = [job.result() for job in jobs]
        seconds = time.perf_counter() - started
    cpu = sum(trial["cpu_seconds"] for trial in trials)
    gone_through = sum(size * times for one in trials for size, times in one["sizes_and_passes"])
    return {
        "posts": posts,
        "seconds": round(seconds, 2),
        "cpu_seconds": round(cpu, 2),
        "cpu_microseconds_per_post": round(1e6 * cpu / posts, 1),
        "cpu_microseconds_per_post_and_pass": round(1e6 * cpu / gone_through, 2),
        "most_megabytes": max(trial["most_megabytes"] for trial in trials),
        "most_megabytes_of_its_own": max(trial["most_megabytes_of_its_own"] for trial in trials),
        "trials": trials,
    }


def beside_aflite(folder: Path, posts: int) -> dict[str, object]:
    """One trial of each on the same posts and with the same k, one after the other."""
    make_posts(folder, posts)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as worker:
        worker.submit(timed, folder, AFLiteSettings(k=posts - 1, classifiers=1), 0).result()
        ours = worker.submit(timed, folder, FilterSettings(k=posts // 2), 1).result()
        theirs = worker.submit(timed, folder, AFLiteSettings(k=posts // 2), 1).result()
    return {
        "posts": posts,
        "classifiers": AFLiteSettings(k=1).classifiers,
        "rounds": len(theirs["sizes_and_passes"]),
        "cpu_seconds": theirs["cpu_seconds"],
        "kl_cpu_seconds": ours["cpu_seconds"],
        "ratio": round(theirs["cpu_seconds"] / ours["cpu_seconds"], 1),
    }


def make_posts(folder: Path, posts: int) -> None:
    """Write embeddings with a few causes in them, on which the votes depend."""
    random = np.random.default_rng(0)
    shape = (posts, FEATURES)
    table = np.lib.format.open_memmap(folder / "rows.npy", "w+", dtype=np.float16, shape=shape)
    mixing = random.standard_normal((CAUSES, FEATURES), dtype=np.float32)
    counts = np.empty((posts, LABELS), dtype=np.int64)
    for start in range(0, posts, BLOCK):
        number = min(BLOCK, posts - start)
        causes = random.standard_normal((number, CAUSES), dtype=np.float32)
        noise = random.standard_normal((number, FEATURES), dtype=np.float32)
        table[start : start + number] = causes @ mixing + 2 * noise
        odds = np.exp(1.5 * causes[:, :LABELS])
        chances = odds / odds.sum(axis=1, keepdims=True)
        counts[start : start + number] = random.multinomial(3, chances.astype(np.float64))
    table.flush()
    np.save(folder / "counts.npy", counts)


def warm_up(number: int) -> None:
    """Load what a worker has loaded, and give the other worker time to come up as well."""
    run_trial(np.ones((4, 2)), np.ones((4, 2), dtype=int), FilterSettings(k=1, epochs=1), seed=1)
    time.sleep(0.5)


def timed(folder: Path, settings: Settings, seed: int) -> dict[str, Any]:
    """Run a trial in this process; return its time and the largest memory of the process.

    What is its own is told apart from the pages of the file that the system has lent it.
    """
    embeddings = np.load(folder / "rows.npy", mmap_mode="r")
    counts = np.load(folder / "counts.npy")
    own: list[float] = []
    started, cpu = time.perf_counter(), time.process_time()
    trial = run_trial(
        embeddings, counts, settings, seed=seed, progress=lambda told: own.append(own_megabytes())
    )
    return {
        "seconds": round(time.perf_counter() - started, 2),
        "cpu_seconds": round(time.process_time() - cpu, 2),
        "most_megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "most_megabytes_of_its_own": round(max(own)),
        "kept": int(trial.kept.sum()),
        "sizes_and_passes": sizes_and_passes(trial, settings),
    }


def sizes_and_passes(trial: Trial, settings: Settings) -> list[tuple[int, int]]:
    """Return how many posts each round had, and how often its training went through them."""
    if not isinstance(settings, FilterSettings):
        return [(one.size, 1) for one in trial.rounds]
    return [(one.size, plan(one.size, settings).passes) for one in trial.rounds]


def own_megabytes() -> float:
    """Return the memory of this process that is not mapped from a file."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    return 0.0
