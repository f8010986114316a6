"""The legal library: uploads, builds that switch at once, what never vanishes, search."""

import threading
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.db import InternalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.models import JobState, StudyState
from annotation.services.archive import StudyArchived
from legal.algorithms.bm25 import Formula
from legal.algorithms.passages import Cutting
from legal.models import DocumentState, LibraryDocument, LibraryVersion, Passage
from legal.queries.library import LibraryUnusable, current_version, index_folder, search
from legal.queries.library_documents import documents_of, paragraphs_of, passages_of
from legal.queries.library_hits import look_up
from legal.services import library_building
from legal.services.library_documents import (
    About,
    LibraryRefused,
    change_document,
    queue_build,
    remove_document,
)
from tests.cast import make_cast
from tests.legal.files import pdf, word
from tests.legal.library import HARBOUR, NOTICE, built, done, rebuilt, uploaded

pytestmark = pytest.mark.django_db

LONG = "\n\n".join(f"Paragraph {number} of the harbour law." for number in range(60))


def titles(study, query, top=10):
    return [hit.passage.document.title for hit in search(study, query, top)]


def test_documents_of_all_kinds_are_read_and_searched(cast):
    files = {
        "harbour.txt": HARBOUR,
        "notice.md": "# Notice\n\nA false notice.",
        "page.html": "<title>Page</title><p>An election in October.</p>",
        "file.pdf": pdf(["The mayor may appeal."]),
        "file.docx": word("A quarantine order."),
    }
    version = built(cast.study, files, jurisdiction="Canada")
    assert (version.number, version.document_count, version.passage_count) == (1, 5, 5)
    assert titles(cast.study, "elections") == ["Page"]
    assert titles(cast.study, "quarantine orders") == ["A quarantine order."]
    assert titles(cast.study, "appeals of mayors") == ["The mayor may appeal."]
    assert {one.jurisdiction for one in documents_of(cast.study)} == {"Canada"}


def test_each_file_that_is_not_taken_gets_a_sentence_and_the_others_go_on(cast):
    outcome = uploaded(
        cast.study,
        {"good.txt": HARBOUR, "bad.exe": "MZ", "empty.txt": "", "twin.txt": HARBOUR},
    )
    assert [one.name for one in outcome.taken] == ["good.txt"]
    reasons = dict(outcome.refused)
    assert ".pdf" in reasons["bad.exe"]
    assert "empty" in reasons["empty.txt"]
    assert "already" in reasons["twin.txt"]


def test_files_that_cannot_be_read_are_named_and_the_others_searched(cast):
    files = {
        "good.txt": HARBOUR,
        "none.pdf": "no pdf at all",
        "locked.pdf": pdf(["x"], password="y"),
        "scanned.pdf": pdf([]),
        "binary.txt": b"\x00\x01",
        "huge.txt": "word " * 2_100_000,
        "old.docx": b"\xd0\xcf\x11\xe0",
    }
    job = done(uploaded(cast.study, files).job)
    assert job.state == JobState.SUCCEEDED
    reasons = {one["name"]: one["reason"] for one in job.result["unreadable"]}
    assert set(reasons) == set(files) - {"good.txt"}
    assert "password" in reasons["locked.pdf"] and "OCR" in reasons["scanned.pdf"]
    assert "5,000,000" in reasons["huge.txt"]
    assert titles(cast.study, "harbour") == ["Harbour Act"]


def test_a_library_without_a_readable_document_says_why(cast):
    job = done(uploaded(cast.study, {"none.pdf": "no pdf"}).job)
    assert job.state == JobState.FAILED
    assert "none.pdf: The file is no PDF" in job.reason
    assert "empty" in look_up(cast.study, "harbour").sentence
    empty = rebuilt(make_cast("other").study)
    assert "Upload one first" in empty.reason


def test_words_that_are_all_too_common_make_no_index(cast):
    job = done(uploaded(cast.study, {"a.txt": "the of and"}).job)
    assert "no words" in job.reason
    folder = Path(default_storage.path(f"library/{cast.study.pk}"))
    assert [one.suffix for one in folder.iterdir()] == [".txt"]


