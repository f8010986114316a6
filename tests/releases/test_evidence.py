"""The evidence of a release: each page or file that a released vote names, with its hash."""

import io

import pytest

from annotation.models import StageCode
from annotation.services.assignments import next_task
from legal.models import Attachment
from legal.services.answers import submit_answer
from legal.services.attachments import attach_file
from legal.services.batches import open_legal_batch
from releases.columns import EVIDENCE
from tests.cast import add_posts
from tests.legal.archive_world import STORY, archived, outside_world
from tests.releases.ways import NO_CLAIM, PAGES, YES, by_id, lines, make, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def outside(monkeypatch):
    with outside_world(monkeypatch) as world:
        yield world


def answered(cast, answer, name=""):
    """Let the expert answer the one post of a batch that wants one vote; attach a file first."""
    cast.study.protocol.expert_votes = 1
    cast.study.protocol.save()
    add_posts(cast.study, 1)
    open_legal_batch(by=None, study=cast.study, external_ids=["p1"])
    held = next_task(by=cast.expert, stage=StageCode.LEGAL).assignment
    if name:
        content = io.BytesIO(b"The decree.")
        attach_file(by=cast.expert, assignment_id=held.pk, name=name, content=content)
    submit_answer(by=cast.expert, assignment_id=held.pk, answer=answer)


def test_a_page_stands_with_address_time_hash_status_and_the_start_of_its_text(cast, outside):
    answered(cast, YES)
    outside.network.names["a.example"] = outside.network.names["news.example"]
    page = archived(cast.study, PAGES[0])  # nobody speaks TLS there
    release = make(cast.study)
    first, second = rows(release, "evidence")
    assert list(first) == [column.name for column in EVIDENCE.columns]
    assert (first["evidence"], first["domain"], first["state"]) == (PAGES[0], "a.example", "failed")
    assert first["reason"] == page.reason and first["sha256"] == ""
    assert (second["evidence"], second["state"], second["status"]) == (PAGES[1], "waiting", "")


def test_only_the_first_500_characters_are_released(cast, outside):
    long = STORY.replace("</article>", "<p>" + "The harbour stays closed. " * 80 + "</p></article>")
    url = outside.story(text=long)
    answered(cast, type(YES).of_ticks("yes", issues=("defamation",), evidence=(url,)))
    page = archived(cast.study, url)
    (row,) = rows(make(cast.study), "evidence")
    assert len(page.text) > 500 and row["text_start"] == page.text[:500]
    assert (row["status"], row["sha256"]) == ("200", page.sha256)
    assert row["published_on"] == "2023-04-05" and row["retrieved_at"].startswith("20")


def test_an_attached_file_is_told_by_its_checksum_and_not_by_its_name(cast):
    answered(cast, NO_CLAIM, name="Ruth Miller's notes.txt")
    release = make(cast.study)
    (row,) = rows(release, "evidence")
    reference = f"sha256:{Attachment.objects.get().sha256}"
    assert (row["evidence"], row["state"], row["title"]) == (reference, "attached", "")
    assert by_id(lines(release, "verdicts"))["p1"]["evidence"] == [reference]
    assert rows(release, "votes")[0]["evidence"] == reference


def test_a_page_that_no_vote_names_is_not_released(cast, outside):
    answered(cast, NO_CLAIM)
    archived(cast.study, outside.story())
    assert rows(make(cast.study), "evidence") == []


def test_a_title_that_would_run_in_a_spreadsheet_is_made_safe_in_the_copy_for_spreadsheets(
    cast, outside
):
    story = STORY.replace("The harbour was closed</h1>", "=1+1 and more</h1>")
    url = outside.story(text=story.replace("The harbour | News", "=1+1 and more"))
    answered(cast, type(YES).of_ticks("yes", issues=("defamation",), evidence=(url,)))
    archived(cast.study, url)
    release = make(cast.study)
    (exact,), (safe,) = (rows(release, "evidence", form) for form in ("csv", "spreadsheet"))
    assert exact["title"].startswith("=1+1") and safe["title"] == "'" + exact["title"]
