"""What pages and commands show of releases, and what a new one would leave open."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet

from annotation.models import (
    BatchState,
    Origin,
    Place,
    StageCode,
    Study,
    Task,
    TaskKind,
)
from releases.columns import TABLES
from releases.layout import DOCUMENTS
from releases.models import Release, ReleaseFile

MAKING = "make_release"
STAGES = (StageCode.CROWD, StageCode.LEGAL)


def releases_of(study: Study) -> QuerySet[Release]:
    """Return a study's releases, newest first."""
    releases = Release.objects.filter(study=study).select_related("study", "created_by")
    return releases.annotate(flag_count=Count("flags")).order_by("-number")


def release_in_detail(study: Study) -> QuerySet[Release]:
    """Return releases with their files."""
    return releases_of(study).prefetch_related("files")


def open_tasks(study: Study) -> dict[str, int]:
    """Return by stage how many posts of its batches still want votes; closed batches want none."""
    unfilled = Place.objects.filter(task=OuterRef("pk"), filled_at=None)
    tasks = (
        Task.objects.filter(
            Exists(unfilled),
            batch__study=study,
            kind=TaskKind.CLOSED,
            origin=Origin.HERE,
            stage__in=STAGES,
        )
        .exclude(batch__state=BatchState.CLOSED)
        .order_by()
    )
    found = dict(tasks.values_list("stage").annotate(Count("pk")))
    return {str(stage.value): found.get(stage.value, 0) for stage in STAGES}


@dataclass(frozen=True)
class FileGroup:
    """Files of a release that belong together: a table in all its forms, or its documents."""

    title: str
    help: str
    files: list[ReleaseFile]

    @property
    def rows(self) -> int:
        """Return how many rows the table has."""
        return next((file.rows or 0 for file in self.files if file.name.startswith("csv/")), 0)


def files_by_table(release: Release) -> list[FileGroup]:
    """Return a release's files: documents, and what is of no table that there is now, first."""
    files = {file.name: file for file in release.files.all()}
    groups = []
    for table in TABLES.values():
        prefixes = (f"{table.name}.", f"{table.name}-")
        mine = [file for name, file in files.items() if name.split("/")[-1].startswith(prefixes)]
        if mine:
            groups.append(FileGroup(table.name, table.help, mine))
    of_tables = {file.name for group in groups for file in group.files}
    order = [document.name for document in DOCUMENTS]
    others = [file for name, file in files.items() if name not in of_tables]
    others.sort(key=lambda file: order.index(file.name) if file.name in order else len(order))
    return [FileGroup("", "", others), *groups]


def facts(release: Release) -> dict[str, Any]:
    """Return a release as the command prints it."""
    return {
        "number": release.number,
        "choices": release.manifest["choices"],
        "complete": release.complete,
        "open_tasks": release.manifest["statistics"]["open_tasks"],
        "counts": release.manifest["statistics"]["counts"],
        "files": {
            file.name: {"sha256": file.sha256, "size": file.size, "rows": file.rows}
            for file in release.files.all()
        },
    }
