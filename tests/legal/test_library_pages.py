"""The library's pages and endpoints: upload, read, search as a page and as a part, cite."""

import base64
import io
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Job, StudyState
from legal.models import LibraryDocument, Passage
from legal.queries.library import current_version
from tests.api import caller
from tests.legal.library import HARBOUR, NOTICE, built, done, uploaded
from tests.queries import queries_for

pytestmark = pytest.mark.django_db
HOSTILE = 'A <script>alert(1)</script> of the harbour & "mayor"'


def address(cast, name="legal_library", *more, **query):
    return reverse(name, args=[cast.study.slug, *more], query=query or None)


def search(client, cast, q, **more):
    return client.get(address(cast, "legal_library_search", q=q, **more)).content.decode()


def test_researchers_upload_several_files_at_once_and_read_what_became_of_each(cast, sign_in):
    client = sign_in(cast.researcher)
    files = [SimpleUploadedFile("h.txt", HARBOUR.encode()), SimpleUploadedFile("bad.exe", b"MZ")]
    form = {"documents": files, "source_type": "statute", "jurisdiction": "Canada"}
    answer = client.post(address(cast, "legal_library_upload"), form, follow=True)
    page = answer.content.decode()
    assert "1 document is taken" in page
    assert "bad.exe: “bad.exe” is not taken" in page
    assert "being built" in page
    done(Job.objects.latest("pk"))
    page = client.get(address(cast)).content.decode()
    assert "Harbour Act" in page and "Searched" in page and "Canada" in page


def test_an_upload_of_nothing_good_keeps_the_form_and_says_why(cast, sign_in):
    client = sign_in(cast.owner)
    form = {"documents": [SimpleUploadedFile("e.txt", b"")], "source_type": "decision"}
    page = client.post(address(cast, "legal_library_upload"), form).content.decode()
    assert "e.txt: The file is empty." in page
    assert 'value="decision" selected' in page
    page = client.post(address(cast, "legal_library_upload"), {"licence": "x"}).content.decode()
    assert "Choose one file or several." in page
    assert not LibraryDocument.objects.exists()


def test_experts_read_and_search_and_are_offered_no_change(cast, sign_in):
    built(cast.study)
    client = sign_in(cast.expert)
    page = client.get(address(cast)).content.decode()
    assert "Harbour Act" in page
    assert "Upload documents" not in page and "Build the library" not in page
    assert "Harbour Act" in search(client, cast, "harbour")
    document = LibraryDocument.objects.first()
    page = client.get(address(cast, "legal_document", document.pk)).content.decode()
    assert "Take out" not in page


def test_an_archived_study_offers_no_change(cast, sign_in):
    built(cast.study)
    cast.study.state = StudyState.ARCHIVED
    cast.study.save()
    page = sign_in(cast.owner).get(address(cast)).content.decode()
    assert "Harbour Act" in page and "Upload documents" not in page


def test_a_search_is_a_page_and_the_part_of_it_that_stands_beside_a_form(cast, sign_in):
    built(cast.study)
    client = sign_in(cast.expert)
    whole, part = search(client, cast, "notices"), search(client, cast, "notices", part="hits")
    assert "<html" in whole and "<html" not in part
    for text in (whole, part):
        assert "<mark>notice</mark>" in text
        assert "section 4 False notice" in re.sub(r"\s+", " ", text)
        assert "score" in text


def test_a_hit_has_a_button_to_cite_its_passage_only_beside_a_form(cast, sign_in):
    built(cast.study, {"h.txt": HARBOUR})
    client = sign_in(cast.expert)
    part = search(client, cast, "harbour", part="hits", cite="answer")
    button = re.search(r"<button[^>]*>", part)
    assert button
    pk = Passage.objects.get().pk
    assert f'value="{pk}"' in button[0] and 'name="cite"' in button[0]
    assert 'form="answer"' in button[0]
    assert 'name="cite"' not in search(client, cast, "harbour", part="hits")


