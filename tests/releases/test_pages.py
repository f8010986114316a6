"""The releases' pages and downloads: who may, what they say, and that no name leads elsewhere."""

import hashlib
import io
import re
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Job, JobState, Post
from annotation.registry import job_kind, stages
from annotation.services.batches import move_batch
from annotation.services.importing import import_posts
from annotation.services.jobs import run_job
from crowd.services.batches import create_batch
from infra.jobs import no_report
from releases.choices import ReleaseChoices, Splits
from releases.models import Release
from releases.queries.flags import member_called
from releases.queries.preview import preview
from releases.queries.sources import sources_of
from releases.services.comparing import compare
from releases.services.making import release_folder
from releases.services.study_statistics import queue_statistics
from tests.cast import add_posts, make_cast, upload
from tests.releases.ways import content, make, rows

pytestmark = pytest.mark.django_db

CHOICES = {
    "stages": ["crowd", "legal"],
    "texts": "cleaned",
    "versions": "current",
    "train": 0,
    "validation": 0,
    "seed": 0,
}


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


def files_about(release):
    """Return where the files are that stand outside a release: what differs, figures, a chart."""
    study = release.study
    other = make(study, texts="ids")
    run_job(job_id=compare(by=None, before=release, after=other).pk)
    drawn = run_job(job_id=queue_statistics(by=None, study=study).pk)
    assert drawn.state == JobState.SUCCEEDED, drawn.reason
    return [
        page("comparison_file", study, study.comparisons.get().pk),
        page("statistics_file", study),
        page("chart_file", study, study.charts.first().pk, "svg"),
    ]


def test_a_release_states_how_it_was_made(cast, released, sign_in):
    client = sign_in(cast.owner)
    run = page("filter_run", cast.study, 1)
    shown = text_of(client.get(page("release", cast.study, 1)))
    for words in (
        "The newest version of each vote",
        "All rounds together",
        "test 100%",
        f'<a href="{run}">1: KL filter, 1 trial, k = 3</a>',
        "Versions of the catalogue</dt> <dd> 1",
        "None is stated.",
        f"Juryroom {released.manifest['software']['version']}",
        "It found nothing.",
    ):
        assert words in shown, words
    assert "reason to release it all the same" not in shown
    Post.objects.filter(external_id="p5").update(original_text="Write to ada@mail.example")
    made = {"texts": "original", "licence": "CC-BY-4.0", "insists": "The authors <agreed>."}
    make(cast.study, splits=Splits(train=50, test=50, seed=7), **made)
    shown = text_of(client.get(page("release", cast.study, 2)))
    for words in (
        "train 50%, test 50%",
        "CC-BY-4.0",
        "e-mail addresses in posts, column text",
        "reason to release it all the same</dt> <dd> The authors &lt;agreed&gt;.",
    ):
        assert words in shown, words
    assert "It found nothing." not in shown


def test_who_sees_results_sees_pages_and_files_and_others_do_not(cast, released, sign_in):
    urls = [
        page("releases", cast.study),
        page("release", cast.study, 1),
        page("release_file", cast.study, 1, "csv/posts.csv"),
        page("release_zip", cast.study, 1),
        *files_about(released),
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


def test_who_only_sees_results_makes_and_flags_no_release(cast, released, sign_in):
    cast.expert.permissions = ["see_results"]
    cast.expert.save()
    client = sign_in(cast.expert)
    shown = text_of(client.get(page("releases", cast.study)))
    assert "Release 1" in shown and "New release" not in shown
    assert client.get(page("new_release", cast.study)).status_code == 403
    assert client.post(page("new_release", cast.study), CHOICES).status_code == 403
    assert client.post(page("release_flag", cast.study, 1), {"reason": "x"}).status_code == 403
    shown = text_of(client.get(page("release", cast.study, 1)))
    assert "Who is behind a name" not in shown and "Flag this release" not in shown
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
    client, url = sign_in(cast.researcher), page("new_release", cast.study)
    assert "It will hold 6 posts." in text_of(client.get(url))
    chosen = CHOICES | {"texts": "ids", "train": 50, "licence": "CC-BY-4.0"}
    answer = client.post(url, chosen)
    job = Job.objects.get(kind="make_release")
    assert answer.url == page("job", cast.study, job.pk)
    assert "A release is being made." in text_of(client.get(page("releases", cast.study)))
    assert "being made already" in text_of(client.post(url, chosen))
    assert job_kind(job.kind).url(job) == page("releases", cast.study)
    job = run_job(job_id=job.pk)
    assert job.state == JobState.SUCCEEDED, job.reason
    assert job_kind(job.kind).url(job) == page("release", cast.study, 1)
    release = Release.objects.get()
    assert (release.texts, release.created_by) == ("ids", cast.researcher.user)
    chosen = release.manifest["choices"]
    assert (chosen["licence"], chosen["splits"]["test"]) == ("CC-BY-4.0", 50)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"texts": "all"}, "Select a valid choice"),
        ({"stages": []}, "This field is required"),
        ({"train": 60, "validation": 50}, "more than 100 percent"),
        ({"seed": -1}, "greater than or equal to 0"),
    ],
)
def test_choices_that_there_are_not_get_a_sentence(cast, posts, sign_in, wrong, sentence):
    client = sign_in(cast.owner)
    assert sentence in text_of(client.post(page("new_release", cast.study), CHOICES | wrong))
    assert not Job.objects.filter(kind="make_release").exists()