def test_a_build_of_the_same_makes_no_version(cast):
    version = built(cast.study)
    job = rebuilt(cast.study)
    assert job.result["version"] == version.number == 1
    assert LibraryVersion.objects.count() == 1


def test_other_sizes_make_a_new_version_and_stay_for_the_next_one(cast):
    built(cast.study, {"long.txt": LONG})
    rebuilt(cast.study, cutting=Cutting(64, 0.25), formula=Formula(k1=1.2, b=0.75))
    second = current_version(cast.study)
    assert second.number == 2 and second.passage_count > 1
    assert all(one.tokens <= 64 for one in Passage.objects.filter(cut_as=second.cut_as))
    done(uploaded(cast.study, {"h.txt": HARBOUR}).job)
    third = current_version(cast.study)
    assert (third.number, third.size, third.k1, third.document_count) == (3, 64, 1.2, 2)


def test_passages_of_unchanged_documents_are_the_same_in_the_next_version(cast):
    built(cast.study, {"h.txt": HARBOUR})
    before = search(cast.study, "harbour", 1)[0].passage
    built(cast.study, {"n.txt": NOTICE})
    assert search(cast.study, "harbour", 1)[0].passage == before


def test_a_removed_document_is_searched_no_more_and_what_cites_it_leads_to_it(cast):
    built(cast.study)
    cited = search(cast.study, "harbour", 1)[0].passage
    document = cited.document
    done(remove_document(by=cast.owner.user, document=document))
    assert titles(cast.study, "harbour") == []
    assert titles(cast.study, "notice") == ["Notices Act"]
    assert Passage.objects.get(pk=cited.pk).text == cited.text
    assert list(passages_of(LibraryDocument.objects.get(pk=document.pk))) == [cited]
    with pytest.raises(LibraryRefused):
        remove_document(by=None, document=document)


def test_a_library_from_which_all_was_removed_is_empty(cast):
    built(cast.study, {"h.txt": HARBOUR})
    done(remove_document(by=None, document=LibraryDocument.objects.get()))
    assert search(cast.study, "harbour", 5) == []
    assert "empty" in look_up(cast.study, "harbour").sentence
    assert uploaded(cast.study, {"h.txt": HARBOUR}).taken


@pytest.mark.parametrize("model", [Passage, LibraryVersion, LibraryDocument])
def test_the_database_refuses_to_delete_what_answers_cite(cast, model):
    built(cast.study)
    with pytest.raises(InternalError, match=r"Cannot (update or )?delete"), transaction.atomic():
        model.objects.all()._raw_delete(model.objects.db)


def test_the_database_refuses_to_change_passages_and_texts_but_not_titles(cast):
    built(cast.study, {"h.txt": HARBOUR})
    for change in (
        lambda: Passage.objects.update(text="other"),
        lambda: LibraryDocument.objects.update(text="other"),
        lambda: LibraryDocument.objects.update(state="waiting"),
    ):
        with pytest.raises(InternalError, match="Cannot update"), transaction.atomic():
            change()
    document = LibraryDocument.objects.get()
    change_document(by=cast.owner.user, document=document, about=About(title="Other"))
    assert LibraryDocument.objects.get().title == "Other"
    assert document.events.filter(title="Other").exists()


def test_a_cancelled_build_leaves_the_old_version_and_no_files(cast, monkeypatch):
    version = built(cast.study)
    uploaded(cast.study, {"x.txt": "Another law."})

    def stop(*_arguments):
        raise RuntimeError

    monkeypatch.setattr(library_building, "terms", stop)
    assert rebuilt(cast.study).state == JobState.FAILED
    assert current_version(cast.study) == version
    folders = [one for one in index_folder(version).parent.iterdir() if one.is_dir()]
    assert folders == [index_folder(version)]


