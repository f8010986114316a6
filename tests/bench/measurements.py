"""What is measured. Loads are bounded and stay on this machine."""

import csv
import json
import statistics
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tests.bench.agreement import agreement
from tests.bench.encoding import encoding
from tests.bench.filter import filter_trials
from tests.bench.installation import Installation, sign_in
from tests.bench.library import library
from tests.bench.releasing import release
from tests.bench.tasks import tasks

STUDY = "/studies/harbour-rumours"
PAGES = {
    "home": "/",
    "study": f"{STUDY}/",
    "posts": f"{STUDY}/posts/",
    "crowd": f"{STUDY}/crowd/",
    "filter": f"{STUDY}/filter/1/",
    "legal": f"{STUDY}/legal/",
    "release": f"{STUDY}/releases/1/",
}
REQUESTS = 105
IMPORTED_POSTS = 50_000


def start(installation: Installation) -> dict[str, object]:
    """Seconds until the page answers: the very first start, and later ones."""
    with installation.served() as first:
        first_seconds = first.seconds_to_start
    later = []
    for _number in range(3):
        with installation.served() as again:
            later.append(again.seconds_to_start)
    return {
        "first_seconds_with_demonstration": round(first_seconds, 2),
        "later_seconds": [round(seconds, 2) for seconds in later],
    }


def pages(installation: Installation) -> dict[str, object]:
    """Milliseconds a page takes, and the memory of the web processes after a hundred requests."""
    installation.command("create_demonstration")
    known = json.loads((installation.data / "demonstration.json").read_text())
    taken: dict[str, list[float]] = {name: [] for name in PAGES}
    with installation.served("--no-worker") as server:
        with closing(sign_in(server.url, "owner", known["password"])) as client:
            for number in range(REQUESTS):
                name = list(PAGES)[number % len(PAGES)]
                started = time.perf_counter()
                client.get(PAGES[name]).raise_for_status()
                taken[name].append((time.perf_counter() - started) * 1000)
        memory = [process.memory_info().rss / 1024**2 for process in server.web_processes()]
    return {
        "requests": REQUESTS,
        "median_milliseconds": {
            name: round(statistics.median(values), 1) for name, values in taken.items()
        },
        "web_megabytes_each": [round(megabytes, 1) for megabytes in memory],
    }


def imports(installation: Installation) -> dict[str, object]:
    """Posts a second from CSV into the database, cleaning included, and the command's memory."""
    file = installation.data.parent / "posts.csv"
    write_posts(file, IMPORTED_POSTS)
    installation.command("create_study", "bench")
    facts = installation.command("import_posts", "bench", str(file))
    assert facts["added"] == IMPORTED_POSTS, facts
    return {
        "posts": IMPORTED_POSTS,
        "posts_per_second": round(IMPORTED_POSTS / facts["seconds"]),
        "most_megabytes": round(facts["most_megabytes"], 1),
    }


def write_posts(path: Path, number: int) -> None:
    """Write posts of the length of tweets."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["post_id", "text", "created_at"])
        for index in range(number):
            words = f"@reader{index % 97} says that gate {index} of the harbour is closed. " * 3
            rows.writerow([f"{10**18 + index}", words.strip(), "2025-03-01T12:00:00Z"])


ALL: dict[str, Callable[[Installation], dict[str, object]]] = {
    "start": start,
    "pages": pages,
    "import": imports,
    "tasks": tasks,
    "filter": filter_trials,
    "library": library,
    "encoding": encoding,
    "agreement": agreement,
    "release": release,
}
