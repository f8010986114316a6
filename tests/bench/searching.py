"""Searches, fills and signs in for `script/bench library`; prints JSON."""

import json
import random
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402 -- after setup
from django.core.files.storage import default_storage  # noqa: E402
from django.db import connection  # noqa: E402

from annotation.models import Role, Study, User  # noqa: E402
from annotation.services.people import add_member  # noqa: E402
from legal.algorithms import bm25  # noqa: E402
from legal.algorithms.analysis import terms  # noqa: E402
from legal.models import LibraryDocument, LibraryVersion, Passage  # noqa: E402
from legal.queries.library import current_version, search  # noqa: E402
from legal.queries.library_hits import look_up  # noqa: E402
from tests.bench.filling import session_of  # noqa: E402
from tests.bench.library import QUERIES, ROUNDS  # noqa: E402

BLOCK = 1_000


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


def made_up(texts: list[str], count: int) -> Iterator[tuple[str, list[str]]]:
    """Yield passages of as many paragraphs as real ones have, with their terms."""
    paragraphs = [[part for part in text.split("\n\n") if part] for text in texts]
    lengths = [len(one) for one in paragraphs]
    pool = [(part, terms(part)) for one in paragraphs for part in one]
    chance = random.Random(1)
    for _number in range(count):
        drawn = chance.choices(pool, k=chance.choice(lengths))
        yield "\n\n".join(text for text, _terms in drawn), [t for _text, ts in drawn for t in ts]


def fill(study: Study, count: int) -> dict[str, Any]:
    """Make a version of so many passages, stored and indexed as the job does it."""
    started = time.perf_counter()
    document = LibraryDocument.objects.filter(study=study).latest("pk")
    texts = list(Passage.objects.filter(document__study=study).values_list("text", flat=True))
    folder = f"library/{study.pk}/index-bench"
    path = Path(default_storage.path(folder))
    path.mkdir(parents=True)
    bm25.build(stored(document, texts, count), bm25.Formula(), path)
    newest = current_version(study)
    assert newest
    LibraryVersion.objects.create(
        study=study,
        number=newest.number + 1,
        size=newest.size,
        overlap=newest.overlap,
        k1=newest.k1,
        b=newest.b,
        tokenizer="made up",
        analyzer=newest.analyzer,
        document_count=1,
        passage_count=count,
        folder=folder,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE legal_passage")
    megabytes = sum(file.stat().st_size for file in path.iterdir()) / 1024**2
    return {"seconds": round(time.perf_counter() - started), "index_megabytes": round(megabytes)}


def stored(
    document: LibraryDocument, texts: list[str], count: int
) -> Iterator[tuple[int, list[str]]]:
    """Store passages in blocks, and yield the id and the terms of each."""
    source = made_up(texts, count)
    for first in range(0, count, BLOCK):
        block = [next(source) for _number in range(min(BLOCK, count - first))]
        rows = Passage.objects.bulk_create(
            Passage(
                document=document,
                cut_as="made up",
                number=first + number,
                start=0,
                end=len(text),
                tokens=0,
                text=text,
            )
            for number, (text, _terms) in enumerate(block, start=1)
        )
        yield from ((row.pk, found) for row, (_text, found) in zip(rows, block, strict=True))


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
