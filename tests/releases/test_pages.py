"""The releases' pages and downloads: who may, what they say, and that no name leads elsewhere."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Job, JobState
from annotation.registry import job_kind, stages
from annotation.services.jobs import run_job
from releases.models import Release
from releases.services.making import release_folder
from tests.cast import add_posts, make_cast
from tests.releases.ways import content, make

pytestmark = pytest.mark.django_db


def page(name, study, *more):
    return reverse(name, args=[study.slug, *more])


def text_of(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


def queries(client, url):
    client.get(url)
    with CaptureQueriesContext(connection) as seen:
        assert client.get(url).status_code == 200
    return len(seen)


def describe(study):
    return next(stage for stage in stages() if stage.code == "release").describe(study)


def body(answer):
    return b"".join(answer.streaming_content)


def test_who_sees_results_sees_pages_and_files_and_others_do_not(cast, released, sign_in):
    urls = [
        page("releases", cast.study),
        page("release", cast.study, 1),
        page("release_file", cast.study, 1, "csv/posts.csv"),
    ]
    for person, status in [
        (cast.owner, 200),
        (cast.researcher, 200),
        (cast.expert, 403),
        (cast.worker, 403),
        (cast.stranger, 404),
        (cast.site_administrator, 404),
    ]:
        client = sign_in(person)
        assert {client.get(url).status_code for url in urls} == {status}


def test_who_only_sees_results_makes_no_release(cast, released, sign_in):
    cast.expert.permissions = ["see_results"]
    cast.expert.save()
    client, url = sign_in(cast.expert), page("releases", cast.study)
    shown = client.get(url)
    assert shown.status_code == 200 and "Make the release" not in text_of(shown)
    assert client.post(url, {"texts": "ids"}).status_code == 403
    assert Job.objects.filter(kind="make_release").count() == 1


def test_another_studys_release_and_its_files_are_not_there(cast, released, sign_in):
    other = make_cast("other")
    client = sign_in(other.owner)
    assert client.get(page("release", other.study, 1)).status_code == 404
    assert client.get(page("release_file", other.study, 1, "csv/posts.csv")).status_code == 404


@pytest.mark.parametrize("name", ["csv/posts.csv", "spreadsheet/votes.csv", "README.md"])
def test_a_file_is_downloaded_as_it_is_and_never_shown(cast, released, sign_in, name):
    answer = sign_in(cast.owner).get(page("release_file", cast.study, 1, name))
    assert body(answer).decode() == content(released, name)
    assert answer["Content-Disposition"].startswith("attachment; filename=")
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "name",
    [
        "nothing.csv",
        "../1/csv/posts.csv",
        "../../../../settings.json",
        "spreadsheet/../README.md",
        "/etc/passwd",
        "..%2f..%2fsecret-key",
        "spreadsheet",
    ],
)
def test_no_other_name_leads_to_a_file(cast, released, sign_in, name):
    url = f"{page('release', cast.study, 1)}{name}"
    assert sign_in(cast.owner).get(url).status_code == 404


def test_a_file_that_is_gone_is_not_there(cast, released, sign_in):
    (release_folder(released) / "csv/posts.csv").unlink()
    url = page("release_file", cast.study, 1, "csv/posts.csv")
    assert sign_in(cast.owner).get(url).status_code == 404


def test_the_form_queues_a_release_and_leads_to_its_job(cast, posts, sign_in):
    client, url = sign_in(cast.researcher), page("releases", cast.study)
    assert 'It will hold <b class="number">6</b> posts.' in text_of(client.get(url))
    answer = client.post(url, {"texts": "original"})
    job = Job.objects.get(kind="make_release")
    assert answer.url == page("job", cast.study, job.pk)
    assert "A release is being made." in text_of(client.get(url))
    assert "being made already" in text_of(client.post(url, {"texts": "original"}))
    assert job_kind(job.kind).url(job) == url
    job = run_job(job_id=job.pk)
    assert job.state == JobState.SUCCEEDED, job.reason
    assert job_kind(job.kind).url(job) == page("release", cast.study, 1)
    release = Release.objects.get()
    assert (release.texts, release.created_by) == ("original", cast.researcher.user)


def test_a_choice_of_texts_that_there_is_not_is_refused(cast, posts, sign_in):
    answer = sign_in(cast.owner).post(page("releases", cast.study), {"texts": "all"})
    assert "Select a valid choice" in text_of(answer)
    assert not Job.objects.filter(kind="make_release").exists()


def test_the_page_shows_table_1_agreement_and_checksums(cast, released, sign_in):
    shown = text_of(sign_in(cast.owner).get(page("release", cast.study, 1)))
    for label in ("MisLC", "noClaim (any vote)", "Evidence available", "33.3%"):
        assert label in shown
    for file in released.files.all():
        assert file.sha256 in shown and page("release_file", cast.study, 1, file.name) in shown
    assert "From 9 votes on 3 posts." in shown and "Complete" in shown


def test_undefined_agreement_is_a_sentence(cast, sign_in):
    add_posts(cast.study, 1)
    make(cast.study)
    assert "There are no votes yet." in text_of(
        sign_in(cast.owner).get(page("release", cast.study, 1))
    )


def test_pages_cost_the_same_number_of_queries_for_any_number_of_rows(cast, released, sign_in):
    client, url = sign_in(cast.owner), page("releases", cast.study)
    first = page("release", cast.study, 1)
    before = queries(client, url), queries(client, first)
    for _number in range(5):
        make(cast.study)
    assert (queries(client, url), queries(client, page("release", cast.study, 6))) == before


def test_the_stage_asks_for_a_release_once_experts_are_done(cast, judged):
    report = describe(cast.study)
    assert report.next_step.title == "Make a release" and report.counts[0].value == 0
    make(cast.study)
    report = describe(cast.study)
    assert report.next_step is None
    assert (report.counts[0].value, report.counts[0].total) == (6, 6)


def test_the_stage_of_an_empty_study_says_what_blocks_it(cast):
    assert describe(cast.study).blocked and describe(cast.study).next_step is None
