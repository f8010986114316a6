"""Runs the measurements named (all without names) and prints one JSON object."""

import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench import measurements
from tests.bench.installation import ROOT, Installation


def machine() -> dict[str, object]:
    """Return what figures must be quoted with."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    return {
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "commit": commit or None,
    }


def main() -> None:
    names = sys.argv[1:] or list(measurements.ALL)
    unknown = [name for name in names if name not in measurements.ALL]
    if unknown:
        sys.exit(f"There is no measurement {unknown[0]}; there are: {', '.join(measurements.ALL)}.")
    found: dict[str, object] = {"machine": machine()}
    for name in names:
        with tempfile.TemporaryDirectory(prefix="juryroom-bench-") as folder:
            found[name] = measurements.ALL[name](Installation(Path(folder) / "var"))
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
