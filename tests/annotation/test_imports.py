"""Posts in: what is kept of a file, how columns are settled, real files to the last character."""

import csv
import io
from pathlib import Path

import pytest

from annotation.models import BadRows, ImportFile, ImportState, Job, Post
from annotation.services import importing
from annotation.services.jobs import run_job
from annotation.services.uploads import UploadRefused, queue_check, queue_load
from infra.jobs import JobRefused, no_report
from tests.cast import add_posts, upload

pytestmark = pytest.mark.django_db

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def load(file):
    return importing.import_posts(by=None, file=file, report=no_report)


def upload_by_browser(client, slug, content, *, name="posts.csv", kind="posts"):
    file = io.BytesIO(content.encode())
    file.name = name
    return client.post(f"/studies/{slug}/imports/", {"importer": kind, "file": file})


def run_newest_job():
    return run_job(job_id=Job.objects.latest("pk").pk)


def test_other_columns_are_kept_beside_the_post(cast):
    load(upload(cast.study, "id,text,date,author\n1,one,2024-05-01,x\n"))
    assert Post.objects.get().metadata == {"date": "2024-05-01", "author": "x"}


def test_cleaning_follows_the_protocol_and_keeps_the_original(cast):
    load(upload(cast.study, "id,text\n1,@mayor said “no” 😀\n"))
    post = Post.objects.get()
    assert post.original_text == "@mayor said “no” 😀"
    assert post.text == "<user> said no"
    assert post.changed_by == ["mask_users", "drop_non_ascii", "tidy_whitespace"]


def test_a_post_with_nothing_left_is_kept_out_and_counted(cast):
    found = load(upload(cast.study, "id,text\n1,😀😀\n2,words\n"))
    assert (found["kept"], found["dropped"]) == (1, 1)
    assert Post.objects.get(external_id="1").dropped_reason == importing.EMPTY_AFTER_CLEANING


@pytest.mark.parametrize(
    ("text", "shortened"), [("مرحبا بالعالم 2024", 1), ("Well said “no” 2024 😀", 0), ("😀😀", 0)]
)
def test_a_post_that_lost_most_of_its_characters_is_kept_and_counted(cast, text, shortened):
    found = load(upload(cast.study, f"id,text\n1,{text}\n2,words\n"))
    assert found["shortened"] == shortened


def test_the_random_order_of_posts_is_the_same_whatever_the_order_of_the_file(cast):
    load(upload(cast.study, "id,text\n1,one\n2,two\n3,three\n"))
    positions = dict(Post.objects.values_list("external_id", "position"))
    expected = {i: importing.random_position(cast.study, i) for i in ("1", "2", "3")}
    assert positions == expected


def test_a_column_that_cannot_be_guessed_is_asked_for_by_name(cast):
    with pytest.raises(JobRefused, match="text"):
        load(upload(cast.study, "id,words\n1,one\n"))
    file = upload(cast.study, "id,words\n1,one\n", options={"columns": {"text": "words"}})
    assert load(file)["added"] == 1


def test_a_chosen_column_that_is_not_there_is_refused_with_those_that_are(cast):
    file = upload(cast.study, "id,text\n1,one\n", options={"columns": {"text": "Words"}})
    with pytest.raises(JobRefused, match="id, text"):
        load(file)


def test_bad_rows_refuse_everything_unless_only_the_good_ones_are_wanted(cast):
    content = "id,text\n1,one\n,two\n"
    with pytest.raises(JobRefused, match="nothing was imported"):
        load(upload(cast.study, content))
    assert not Post.objects.exists()
    assert load(upload(cast.study, content, bad_rows=BadRows.SKIP))["added"] == 1


def test_the_name_of_a_file_is_shown_but_never_a_path(cast):
    file = upload(cast.study, "id,text\n1,one\n", name="../../etc/passwd.csv")
    assert file.name == "passwd.csv"
    assert file.stored_as.startswith(f"imports/{cast.study.pk}/") and ".." not in file.stored_as


