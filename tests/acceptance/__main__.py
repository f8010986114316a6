"""Counts again, without Juryroom, what real posts and a simulated month of crowd work come to.

Run by script/acceptance. Everything happens in a data folder of its own. The rounds go through the
commands that a person would type, the month through the services that pages and API call.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from tests.acceptance import library, rounds
from tests.acceptance.findings import ROOT, Findings, Juryroom


def simulated_month(juryroom: Juryroom, data: Path, work: Path, findings: Findings) -> None:
    """Live through the month in this process, which then gives its servers up."""
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("REDIS_URL", None)
    os.environ.update(juryroom.environment, DJANGO_SETTINGS_MODULE="config.settings")
    import django

    django.setup()
    from infra.servers import stop_using
    from tests.acceptance.month import live_through

    started = time.monotonic()
    live_through(data / "ct22_en_three_way.csv", work, findings)
    findings.note("seconds", round(time.monotonic() - started, 1))
    stop_using(patience=20)


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT.parent / "shared" / "data").resolve()
    if not data.is_dir():
        sys.exit(f"There is no data at {data}. Name its folder: script/acceptance FOLDER")
    findings = Findings()
    with tempfile.TemporaryDirectory(prefix="juryroom-acceptance-") as name:
        work = Path(name)
        juryroom = Juryroom(work / "var")
        rounds.interim_set(juryroom, data, work, findings)
        rounds.tweets(juryroom, data, work, findings)
        rounds.five_votes(juryroom, data, findings)
        rounds.conversations(juryroom, data, findings)
        library.statutes(juryroom, data, findings)
        simulated_month(juryroom, data, work, findings)
    if findings.wrong:
        sys.exit(f"\n{len(findings.wrong)} numbers are wrong: {', '.join(findings.wrong)}.")
    print("\nAll numbers agree with the independent count.")


if __name__ == "__main__":
    main()