def test_what_a_document_holds_is_shown_as_text(cast, sign_in):
    built(cast.study, {"x.txt": HOSTILE})
    client = sign_in(cast.expert)
    document = LibraryDocument.objects.get()
    for page in (
        search(client, cast, '<script>alert(1)</script> "harbour'),
        client.get(address(cast, "legal_document", document.pk)).content.decode(),
        client.get(address(cast)).content.decode(),
    ):
        assert "<script>alert" not in page
        assert "&lt;script&gt;" in page


def test_the_file_is_downloaded_and_never_shown(cast, sign_in):
    built(cast.study, {"page.html": "<p>A harbour.</p><script>alert(1)</script>"})
    document = LibraryDocument.objects.get()
    answer = sign_in(cast.expert).get(address(cast, "legal_document_file", document.pk))
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert b"alert" in b"".join(answer.streaming_content)


def test_a_hit_leads_to_its_passage_marked_in_the_document(cast, sign_in):
    text = "\n\n".join(f"Paragraph {number}." for number in range(150)) + "\n\nThe harbour."
    built(cast.study, {"long.txt": text})
    client = sign_in(cast.expert)
    link = re.search(r'href="([^"]*passage=[^"]*)"', search(client, cast, "harbour"))
    assert link
    page = client.get(link[1].replace("&amp;", "&").partition("#")[0]).content.decode()
    assert f'id="passage-{Passage.objects.get().pk}"' in page
    second = client.get(address(cast, "legal_document", LibraryDocument.objects.get().pk, page=2))
    assert "The harbour." in second.content.decode()


@pytest.mark.parametrize("passage", ["0", "x", "99999999999999999999", "-1", "²"])
def test_a_passage_of_another_document_is_not_found(cast, sign_in, passage):
    built(cast.study)
    document = LibraryDocument.objects.first()
    found = sign_in(cast.expert).get(address(cast, "legal_document", document.pk, passage=passage))
    assert found.status_code == 404


def test_ten_thousand_characters_can_be_pasted(cast, sign_in):
    built(cast.study)
    page = search(sign_in(cast.expert), cast, ("a notice " * 1_200)[:10_000])
    assert "<mark>notice</mark>" in page
    assert "10,000" in search(sign_in(cast.expert), cast, "x" * 10_001)


def test_a_nul_in_a_search_is_no_fault(cast, sign_in):
    built(cast.study)
    assert "<mark>" in search(sign_in(cast.expert), cast, "har\0bour")


def test_details_are_changed_and_the_document_stays_searched(cast, sign_in):
    built(cast.study)
    client = sign_in(cast.researcher)
    document = LibraryDocument.objects.get(title="Harbour Act")
    form = {"title": "Harbours", "source_type": "bulletin", "citation": "RSC 1985, c H-1"}
    client.post(address(cast, "legal_document_edit", document.pk), form)
    page = search(client, cast, "harbour")
    assert "Harbours" in page and "RSC 1985, c H-1" in page
    refused = client.post(address(cast, "legal_document_edit", document.pk), {"title": ""})
    assert "This field is required" in refused.content.decode()


def test_bad_sizes_are_said_and_build_nothing(cast, sign_in):
    built(cast.study)
    form = {"size": "3", "overlap": "2", "k1": "x", "b": "0.4"}
    answer = sign_in(cast.owner).post(address(cast, "legal_library_build"), form, follow=True)
    page = answer.content.decode()
    assert "Tokens of a passage" in page and "greater than or equal to 16" in page
    assert Job.objects.count() == 1


def test_a_long_library_costs_no_more_queries(cast, sign_in):
    built(cast.study)
    client = sign_in(cast.researcher)
    few = queries_for(client, address(cast))
    built(cast.study, {f"{number}.txt": f"Act {number}" for number in range(20)})
    assert queries_for(client, address(cast)) == few


