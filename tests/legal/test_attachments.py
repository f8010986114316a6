"""Files as evidence: known by their content, bound to their answer, never shown by a browser."""

import io

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import StageCode
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from legal.algorithms import ExpertAnswer
from legal.models import Attachment, Evidence
from legal.queries.verdicts import verdicts_of
from legal.services import attachments
from legal.services.answers import correct_answer, submit_answer
from legal.services.attachments import AttachmentRefused, attach_file, detach_file
from tests.legal.world import experts, legal_batch, read_guide

pytestmark = pytest.mark.django_db

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\nencrypted or not"
NO = ExpertAnswer.of_ticks("no")


@pytest.fixture
def held(cast):
    read_guide(cast.expert, legal_batch(cast.study, 1))
    return next_task(by=cast.expert, stage=StageCode.LEGAL).assignment


def attach(cast, held, content=PDF, name="decree.pdf"):
    return attach_file(
        by=cast.expert, assignment_id=held.pk, name=name, content=io.BytesIO(content)
    )


@pytest.mark.parametrize(
    ("name", "content", "kind", "kept_as"),
    [
        ("decree.pdf", PDF, "application/pdf", "decree.pdf"),
        ("shot.PNG", PNG, "image/png", "shot.png"),
        ("photo.jpeg", b"\xff\xd8\xff\xe0rest", "image/jpeg", "photo.jpg"),
        ("page.htm", b"<!DOCTYPE html><p>x", "text/html", "page.html"),
        ("part.html", b"<p>a part of a page", "text/html", "part.html"),
        ("notes", "Größe und Zahl".encode("cp1252"), "text/plain", "notes.txt"),
        ("utf16.txt", "Größe".encode("utf-16"), "text/plain", "utf16.txt"),
        ("C:\\Users\\me\\a.txt", b"x", "text/plain", "a.txt"),
        ("../../etc/passwd", b"x", "text/plain", "passwd.txt"),
        ("data.csv", b"=1+1;2", "text/plain", "data.txt"),
    ],
)
def test_a_file_is_kept_as_what_it_holds_under_a_name_of_ours(
    cast, held, name, content, kind, kept_as
):
    file = attach(cast, held, content, name)
    assert (file.content_type, file.name) == (kind, kept_as)
    assert file.stored_as.startswith(f"attachments/{cast.study.pk}/")
    assert "decree" not in file.stored_as and ".." not in file.stored_as
    with default_storage.open(file.stored_as) as stored:
        assert stored.read() == content


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.pdf", b"", "is empty"),
        ("decree.pdf", b"<html>no pdf</html>", "called a pdf file, but it holds html"),
        ("shot.png", PDF, "called a png file, but it holds pdf"),
        ("paper.docx", b"PK\x03\x04\x14\x00\x06\x00", "no file of a kind that is kept"),
        ("run.exe", b"MZ\x90\x00\x03", "no file of a kind that is kept"),
        ("large.txt", b"x" * 101, "at most"),
    ],
)
def test_what_is_not_kept_is_refused_with_a_sentence_and_changes_nothing(
    cast, held, monkeypatch, name, content, words
):
    monkeypatch.setattr(attachments, "MOST_BYTES", 100)
    with pytest.raises(AttachmentRefused, match=words):
        attach(cast, held, content, name)
    assert not Attachment.objects.exists()


def test_the_same_file_twice_is_one_and_more_than_a_few_are_refused(cast, held, monkeypatch):
    monkeypatch.setattr(attachments, "MOST_FILES", 2)
    assert attach(cast, held) == attach(cast, held, name="again.pdf")
    attach(cast, held, PNG, "shot.png")
    with pytest.raises(AttachmentRefused, match="At most 2 files"):
        attach(cast, held, b"third", "third.txt")


def test_an_attached_file_is_evidence_of_the_answer_and_of_the_verdict(cast, held):
    file = attach(cast, held)
    answer = submit_answer(by=cast.expert, assignment_id=held.pk, answer=NO).answer
    assert [one.attachment for one in answer.evidence.all()] == [file]
    assert answer.derived == "no"  # with evidence and no issue, by the definition
    verdict = verdicts_of(cast.study, [held.task.post_id])[held.task.post_id]
    assert verdict.evidence == (f"sha256:{file.sha256}",)


