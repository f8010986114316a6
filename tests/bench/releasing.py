"""`script/bench release`: rows a second, memory and sizes of a release with a million votes."""

import json
import os
import subprocess
import sys
from typing import Any

from tests.bench.installation import ROOT, Installation

VOTES = int(os.environ.get("BENCH_RELEASE_VOTES", "1000000"))


def release(installation: Installation) -> dict[str, object]:
    """Make a release of a crowd's votes, three a post, in a process like a worker's."""
    installation.command("create_study", "bench")
    run(installation, "fill", str(VOTES))
    return run(installation, "make")


def run(installation: Installation, *words: str) -> dict[str, Any]:
    """Run `tests.bench.released` on the installation's database."""
    environment = installation.environment() | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.released", "bench", *words],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found
