"""Files as people really have them, through the whole import: what goes in, exactly, or why not."""

import pytest

from annotation.models import BadRows, ImportState, Post
from annotation.services import importing, uploads
from annotation.services.checking import check_file
from annotation.services.jobs import queue_job, retry_job, run_job
from infra.jobs import JobCancelled, JobRefused, no_report
from tests.cast import upload

pytestmark = pytest.mark.django_db

FAMILY = "👨‍👩‍👧‍👦 👍🏽 🏳️‍🌈"
ARABIC = "انتشرت إشاعة عن السد \u200f(2024)"


def bring_in(study, content, **more):
    file = upload(study, content, **more)
    return importing.import_posts(by=None, file=file, report=no_report)


def refusal(study, content, **more):
    with pytest.raises(JobRefused) as refused:
        bring_in(study, content, **more)
    assert not Post.objects.exists()
    return str(refused.value)


def texts(study):
    return dict(Post.objects.filter(study=study).values_list("external_id", "original_text"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_in_any_dress_goes_in_exactly(cast, encoding):
    text = f"Zürich “says” {FAMILY} {ARABIC}"
    plain = "a plain text of some length as most are"
    bring_in(cast.study, f"id,text\n1,{plain}\n2,{plain}\n3,{text}\n".encode(encoding))
    assert texts(cast.study) == {"1": plain, "2": plain, "3": text}


def test_latin_1_keeps_its_accents(cast):
    bring_in(cast.study, "id,text\n1,Café Zürich\n".encode("latin-1"))
    assert texts(cast.study) == {"1": "Café Zürich"}


def test_windows_line_ends_are_no_part_of_a_text(cast):
    bring_in(cast.study, 'id,text\r\n1,one\r\n2,"two\r\nlines"\r\n')
    assert texts(cast.study) == {"1": "one", "2": "two\r\nlines"}


def test_a_newline_inside_a_cell_is_kept_and_does_not_move_the_line_numbers(cast):
    file = upload(cast.study, 'id,text\n1,"two\n\nlines"\n2,\n', bad_rows=BadRows.SKIP)
    found = importing.import_posts(by=None, file=file, report=no_report)
    assert texts(cast.study) == {"1": "two\n\nlines"}
    assert [row["line"] for row in found["bad_rows"]] == [5]


def test_a_nul_byte_makes_one_bad_row(cast):
    content = b"id,text\n1,good\n2,ba\0d\n3,fine\n"
    assert "NUL" in refusal(cast.study, content)
    found = bring_in(cast.study, content, bad_rows=BadRows.SKIP)
    assert (found["added"], found["bad"]) == (2, 1)
    assert found["bad_rows"][0]["line"] == 3


def test_a_lone_quote_costs_its_row_and_not_the_rest(cast):
    found = bring_in(cast.study, 'id,text\n1,"open\n2,fine\n3,good\n', bad_rows=BadRows.SKIP)
    assert texts(cast.study) == {"2": "fine", "3": "good"}
    assert found["bad_rows"][0]["line"] == 2


def test_a_semicolon_is_found_as_the_delimiter(cast):
    bring_in(cast.study, "id;text\n1;one, two, three\n2;four\n")
    assert texts(cast.study) == {"1": "one, two, three", "2": "four"}


def test_an_empty_file_is_refused_before_it_is_kept(cast):
    with pytest.raises(uploads.UploadRefused, match="empty"):
        upload(cast.study, b"")
    assert not cast.study.imports.exists()


def test_a_header_without_rows_is_refused(cast):
    assert "no rows" in refusal(cast.study, "id,text\n")


def test_two_columns_of_one_name_are_refused_by_name(cast):
    assert "text" in refusal(cast.study, "id,text,text\n1,a,b\n")


def test_an_id_that_a_spreadsheet_mangled_is_kept_as_it_stands_and_named_with_its_line(cast):
    found = bring_in(cast.study, "id,text\n1360000000000000001,a\n1.36e18,b\n")
    assert set(texts(cast.study)) == {"1360000000000000001", "1.36e18"}
    assert found["warned"] == 1 and found["warnings"][0]["line"] == 3
    assert "spreadsheet" in found["warnings"][0]["reason"]


def test_two_posts_that_a_spreadsheet_gave_one_id_are_not_taken_for_one(cast):
    assert "Line 3" in refusal(cast.study, "id,text\n1.36E+18,a\n1.36E+18,b\n")


def test_a_number_that_lost_its_digits_is_refused_rather_than_made_up(cast):
    content = '{"id": 1.36e18, "text": "a"}\n{"id": 12, "text": "b"}\n'
    assert "Line 1" in refusal(cast.study, content, name="posts.jsonl")


def test_ids_of_19_digits_stay_exact_in_every_format(cast):
    bring_in(cast.study, "id,text\n1360000000000000001,a\n")
    bring_in(cast.study, '{"id": 1360000000000000003, "text": "b"}\n', name="posts.jsonl")
    assert set(texts(cast.study)) == {"1360000000000000001", "1360000000000000003"}


def test_a_text_of_100_kb_goes_in_and_a_longer_one_is_one_bad_row(cast):
    longest = "x" * 100_000
    found = bring_in(
        cast.study, f"id,text\n1,{longest}\n2,{longest}y\n3,short\n", bad_rows=BadRows.SKIP
    )
    assert texts(cast.study) == {"1": longest, "3": "short"}
    assert [row["line"] for row in found["bad_rows"]] == [3]


def test_a_row_with_a_cell_too_few_is_named_with_its_line(cast):
    assert "Line 3" in refusal(cast.study, "id,text,place\n1,one,Bern\n2,two\n")


def test_an_id_that_stands_twice_is_named_with_both_lines(cast):
    sentence = refusal(cast.study, "id,text\n1,one\n2,two\n1,three\n")
    assert "Line 4" in sentence and "line 2" in sentence


def test_the_same_file_twice_adds_nothing(cast):
    content = "id,text\n1,one\n2,two\n"
    bring_in(cast.study, content)
    again = bring_in(cast.study, content)
    assert (again["added"], again["known"]) == (0, 2)
    assert Post.objects.count() == 2


def test_an_id_with_another_text_is_a_bad_row_and_the_post_stays(cast):
    bring_in(cast.study, "id,text\n1,one\n")
    with pytest.raises(JobRefused, match="another text"):
        bring_in(cast.study, "id,text\n1,changed\n")
    assert texts(cast.study) == {"1": "one"}


def test_a_job_that_stops_half_way_leaves_nothing_and_its_retry_doubles_nothing(cast):
    rows = "".join(f"{number},post {number}\n" for number in range(5_000))
    file = upload(cast.study, "id,text\n" + rows)

    def stop_in_the_middle(done, total, message=""):
        if total and done >= 4_000:
            raise JobCancelled

    with pytest.raises(JobCancelled):
        importing.import_posts(by=None, file=file, report=stop_in_the_middle)
    assert not Post.objects.exists()
    file.refresh_from_db()
    assert importing.import_posts(by=None, file=file, report=no_report)["added"] == 5_000
    assert Post.objects.count() == 5_000


def test_a_job_that_died_after_its_work_tells_what_came_of_it(cast):
    file = upload(cast.study, "id,text\n1,one\n2,two\n")
    first = importing.import_posts(by=None, file=file, report=no_report)
    job = queue_job(by=None, study=cast.study, kind="import_posts", parameters={"import": file.pk})
    again = run_job(job_id=job.pk).result
    assert again["added"] == first["added"] == 2
    assert file.__class__.objects.get(pk=file.pk).report["added"] == 2


def test_a_failed_import_can_be_tried_again_once_the_cause_is_gone(cast):
    file = upload(cast.study, "id,text\n1,one\n2,\n")
    job = queue_job(by=None, study=cast.study, kind="import_posts", parameters={"import": file.pk})
    assert run_job(job_id=job.pk).state == "failed"
    file.bad_rows = BadRows.SKIP
    file.save()
    retry_job(by=None, job=job)
    assert run_job(job_id=job.pk).result["added"] == 1


def test_a_dry_run_writes_nothing_and_says_what_loading_would_do(cast):
    file = upload(cast.study, "post_id,tweet\n1,one\n2,\n")
    found = check_file(file=file, report=no_report)
    file.refresh_from_db()
    assert found == {"good": 1, "bad": 1}
    assert file.report["chosen"] == {"id": "post_id", "text": "tweet"}
    assert file.report["samples"] == [{"line": 2, "id": "1", "text": "one"}]
    assert file.state == ImportState.CHECKED and not Post.objects.exists()
