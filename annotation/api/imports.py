"""Files that are brought in: uploaded, looked through, imported; their bad rows line by line."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import TOO_LARGE, bad_fields
from annotation.api.fields import Anything, Moment
from annotation.api.jobs import JobRow
from annotation.api.lines import as_lines
from annotation.forms import LoadForm
from annotation.models import BadRows, ImportFile, ImportState, Job
from annotation.queries.jobs import latest_job_of
from annotation.registry import importer, importers
from annotation.services.reading import bad_rows_path, most_upload_bytes
from annotation.services.uploads import (
    UploadRefused,
    UploadTooLarge,
    queue_check,
    queue_load,
    store_file,
)

MANAGED = {"GET": Permission.MANAGE_DATA, "POST": Permission.MANAGE_DATA}


class ImportKind(serializers.Serializer):
    """What a file may hold: the things that its columns are looked through for, and options.

    In `things` it says of each whether it must be there.
    """

    code = serializers.CharField()
    title = serializers.CharField()
    help = serializers.CharField()
    things = serializers.DictField(source="wanted", child=serializers.BooleanField())
    options = serializers.SerializerMethodField()

    def get_options(self, kind: Any) -> dict[str, str]:
        """Return the options with what each is."""
        return {option.name: str(option.help) for option in kind.options}


class NewImport(serializers.Serializer):
    """A file, and the code of the kind of things that it holds."""

    kind = serializers.CharField(max_length=30)
    file = serializers.FileField(allow_empty_file=True)


class ImportRow(serializers.Serializer):
    """A file that was brought in.

    `report` is what looking through it found: format, columns, which was chosen for what, good and
    bad rows with the first reasons, and samples. `job` is the newest that reads it.
    """

    id = serializers.IntegerField()
    kind = serializers.CharField(source="importer")
    name = serializers.CharField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    state = serializers.ChoiceField(choices=ImportState.choices)
    bad_rows = serializers.ChoiceField(choices=BadRows.choices)
    report = Anything()
    created_at = Moment()


class ImportDetail(ImportRow):
    """A file with the newest job that reads it."""

    job = serializers.SerializerMethodField()

    def get_job(self, file: ImportFile) -> int | None:
        """Return the id of the job."""
        job = latest_job_of(file)
        return job.pk if job else None


class Reading(serializers.Serializer):
    """How a file is to be read: the column for each thing, what is said about each option, and
    whether good rows are imported where some are bad. What is not sent stays as it was guessed.
    """

    columns = serializers.DictField(child=serializers.CharField(allow_blank=True), default=dict)
    options = serializers.DictField(child=serializers.CharField(allow_blank=True), default=dict)
    bad_rows = serializers.ChoiceField(choices=BadRows.choices, required=False)


class ImportProblem(serializers.Serializer):
    """One line: a bad row, where it stands, why it is bad, and the row as it was read."""

    line = serializers.IntegerField()
    reason = serializers.CharField()
    row = serializers.CharField()


class ImportKinds(StudyEndpoint):
    """What files may hold."""

    needs = {"GET": Permission.MANAGE_DATA}

    @operation(ImportKind, is_list=True)
    def get(self, request: Request) -> Response:
        """List the kinds of files that a study takes."""
        return self.answer(importers())


class Imports(StudyEndpoint):
    """The files of a study."""

    needs = MANAGED
    parser_classes = [MultiPartParser]

    @operation(ImportRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List the files that were brought in, newest first."""
        return self.page(self.access.study.imports.all(), ("-pk",))

    @operation(
        ImportDetail,
        sends=NewImport,
        code=201,
        refusals={UploadTooLarge: TOO_LARGE, UploadRefused: CONFLICT},
    )
    def post(self, request: Request) -> Response:
        """Upload a file, as multipart/form-data; a job looks through it and imports nothing."""
        kind, sent = self.sent["kind"], self.sent["file"]
        if kind not in {one.code for one in importers()}:
            raise bad_fields({"kind": [_("There is no such kind; see imports/kinds/.")]})
        file = store_file(
            by=self.access.user,
            study=self.access.study,
            kind=kind,
            name=sent.name,
            content=sent,
            most_bytes=most_upload_bytes(),
        )
        queue_check(by=self.access.user, file=file)
        return self.answer(file)


class OneImport(StudyEndpoint):
    """One file."""

    needs = {"GET": Permission.MANAGE_DATA}

    @operation(ImportDetail)
    def get(self, request: Request, import_id: int) -> Response:
        """Tell what a file is and what was found in it."""
        return self.answer(of_study(ImportFile.objects.all(), self.access, pk=import_id))


class ImportCheck(StudyEndpoint):
    """Another look at a file."""

    needs = {"POST": Permission.MANAGE_DATA}
    queue: ClassVar[Callable[..., Job]] = staticmethod(queue_check)

    @operation(
        JobRow,
        sends=Reading,
        code=201,
        refusals={UploadRefused: CONFLICT},
        example={"columns": {"text": "body"}, "bad_rows": "skip"},
    )
    def post(self, request: Request, import_id: int) -> Response:
        """Look through a file again with these columns, as a job; it imports nothing."""
        file = of_study(ImportFile.objects.all(), self.access, pk=import_id)
        return self.answer(self.queue(by=self.access.user, file=file, **reading(file, self.sent)))


class ImportLoad(ImportCheck):
    """The import of a file."""

    queue = staticmethod(queue_load)

    @operation(JobRow, sends=Reading, code=201, refusals={UploadRefused: CONFLICT})
    def post(self, request: Request, import_id: int) -> Response:
        """Import a file's rows, as a job: all that are good or none; cancelled, none."""
        return super().post(request, import_id)


class ImportProblems(StudyEndpoint):
    """The bad rows of a file."""

    needs = {"GET": Permission.MANAGE_DATA}

    @operation(ImportProblem, is_stream=True)
    def get(self, request: Request, import_id: int) -> StreamingHttpResponse:
        """Stream the rows that cannot be imported, with the reason of each."""
        file = of_study(ImportFile.objects.all(), self.access, pk=import_id)
        return self.stream(as_lines(bad_rows_in(bad_rows_path(file))))


def bad_rows_in(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the bad rows that the last look at a file wrote down; none before the first look."""
    if not path.exists():
        return
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield {**row, "line": int(row["line"])}


def reading(file: ImportFile, sent: dict[str, Any]) -> dict[str, Any]:
    """Return how a file is to be read, checked by the form of the page."""
    kind = importer(file.importer)
    chosen = file.report.get("chosen", {}) | (file.options.get("columns") or {}) | sent["columns"]
    told = (file.options.get("told") or {}) | sent["options"]
    known = {"columns": set(kind.wanted), "options": {option.name for option in kind.options}}
    for field, names in known.items():
        if unknown := sorted(set(sent[field]) - names):
            raise bad_fields({f"{field}.{unknown[0]}": [_("This kind of file has no such thing.")]})
    typed = {f"column_{thing}": chosen.get(thing, "") for thing in kind.wanted}
    typed |= {f"option_{option.name}": told.get(option.name, "") for option in kind.options}
    typed["bad_rows"] = sent.get("bad_rows", file.bad_rows)
    columns = file.report.get("columns", [])
    form = LoadForm(typed, kind=kind, columns=columns, chosen=chosen, told=told)
    if not form.is_valid():
        raise bad_fields({name.replace("_", "s.", 1): said for name, said in form.errors.items()})
    return {
        "bad_rows": form.cleaned_data["bad_rows"],
        "columns": form.columns(),
        "told": form.told(),
    }
