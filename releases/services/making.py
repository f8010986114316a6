"""Makes a release: reads all in one snapshot, writes its files aside, then shows them at once.

What is half-made lies in a folder that nobody is shown, and goes when the job ends in any way. The
number is given when everything is there, so a job that is cancelled or fails uses none up.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pghistory
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone

from annotation.models import Job, Study, WebhookEvent
from annotation.queries.counts import RoundsDiffer
from annotation.services.archive import lock_study
from annotation.services.webhooks import announce
from annotation.tables import Written
from infra.jobs import JobRefused, Report
from releases.algorithms import statistics
from releases.algorithms.pseudonyms import new_key
from releases.choices import ReleaseChoices, Texts
from releases.columns import POSTS
from releases.layout import CROISSANT, DOCUMENTS, IDS, MANIFEST, README, STATISTICS
from releases.models import Release, ReleaseFile, ReleaseKey
from releases.queries.cards import texts_for
from releases.queries.figures import figures_of, provenance_of
from releases.queries.guides import guides_of
from releases.queries.sources import sources_of
from releases.services.describing import croissant_of, readme
from releases.services.release_charts import queue_release_charts
from releases.services.scanning import settle
from releases.services.tables import write_tables

Files = dict[str, Written]


def make(*, job: Job, report: Report) -> dict[str, Any]:
    """Make the release that a job is for; a job that has made one makes no other."""
    release = Release.objects.filter(job=job).first()
    if release is None:
        keep_key(study=job.study)
        with aside(job) as folder:
            read_at = timezone.now()
            with one_snapshot():
                manifest, written = write_all(job, folder, report)
            release = publish(
                job=job, folder=folder, manifest=manifest, written=written, read_at=read_at
            )
    return {"release": release.number, "open_tasks": release.open_tasks}


def keep_key(*, study: Study) -> None:
    """Give a study the key of its people's names in releases, unless it has one."""
    ReleaseKey.objects.get_or_create(study=study, defaults={"key": new_key()})


def study_folder(study: Study) -> Path:
    """Return where a study's releases lie."""
    return Path(default_storage.path(f"releases/{study.pk}"))


def release_folder(release: Release) -> Path:
    """Return where a release's files lie."""
    return study_folder(release.study) / str(release.number)


@contextmanager
def aside(job: Job) -> Iterator[Path]:
    """Give a job an empty folder of its own, and remove what is left of it at the end."""
    folder = study_folder(job.study) / f".making-{job.pk}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def one_snapshot() -> Iterator[None]:
    """See everything as it is at this moment, whatever others write meanwhile.

    Sorting a million votes in memory spares the database its disk.
    """
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        if is_outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                cursor.execute("SET LOCAL work_mem = '64MB'")
        yield


def write_all(job: Job, folder: Path, report: Report) -> tuple[dict[str, Any], Files]:
    """Write the tables; return how the release came about with its figures, and its files."""
    try:
        choices = ReleaseChoices.from_json(job.parameters)
        sources = sources_of(job.study, choices)
    except RoundsDiffer as difference:
        raise JobRefused(str(difference)) from None
    counted, scan, written = write_tables(sources, folder, report)
    for name, text in guides_of(sources):
        written[name] = write_text(folder / name, text)
    found = settle(scan, choices)
    figures = statistics(counted, figures_of(sources))
    more = {"scan": found, "statistics": figures, "card": texts_for(sources, figures)}
    return provenance_of(sources) | more, written


@transaction.atomic
def publish(
    *, job: Job, folder: Path, manifest: dict[str, Any], written: Files, read_at: datetime
) -> Release:
    """Give the release its number, write what names it, and move the folder to its place."""
    study = lock_study(job.study_id)
    open_tasks = sum(manifest["statistics"]["open_tasks"].values())
    with pghistory.context(user=job.created_by_id, action="make release"):
        release = Release.objects.create(
            study=study,
            number=last_number(study) + 1,
            texts=manifest["choices"]["texts"],
            complete=not open_tasks,
            open_tasks=open_tasks,
            manifest=manifest,
            job=job,
            created_by=job.created_by,
            read_at=read_at,
        )
    write_documents(release, folder, written)
    ReleaseFile.objects.bulk_create(file_of(release, *one) for one in written.items())
    place = release_folder(release)
    shutil.rmtree(place, ignore_errors=True)  # left by a process that died before it committed
    folder.rename(place)
    queue_release_charts(release=release)
    announce(study=study, event=WebhookEvent.RELEASE_MADE, about={"release": release.number})
    return release


def file_of(release: Release, name: str, file: Written) -> ReleaseFile:
    """Return the record of a file; documents have no rows."""
    rows = None if name in {document.name for document in DOCUMENTS} else file.rows
    return ReleaseFile(release=release, name=name, sha256=file.sha256, size=file.size, rows=rows)


def write_documents(release: Release, folder: Path, written: Files) -> None:
    """Write what describes the tables; the manifest comes last, as it has all checksums."""
    if release.texts == Texts.IDS:
        written[IDS] = write_text(folder / IDS, post_ids(folder))
    written[STATISTICS] = write_text(folder / STATISTICS, as_text(statistics_of(release)))
    written[CROISSANT] = write_text(folder / CROISSANT, as_text(croissant_of(release, written)))
    written[README] = write_text(folder / README, readme(release, written))
    written[MANIFEST] = write_text(folder / MANIFEST, as_text(manifest_of(release, written)))


def post_ids(folder: Path) -> str:
    """Return the ids of the posts that were written, one a line."""
    import polars as pl

    posts = pl.scan_parquet(folder / f"data/{POSTS.name}-*.parquet").select("post_id").collect()
    return "".join(f"{post_id}\n" for post_id in posts["post_id"])


def last_number(study: Study) -> int:
    """Return the number of a study's newest release, 0 where there is none."""
    newest = Release.objects.filter(study=study).aggregate(last=Max("number"))["last"]
    return newest or 0


def heading_of(release: Release) -> dict[str, Any]:
    """Return what both documents for programs begin with."""
    return {
        "study": release.manifest["study"],
        "release": release.number,
        "made_at": release.created_at.isoformat(timespec="seconds"),
        "complete": release.complete,
    }


def statistics_of(release: Release) -> dict[str, Any]:
    """Return the content of statistics.json."""
    return {**heading_of(release), **release.manifest["statistics"]}


def manifest_of(release: Release, written: Files) -> dict[str, Any]:
    """Return the content of manifest.json: how the release came about, and all other files."""
    more = {name: value for name, value in release.manifest.items() if name != "statistics"}
    files = {
        name: {"sha256": file.sha256, "bytes": file.size, "rows": file_of(release, name, file).rows}
        for name, file in sorted(written.items())
    }
    figures = release.manifest["statistics"]
    counts = {"counts": figures["counts"], "open_tasks": figures["open_tasks"]}
    return heading_of(release) | more | counts | {"files": files}


def as_text(content: dict[str, Any]) -> str:
    """Return JSON that people can read."""
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def write_text(path: Path, text: str) -> Written:
    """Write a file of text; return its size and checksum."""
    content = text.encode()
    path.write_bytes(content)
    return Written(rows=0, size=len(content), sha256=hashlib.sha256(content).hexdigest())
