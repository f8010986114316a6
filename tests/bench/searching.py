"""Searches, fills and signs in for `script/bench library`; prints JSON."""

import json
import shutil
import statistics
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import django
import numpy as np

django.setup()

from django.conf import settings  # noqa: E402 -- after setup
from django.core.files.storage import default_storage  # noqa: E402

from annotation.models import Role, Study, User  # noqa: E402
from annotation.services.people import add_member  # noqa: E402
from legal.algorithms.bm25 import Index  # noqa: E402
from legal.models import LibraryVersion  # noqa: E402
from legal.queries.library import (  # noqa: E402
    current_version,
    index_folder,
    index_of,
    search,
)
from legal.queries.library_hits import look_up  # noqa: E402
from tests.bench.filling import session_of  # noqa: E402
from tests.bench.library import QUERIES, ROUNDS  # noqa: E402


def searches(study: Study) -> dict[str, Any]:
    """Return the milliseconds of a search, and of one with the parts that fit, on a warm index."""
    search(study, QUERIES[0], 10)
    version = current_version(study)
    assert version
    return {
        "passages": version.passage_count,
        "search_milliseconds": timed(lambda query: search(study, query, 10)),
        "search_and_excerpts_milliseconds": timed(lambda query: look_up(study, query)),
    }


def timed(ask: Any) -> dict[str, float]:
    """Ask all questions some times; return median and worst, and the median of our own CPU."""
    taken, cpu = [], []
    for _round in range(ROUNDS):
        for query in QUERIES:
            started, used = time.perf_counter(), time.process_time()
            ask(query)
            taken.append((time.perf_counter() - started) * 1000)
            cpu.append((time.process_time() - used) * 1000)
    return {
        "median": round(statistics.median(taken), 1),
        "worst": round(max(taken), 1),
        "cpu_median": round(statistics.median(cpu), 1),
    }


def fill(study: Study, count: int) -> dict[str, Any]:
    """Make a version whose index is as long as that of so many passages: the statutes', repeated.

    Its columns are as long, and its hits lead to real passages; only storing them is left out.
    """
    newest = current_version(study)
    assert newest
    real = index_of(newest)
    times = -(-count // len(real.ids))
    folder = f"library/{study.pk}/index-bench"
    path = Path(default_storage.path(folder))
    shutil.copytree(index_folder(newest), path)
    repeat(real, times, path)
    LibraryVersion.objects.create(
        study=study,
        number=newest.number + 1,
        size=newest.size,
        overlap=newest.overlap,
        k1=newest.k1,
        b=newest.b,
        tokenizer=newest.tokenizer,
        analyzer=newest.analyzer,
        document_count=newest.document_count,
        passage_count=times * len(real.ids),
        folder=folder,
    )
    megabytes = sum(file.stat().st_size for file in path.iterdir()) / 1024**2
    return {"index_megabytes": round(megabytes)}


def repeat(real: Index, times: int, path: Path) -> None:
    """Write an index with each passage so many times, column by column."""
    starts, shifts = real.starts.astype(np.int64), np.arange(times)[:, None] * len(real.ids)
    rows = np.empty(times * len(real.rows), dtype=np.int32)
    weights = np.empty(times * len(real.rows))
    for first, last in pairwise(starts):
        part = slice(first * times, last * times)
        rows[part] = (real.rows[first:last] + shifts).ravel()
        weights[part] = np.tile(real.weights[first:last], times)
    np.save(path / "indices.csc.index.npy", rows)
    np.save(path / "data.csc.index.npy", weights)
    np.save(path / "indptr.csc.index.npy", starts * times)
    np.save(path / "passages.npy", np.tile(real.ids, times))


def sign_in(study: Study) -> dict[str, Any]:
    """Return the cookie of an expert of the study."""
    user, is_new = User.objects.get_or_create(username="bench-expert")
    if is_new:
        add_member(by=None, study=study, user=user, role=Role.EXPERT)
    member = study.members.get(user=user)
    return {"cookie": settings.SESSION_COOKIE_NAME, "session": session_of(member)}


def main() -> None:
    study = Study.objects.get(slug=sys.argv[1])
    tasks = {
        "search": lambda: searches(study),
        "fill": lambda: fill(study, int(sys.argv[3])),
        "sign_in": lambda: sign_in(study),
    }
    json.dump(tasks[sys.argv[2]](), sys.stdout)


if __name__ == "__main__":
    main()