def test_a_document_that_comes_while_an_index_is_written_is_in_the_version(cast, monkeypatch):
    uploaded(cast.study, {"h.txt": HARBOUR})
    write, later = library_building.write_index, iter([{"n.txt": NOTICE}])

    def interrupted(study, *more):
        folder = write(study, *more)
        for files in later:
            library_building.read_document(uploaded(study, files).taken[0], None)
        return folder

    monkeypatch.setattr(library_building, "write_index", interrupted)
    job = rebuilt(cast.study)
    assert (job.result["version"], job.result["documents"]) == (1, 2)


@pytest.mark.django_db(transaction=True)
def test_two_builds_at_once_make_one_version(cast):
    uploaded(cast.study, {"h.txt": HARBOUR, "n.txt": NOTICE})
    jobs = [queue_build(by=None, study=cast.study) for _number in range(2)]

    def run(job):
        try:
            done(job)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for job in jobs:
        job.refresh_from_db()
        assert job.state == JobState.SUCCEEDED, job.reason
    assert Passage.objects.count() == 2
    assert current_version(cast.study).passage_count == 2


def test_a_missing_index_is_said_and_mended_by_a_build(cast):
    version = built(cast.study)
    moved = index_folder(version).rename(index_folder(version).with_suffix(".away"))
    with pytest.raises(LibraryUnusable, match="Build the library again"):
        search(cast.study, "harbour", 3)
    assert "Build" in look_up(cast.study, "harbour").sentence
    rebuilt(cast.study)
    assert current_version(cast.study).number == 2
    assert titles(cast.study, "harbour") == ["Harbour Act"]
    assert moved.exists()


def test_a_search_takes_the_same_queries_for_one_hit_and_for_ten(cast):
    files = {f"{number}.txt": f"Act {number}\n\nA harbour." for number in range(10)}
    built(cast.study, files)
    search(cast.study, "harbour", 1)
    with CaptureQueriesContext(connection) as captured:
        assert len(search(cast.study, "harbour", 10)) == 10
    assert len(captured) == 2
    assert all('document."text"' not in query["sql"] for query in captured)


def test_libraries_belong_to_their_study(cast):
    built(cast.study)
    other = make_cast("elsewhere")
    assert search(other.study, "harbour", 3) == []
    assert uploaded(other.study, {"h.txt": HARBOUR}).taken


def test_an_archived_study_takes_no_document(cast):
    cast.study.state = StudyState.ARCHIVED
    cast.study.save()
    with pytest.raises(StudyArchived):
        uploaded(cast.study, {"h.txt": HARBOUR})


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "Type some words"),
        ("  \n", "Type some words"),
        ("the of and", "too common"),
        ("zebra", "No passage"),
        ("x" * 10_001, "10,000"),
        ("harbour", "1 of 2 passages fits"),
        ("harbour " * 1_200, "1 of 2 passages fits"),
    ],
)
def test_every_search_is_answered_by_a_sentence(cast, query, words):
    built(cast.study)
    assert words in look_up(cast.study, query).sentence


def test_a_passage_stands_in_the_text_where_it_says(cast):
    built(cast.study, {"long.txt": "Ünïcode 😀 first.\n\n" + LONG})
    rebuilt(cast.study, cutting=Cutting(64, 0.5))
    document = LibraryDocument.objects.get()
    found = list(passages_of(document).defer(None))
    assert len(found) > 5
    assert all(document.text[one.start : one.end] == one.text for one in found)
    shown = paragraphs_of(document, slice(0, 100), found[1], ["harbour"])
    cited = [one for one in shown if one.is_cited]
    assert [passage for one in shown for passage in one.passages] == found
    assert "\n\n".join("".join(p.text for p in one.pieces) for one in cited) == found[1].text
    assert any(piece.is_marked for one in cited for piece in one.pieces)


def test_a_waiting_document_is_not_searched_yet(cast):
    built(cast.study)
    uploaded(cast.study, {"x.txt": "Another law."})
    states = {str(one): (one.state, one.is_searched) for one in documents_of(cast.study)}
    assert states["Harbour Act"] == (DocumentState.READ, True)
    assert states["x.txt"] == (DocumentState.WAITING, False)
