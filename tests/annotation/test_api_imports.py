"""Files by the API: uploaded, looked through, imported; what is wrong with them, line by line."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import ImportFile, ImportState, Job, JobState, Post
from annotation.services.checking import check_file
from infra.jobs import no_report
from tests.api import caller, refusal_of
from tests.cast import upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def researcher(cast):
    return caller(cast.researcher)


def send(api, content: bytes, kind: str = "posts", name: str = "file.csv"):
    headers = {"Authorization": f"Bearer {api.secret}"}
    body = {"kind": kind, "file": SimpleUploadedFile(name, content)}
    return Client().post(reverse("api_imports", args=[api.slug]), body, headers=headers)


def checked(study, content: str) -> ImportFile:
    file = upload(study, content)
    check_file(file=file, report=no_report)
    return file


def test_a_file_is_looked_through_first_and_imports_nothing(cast, researcher):
    made = send(researcher, b"id,text\n1,a\n")
    assert made.status_code == 201, made.content
    told = made.json()
    assert (told["kind"], told["name"], told["state"]) == ("posts", "file.csv", "uploaded")
    assert Job.objects.get(pk=told["job"]).kind == "check_file"
    assert not Post.objects.exists()
    assert researcher.get("import", told["id"]).json() == told
    assert [row["id"] for row in researcher.get("imports").json()["results"]] == [told["id"]]


def test_a_file_above_the_limit_of_the_site_is_refused_and_nothing_stored(
    cast, researcher, settings
):
    settings.UPLOAD_BYTES = 1024 * 1024
    refused = send(researcher, b"id,text\n" + b"1,a\n" * 300_000)
    assert refusal_of(refused) == (413, "too_large") and "1 MB" in refused.json()["detail"]
    assert not ImportFile.objects.exists() and not Job.objects.exists()
    assert send(researcher, b"id,text\n" + b"1,a\n" * 200_000).status_code == 201


def test_an_empty_file_and_an_unknown_kind_are_refused(cast, researcher):
    assert refusal_of(send(researcher, b"")) == (409, "conflict")
    refused = send(researcher, b"id,text\n1,a\n", kind="no_such_kind")
    assert refusal_of(refused) == (422, "invalid") and list(refused.json()["fields"]) == ["kind"]
    assert not ImportFile.objects.exists()


def test_the_report_and_the_bad_rows_say_what_is_wrong(cast, researcher):
    file = checked(cast.study, 'id,text\n1,a\n,b\n2,"c"\n')
    report = researcher.get("import", file.pk).json()["report"]
    assert (report["good"], report["bad"], report["chosen"]["text"]) == (2, 1, "text")
    answer = researcher.get("import_problems", file.pk)
    assert answer["Content-Type"] == "application/x-ndjson"
    (line,) = [json.loads(line) for line in answer.getvalue().decode().splitlines()]
    assert line["line"] == 3 and line["reason"]


def test_a_file_is_imported_with_the_columns_that_were_chosen(cast, researcher):
    file = checked(cast.study, "id,text,other\n1,a,b\n")
    body = {"columns": {"text": "other"}, "bad_rows": "skip"}
    job = researcher.post("import_load", file.pk, body=body)
    assert (job.status_code, job.json()["state"]) == (201, JobState.QUEUED)
    file.refresh_from_db()
    assert file.options["columns"]["text"] == "other" and file.bad_rows == "skip"
    again = researcher.post("import_load", file.pk)
    assert refusal_of(again) == (409, "conflict") and "just now" in again.json()["detail"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"columns": {"text": "no such column"}}, "columns.text"),
        ({"columns": {"colour": "text"}}, "columns.colour"),
        ({"options": {"colour": "red"}}, "options.colour"),
        ({"bad_rows": "maybe"}, "bad_rows"),
    ],
    ids=str,
)
def test_a_reading_that_cannot_be_is_refused_and_queues_nothing(cast, researcher, body, field):
    file = checked(cast.study, "id,text\n1,a\n")
    refused = researcher.post("import_check", file.pk, body=body)
    assert refusal_of(refused) == (422, "invalid"), refused.content
    assert list(refused.json()["fields"]) == [field]
    assert not Job.objects.exists()


def test_an_imported_file_is_not_imported_twice(cast, researcher):
    file = checked(cast.study, "id,text\n1,a\n")
    ImportFile.objects.update(state=ImportState.LOADED)
    assert refusal_of(researcher.post("import_load", file.pk)) == (409, "conflict")


def test_the_kinds_of_files_name_what_they_want(cast, researcher):
    kinds = {kind["code"]: kind for kind in researcher.get("import_kinds").json()}
    assert kinds["posts"]["things"]["text"] is True
