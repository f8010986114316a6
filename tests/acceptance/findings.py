"""What was expected and what came out; Juryroom as somebody uses it who types commands."""

import csv
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Findings:
    """What was expected and what came out."""

    wrong: list[str] = field(default_factory=list)

    def check(self, what: str, found: Any, expected: Any) -> None:
        is_right = found == expected
        shown = f"{found}" if is_right else f"{found}, but the independent count says {expected}"
        print(f"  {'ok   ' if is_right else 'WRONG'} {what}: {shown}", flush=True)
        if not is_right:
            self.wrong.append(what)

    def check_each(self, what: str, found: Mapping[Any, Any], expected: Mapping[Any, Any]) -> None:
        """Check that there is the same under each name; say for how many there is."""
        alike = sum(found.get(name) == value for name, value in expected.items())
        self.check(what, alike - len(found.keys() - expected.keys()), len(expected))

    def note(self, what: str, found: Any) -> None:
        print(f"        {what}: {found}", flush=True)


class Juryroom:
    """Types commands, as a person would."""

    def __init__(self, data: Path) -> None:
        unset = {"DATABASE_URL", "REDIS_URL"}
        self.environment = {key: v for key, v in os.environ.items() if key not in unset}
        self.environment["JURYROOM_DATA"] = str(data)

    def __call__(self, *words: str) -> dict[str, Any]:
        started = time.monotonic()
        command = [sys.executable, str(ROOT / "manage.py"), *words, "--json"]
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"{' '.join(words)} failed: {done.stderr.strip() or done.stdout.strip()}")
        print(f"  {' '.join(words[:2])}: {time.monotonic() - started:.1f} s", flush=True)
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def nominal_alpha(units: list[list[int]]) -> float:
    """Krippendorff's alpha, from the textbook's coincidence matrix (2011, section A)."""
    units = [unit for unit in units if sum(unit) >= 2]
    total = sum(map(sum, units))
    per_label = [sum(unit[label] for unit in units) for label in range(len(units[0]))]
    observed = (
        sum(sum(n * (sum(unit) - n) for n in unit) / (sum(unit) - 1) for unit in units) / total
    )
    expected = sum(n * (total - n) for n in per_label) / (total * (total - 1))
    return 1 - observed / expected