def test_a_file_is_looked_through_then_imported_in_the_browser(cast, sign_in):
    client = sign_in(cast.researcher)
    answer = upload_by_browser(client, cast.study.slug, "id,text\n1,one\n2,\n")
    assert answer.url.endswith(f"/jobs/{Job.objects.get().pk}/")
    assert run_newest_job().state == "succeeded"
    file = ImportFile.objects.get()
    page = client.get(f"/studies/{cast.study.slug}/imports/{file.pk}/").content.decode()
    assert "The text is missing." in page and "Import 1 good row" in page
    assert not Post.objects.exists()
    chosen = {"column_id": "id", "column_text": "text", "bad_rows": "skip"}
    client.post(f"/studies/{cast.study.slug}/imports/{file.pk}/", chosen)
    assert run_newest_job().result["added"] == 1
    file.refresh_from_db()
    assert file.state == ImportState.LOADED


def test_other_columns_can_be_looked_through_before_they_are_imported(cast, sign_in):
    client = sign_in(cast.researcher)
    upload_by_browser(client, cast.study.slug, "a,b\n1,one\n")
    assert run_newest_job().state == "failed"
    address = f"/studies/{cast.study.slug}/imports/{ImportFile.objects.get().pk}/"
    assert "No column for id, text" in client.get(address).content.decode()
    chosen = {"column_id": "a", "column_text": "b", "bad_rows": "refuse"}
    client.post(address, {**chosen, "check": "1"})
    assert run_newest_job().state == "succeeded"
    assert ImportFile.objects.get().report["good"] == 1 and not Post.objects.exists()
    assert '<option value="b" selected>' in client.get(address).content.decode()


def test_the_bad_rows_are_downloaded_as_a_table_with_their_lines(cast, sign_in):
    file = upload(cast.study, "id,text\n1,one\n2,\n=1+1,\n")
    run_job(job_id=queue_check(by=None, file=file).pk)
    answer = sign_in(cast.owner).get(f"/studies/{cast.study.slug}/imports/{file.pk}/bad-rows.csv")
    assert "attachment" in answer["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))
    assert [row["line"] for row in rows] == ["3", "4"]


def test_a_file_is_imported_once_even_when_the_button_is_pressed_twice(cast):
    file = upload(cast.study, "id,text\n1,one\n")
    settled = {"by": None, "file": file, "bad_rows": "refuse", "columns": {}}
    job = queue_load(**settled)
    with pytest.raises(UploadRefused, match="being read"):
        queue_load(**settled)
    run_job(job_id=job.pk)
    with pytest.raises(UploadRefused, match="already"):
        queue_load(**settled)


def test_the_browser_refuses_a_file_over_the_limit_and_names_the_command(cast, sign_in, settings):
    settings.UPLOAD_BYTES = 20
    answer = upload_by_browser(sign_in(cast.owner), cast.study.slug, "id,text\n1,one two three\n")
    assert "manage.py" in answer.content.decode()
    assert not ImportFile.objects.exists()


def test_an_earlier_upload_of_the_same_file_is_pointed_out(cast, sign_in):
    add_posts(cast.study, 2)
    first = ImportFile.objects.get()
    again = upload(cast.study, "id,text\np1,Post number 1\np2,Post number 2")
    ImportFile.objects.filter(pk=again.pk).update(sha256=first.sha256)
    page = sign_in(cast.owner).get(f"/studies/{cast.study.slug}/imports/{again.pk}/")
    assert f"/imports/{first.pk}/" in page.content.decode()


@pytest.mark.skipif(not DATA.exists(), reason="the real files are not on this machine")
def test_4542_real_tweets_go_in_exact_to_the_last_character(cast):
    path = DATA / "ct22_en_three_way.csv"
    load(upload(cast.study, path.read_bytes(), name=path.name))
    with path.open(encoding="utf-8", newline="") as file:
        given = [(row["tweet_id"], row["text"]) for row in csv.DictReader(file)]
    stored = Post.objects.order_by("pk").values_list("external_id", "original_text")
    assert len(given) == 4_542
    assert list(stored) == given