def test_an_answer_sent_again_after_a_file_was_attached_is_a_new_version(cast, held):
    first = submit_answer(by=cast.expert, assignment_id=held.pk, answer=NO).answer
    same = correct_answer(by=cast.expert, assignment_id=held.pk, answer=NO)
    attach(cast, held)
    second = correct_answer(by=cast.expert, assignment_id=held.pk, answer=NO)
    assert (first, first.vote.version) == (same, 1) and second.vote.version == 2
    assert Evidence.objects.filter(answer=second).count() == 1


def test_a_file_that_no_answer_cites_is_deleted_when_it_is_taken_out(
    cast, held, django_capture_on_commit_callbacks
):
    file = attach(cast, held)
    with django_capture_on_commit_callbacks(execute=True):
        detach_file(by=cast.expert, assignment_id=held.pk, attachment_id=file.pk)
    assert not Attachment.objects.exists() and not default_storage.exists(file.stored_as)


def test_a_file_that_an_answer_cites_stays_and_the_next_version_is_without_it(cast, held):
    file = attach(cast, held)
    submit_answer(by=cast.expert, assignment_id=held.pk, answer=NO)
    detach_file(by=cast.expert, assignment_id=held.pk, attachment_id=file.pk)
    second = correct_answer(by=cast.expert, assignment_id=held.pk, answer=NO)
    assert default_storage.exists(file.stored_as) and not second.evidence.exists()
    assert attach(cast, held) == file  # and it can be given again
    third = correct_answer(by=cast.expert, assignment_id=held.pk, answer=NO)
    assert third.evidence.get().attachment == file


def test_nothing_is_attached_once_the_batch_is_closed(cast, held):
    move_batch(by=None, batch=held.task.batch, to="closed")
    with pytest.raises(AttachmentRefused, match="closed"):
        attach(cast, held)


def test_an_expert_attaches_gets_back_and_takes_out_a_file_by_plain_forms(cast, held, sign_in):
    client = sign_in(cast.expert)
    here = reverse("legal_evidence_file", args=[cast.study.slug, held.pk])
    upload = SimpleUploadedFile("<b>decree.html", b"<html><script>alert(1)</script>")
    page = client.post(here, {"file": upload}, follow=True).content.decode()
    assert "&lt;b&gt;decree.html" in page and "<script>alert" not in page
    file = Attachment.objects.get()
    got = client.get(reverse("legal_own_file", args=[cast.study.slug, held.pk, file.pk]))
    assert got.headers["Content-Disposition"].startswith("attachment")
    assert got.headers["Content-Type"] == "application/octet-stream"
    assert got.headers["X-Content-Type-Options"] == "nosniff"
    form = client.get(reverse("legal_work", args=[cast.study.slug])).content.decode()
    assert "&lt;b&gt;decree.html" in form
    client.post(reverse("legal_detach_file", args=[cast.study.slug, held.pk, file.pk]))
    assert not Attachment.objects.exists()


@pytest.mark.parametrize(("content", "words"), [(None, "Choose a file"), (b"", "is empty")])
def test_a_form_without_a_file_or_with_an_empty_one_says_so(cast, held, sign_in, content, words):
    here = reverse("legal_evidence_file", args=[cast.study.slug, held.pk])
    sent = {} if content is None else {"file": SimpleUploadedFile("a.txt", content)}
    answer = sign_in(cast.expert).post(here, sent)
    assert answer.status_code == 422 and words in answer.content.decode()


def test_a_colleague_gets_no_file_and_researchers_only_what_an_answer_cites(cast, held, sign_in):
    file = attach(cast, held)
    colleague = experts(cast.study, 1)[0]
    own = reverse("legal_own_file", args=[cast.study.slug, held.pk, file.pk])
    assert sign_in(colleague).get(own).status_code == 404
    address = reverse("legal_attachment", args=[cast.study.slug, file.pk])
    researcher = sign_in(cast.researcher)
    assert researcher.get(address).status_code == 404
    submit_answer(by=cast.expert, assignment_id=held.pk, answer=NO)
    assert researcher.get(address).status_code == 200
    assert sign_in(colleague).get(address).status_code == 403