def test_the_first_rows_stand_as_chosen_before_anything_is_made(cast, judged, sign_in):
    client, url = sign_in(cast.researcher), page("new_release", cast.study)
    shown = text_of(client.get(url))
    assert "emoji" in shown and "two lines" in shown and "defamation; hate_speech" in shown
    without = text_of(client.post(url, CHOICES | {"texts": "ids", "stages": "crowd", "look": 1}))
    assert "emoji" not in without and "defamation" not in without and "crowd_label" in without
    assert not Job.objects.filter(kind="make_release").exists()
    assert "last" not in shown  # it is the sixth post


def test_before_the_first_release_nobody_has_a_name_in_its_first_rows(cast, judged, sign_in):
    client, url = sign_in(cast.researcher), page("new_release", cast.study)
    shown = text_of(client.get(url))
    assert '<td dir="auto">a-…</td>' in shown and "until then everybody is “a-…”" in shown
    found = {one.table.name: one for one in preview(sources_of(cast.study, ReleaseChoices()), ())}
    assert [row[:2] for row in found["workers"].rows] == [["a-…", "legal"]] * 3
    assert all(row[4] == "a-…" for row in found["votes"].rows)


def test_the_first_rows_leave_out_posts_that_somebody_must_not_see_yet(cast, judged):
    hidden = {post.pk for post in judged[:2]}
    found = preview(sources_of(cast.study, ReleaseChoices()), hidden)
    shown = {row[0] for one in found if one.table.name != "workers" for row in one.rows}
    assert shown and not shown & {post.external_id for post in judged[:2]}


def test_with_names_the_first_rows_of_workers_are_those_of_the_release(cast, released, sign_in):
    found = {one.table.name: one for one in preview(sources_of(cast.study, ReleaseChoices()), ())}
    names = [row["annotator"] for row in rows(released, "workers")]
    assert [row[0] for row in found["workers"].rows] == names[:5]
    shown = text_of(sign_in(cast.researcher).get(page("new_release", cast.study)))
    assert names[0] in shown and "a-…" not in shown


def test_the_first_rows_cost_the_same_for_any_number_of_posts(cast, judged, sign_in):
    client, url = sign_in(cast.owner), page("new_release", cast.study)
    before = queries(client, url)
    more = "\n".join(f"more{number},Another one {number}" for number in range(20))
    import_posts(by=None, file=upload(cast.study, f"id,text\n{more}"), report=no_report)
    assert queries(client, url) == before


def test_what_is_missing_is_told_before_the_release_is_made(cast, posts, sign_in):
    batch = create_batch(by=None, study=cast.study, posts=2, seed=1)
    move_batch(by=None, batch=batch, to="open")
    shown = text_of(sign_in(cast.owner).get(page("new_release", cast.study)))
    assert "This release will be marked as incomplete" in shown
    assert "2 of the crowd's, 0 of the experts'" in shown.replace("&#x27;", "'")


def test_only_an_owner_is_asked_for_a_reason_to_insist(cast, posts, sign_in):
    url = page("new_release", cast.study)
    assert "in spite of the scan" in text_of(sign_in(cast.owner).get(url))
    assert "in spite of the scan" not in text_of(sign_in(cast.researcher).get(url))


def test_a_whole_release_comes_as_one_zip_with_every_file_as_it_is(cast, released, sign_in):
    answer = sign_in(cast.owner).get(page("release_zip", cast.study, 1))
    assert answer["Content-Type"] == "application/zip"
    archive = zipfile.ZipFile(io.BytesIO(body(answer)))
    assert archive.testzip() is None
    names = {f"rumours-release-1/{file.name}" for file in released.files.all()}
    assert set(archive.namelist()) == names
    for file in released.files.all():
        raw = archive.read(f"rumours-release-1/{file.name}")
        assert hashlib.sha256(raw).hexdigest() == file.sha256
    assert {entry.compress_type for entry in archive.infolist()} == {zipfile.ZIP_STORED}


def test_who_is_behind_a_name_is_found_by_those_who_manage_the_data(cast, released, sign_in):
    url = page("release", cast.study, 1)
    name = rows(released, "workers")[0]["annotator"]
    member = member_called(cast.study, name)
    client = sign_in(cast.researcher)
    assert member.pseudonym in text_of(client.get(url, {"annotator": name}))
    assert member.pseudonym not in text_of(client.get(url))
    assert "Nobody in this study" in text_of(client.get(url, {"annotator": "a-aaaaaaaaaaaa"}))
    cast.expert.permissions = ["see_results"]
    cast.expert.save()
    answer = text_of(sign_in(cast.expert).get(url, {"annotator": name}))
    assert member.pseudonym not in answer


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
    make(cast.study)
    before = queries(client, url), queries(client, page("release", cast.study, 2))
    for _number in range(4):
        make(cast.study)
    assert (queries(client, url), queries(client, page("release", cast.study, 6))) == before


def test_the_stage_asks_for_a_release_once_experts_are_done(cast, judged):
    report = describe(cast.study)
    assert report.next_step.title == "Make a release" and report.counts[0].value == 0
    make(cast.study)
    report = describe(cast.study)
    assert report.next_step is None
    assert (report.counts[0].value, report.counts[0].total) == (6, 6)
    make(cast.study)
    assert describe(cast.study).counts[0].title == "Release 2"


def test_the_stage_of_an_empty_study_says_what_blocks_it(cast):
    assert describe(cast.study).blocked and describe(cast.study).next_step is None