def test_programs_upload_list_search_and_remove(cast):
    api = caller(cast.researcher)
    content = base64.b64encode(NOTICE.encode()).decode()
    sent = {"name": "n.txt", "content": content, "citation": "RSC 1985, c N-1"}
    made = api.post("library", body=sent)
    assert made.status_code == 201
    done(Job.objects.get(pk=made.json()["job"]))
    (row,) = api.get("library").json()["results"]
    assert (row["title"], row["is_searched"], row["citation"]) == (
        "Notices Act",
        True,
        "RSC 1985, c N-1",
    )
    (hit,) = api.get("library_search", q="false notices", top=3).json()
    assert hit["text"] == NOTICE.strip() and hit["score"] > 0
    document = made.json()["document"]
    told = api.get("library_document", document).json()
    assert told["text"][hit["start"] : hit["end"]] == hit["text"]
    changed = api.patch("library_document", document, body={"title": "N"}).json()
    assert (changed["title"], changed["citation"]) == ("N", "RSC 1985, c N-1")
    (version,) = api.get("library_versions").json()["results"]
    assert (version["size"], version["passages"]) == (2048, 1)
    done(Job.objects.get(pk=api.post("library_remove", document).json()["job"]))
    assert api.get("library_search", q="notice").json() == []
    assert api.post("library_remove", document).status_code == 409


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"name": "n.txt", "content": "%%%"}, "Base64"),
        ({"name": "n.exe", "content": "eA=="}, ".pdf"),
        ({"name": "n.txt", "content": ""}, "blank"),
    ],
)
def test_programs_are_told_what_is_wrong_with_a_file(cast, sent, words):
    answer = caller(cast.researcher).post("library", body=sent)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not LibraryDocument.objects.exists()


def test_a_program_changes_one_size_and_the_others_stay(cast):
    built(cast.study)
    api = caller(cast.owner)
    done(Job.objects.get(pk=api.post("library_versions", body={"b": 0.75}).json()["job"]))
    version = current_version(cast.study)
    assert (version.number, version.k1, version.b, version.size) == (2, 0.9, 0.75, 2048)


def test_a_folder_is_loaded_by_a_command(cast, tmp_path):
    (tmp_path / "a.txt").write_text(HARBOUR)
    (tmp_path / "b.html").write_text("<p>A notice.</p>")
    (tmp_path / "manifest.json").write_text("{}")
    said = io.StringIO()
    call_command("load_library", cast.study.slug, str(tmp_path), jurisdiction="Canada", stdout=said)
    assert current_version(cast.study).document_count == 2
    assert "taken: 2" in said.getvalue()
    call_command("load_library", cast.study.slug, str(tmp_path / "a.txt"), stdout=said)
    assert "already" in said.getvalue()


def test_the_library_is_searched_by_a_command(cast):
    built(cast.study)
    said = io.StringIO()
    call_command("search_library", cast.study.slug, "false notices", stdout=said)
    assert "Notices Act" in said.getvalue() and "Harbour" not in said.getvalue()
    said = io.StringIO()
    call_command("search_library", cast.study.slug, "harbours", "--json", stdout=said)
    (hit,) = json.loads(said.getvalue())["hits"]
    assert hit["text"] == HARBOUR.strip() and hit["score"] > 0


def test_a_folder_that_is_none_is_a_sentence(cast, tmp_path):
    for folder, words in ((tmp_path / "no", "no folder"), (tmp_path, "no txt")):
        with pytest.raises(CommandError, match=words):
            call_command("load_library", cast.study.slug, str(folder))


def test_a_document_that_cannot_be_read_says_so_on_its_page(cast, sign_in):
    done(uploaded(cast.study, {"x.pdf": "no pdf"}).job)
    document = LibraryDocument.objects.get()
    page = sign_in(cast.expert).get(address(cast, "legal_document", document.pk))
    assert "The file is no PDF" in page.content.decode()
    page = sign_in(cast.researcher).get(address(cast)).content.decode()
    assert "could not be built" in page
