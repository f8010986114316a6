"""`script/bench library`: what a search of the legal library takes, and the web process's memory.

The first size is the 27 Canadian statutes, loaded by the command that a person would type. The
second is their index made so many times longer.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from tests.bench.installation import ROOT, Installation

STATUTES = Path(
    os.environ.get("BENCH_LIBRARY_FOLDER", ROOT.parent / "shared" / "data" / "legal_docs_canada")
)
PASSAGES = int(os.environ.get("BENCH_LIBRARY_PASSAGES", "100000"))
STUDY = "bench"
ROUNDS = 5
QUERIES = (
    "false or misleading representation to the public",
    "hate speech against an identifiable group",
    "election advertising on the Internet",
    "personal information without consent",
    "advertising of food, drugs or cosmetics in a false manner",
    "the minister said that all the ballots were burned before anybody could count them " * 3,
)


def library(installation: Installation) -> dict[str, object]:
    """Milliseconds of searches and memory, with the statutes and with many passages."""
    if not STATUTES.is_dir():
        sys.exit(f"There is no folder {STATUTES}; name one with BENCH_LIBRARY_FOLDER.")
    installation.command("create_study", STUDY)
    loaded = installation.command("load_library", STUDY, str(STATUTES))
    found: dict[str, object] = {
        "loading": {
            "documents": loaded["documents"],
            "passages": loaded["passages"],
            "seconds": round(loaded["seconds"], 1),
            "most_megabytes": round(loaded["most_megabytes"]),
        }
    }
    found["statutes"] = measure(installation)
    if PASSAGES:
        made = run(installation, "fill", str(PASSAGES))
        found["many"] = {**made, **measure(installation)}
    return found


def measure(installation: Installation) -> dict[str, object]:
    """Search in a process of its own, and through the server as shipped."""
    return {**run(installation, "search"), **over_http(installation)}


def run(installation: Installation, *words: str) -> dict[str, Any]:
    """Run `tests.bench.searching` on the installation's database."""
    environment = installation.environment() | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.searching", STUDY, *words],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def over_http(installation: Installation) -> dict[str, object]:
    """Ask the part of the page that stands beside a form, as somebody who is signed in."""
    known = run(installation, "sign_in")
    taken: list[float] = []
    with installation.served("--no-worker") as server:
        cookies = {known["cookie"]: known["session"]}
        with httpx.Client(base_url=server.url, cookies=cookies, timeout=60) as client:
            client.get(f"/studies/{STUDY}/").raise_for_status()
            before = memory_of(server)
            for _round in range(ROUNDS):
                for query in QUERIES:
                    started = time.perf_counter()
                    client.get(
                        f"/studies/{STUDY}/legal/library/search/",
                        params={"q": query, "part": "hits"},
                    ).raise_for_status()
                    taken.append((time.perf_counter() - started) * 1000)
        after = memory_of(server)
    return {
        "request_median_milliseconds": round(statistics.median(taken), 1),
        "web_megabytes_before_and_after": [round(before, 1), round(after, 1)],
    }


def memory_of(server: Any) -> float:
    """Return the resident megabytes of the process that answers."""
    return max(process.memory_info().rss for process in server.web_processes()) / 1024**2
