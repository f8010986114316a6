"""What annotators read, in the files of a release: the versions that released votes name."""

from dataclasses import replace

import pytest
import yaml

from annotation.models import BatchState, StageCode
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.votes import Answer, submit_vote
from crowd.services.batches import create_batch
from crowd.services.instructions import write_instructions
from legal.catalogues.reading import read_catalogue
from legal.models import Catalogue
from legal.queries.catalogues import text_of
from legal.services.batches import open_legal_batch
from legal.services.catalogues import publish
from tests.cast import add_posts
from tests.releases.ways import NO_CLAIM, YES, answer_all, content, make

pytestmark = pytest.mark.django_db


@pytest.fixture
def crowd_read_two_of_three(cast):
    """Two posts, each voted on under a version of its own; nobody votes under the third."""
    add_posts(cast.study, 2)
    cast.study.protocol.contact = "help@juryroom.example"
    cast.study.protocol.save()
    batch = create_batch(by=None, study=cast.study, external_ids=["p1", "p2"], votes_wanted=1)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    for markdown in ("Ask what is *claimed*.", "Ask what can be checked."):
        written = write_instructions(by=cast.owner.user, study=cast.study, markdown=markdown)
        held = next_task(by=cast.worker, stage=StageCode.CROWD).assignment
        answer = Answer("checkworthy", 3.0, written.version)
        submit_vote(by=cast.worker, assignment_id=held.pk, answer=answer)
    write_instructions(by=None, study=cast.study, markdown="Nobody read this.")
    return written.version


@pytest.fixture
def experts_read_two(cast):
    """Two posts, each judged under a catalogue of its own."""
    add_posts(cast.study, 2)
    for post, answer in (("p1", YES), ("p2", NO_CLAIM)):
        batch = open_legal_batch(by=None, study=cast.study, external_ids=[post], source="Test")
        answer_all(cast.expert, {post: answer})
        move_batch(by=None, batch=batch, to=BatchState.CLOSED)
        text = replace(text_of(Catalogue.objects.first()), title=f"The law after {post}")
        publish(by=cast.owner.user, study=cast.study, text=text)


def test_each_version_that_the_crowd_read_is_there_with_its_date(cast, crowd_read_two_of_three):
    release, newest = make(cast.study), crowd_read_two_of_three
    text = content(release, "instructions.md")
    day = release.created_at.date().isoformat()
    first = text.index(f"## Version {newest - 1}, {day}")
    assert first < text.index("Ask what is *claimed*.") < text.index(f"## Version {newest}, {day}")
    assert "Ask what can be checked." in text and "Nobody read this." not in text
    assert "help@juryroom.example" not in text and cast.owner.user.get_full_name() not in text
    assert cast.worker.pseudonym not in text and "rumours-owner" not in text


def test_each_catalogue_that_experts_read_is_a_document_that_can_be_imported(
    cast, experts_read_two
):
    release = make(cast.study)
    text = content(release, "catalogue.yaml")
    first, second = list(yaml.safe_load_all(text))
    assert second["title"] == "The law after p1" != first["title"]
    assert "The law after p2" not in text, "no vote was given under it"
    assert text.index("# version 1, ") < text.index("# version 2, ")
    _nothing, _first, last = text.split("---\n")
    assert read_catalogue(last.encode()) == text_of(Catalogue.objects.get(version=2))
    assert "rumours-owner" not in text and cast.expert.pseudonym not in text


def test_readme_croissant_and_manifest_list_them(cast, crowd_read_two_of_three):
    release = make(cast.study)
    file = release.files.get(name="instructions.md")
    assert file.rows is None
    for name in ("README.md", "croissant.json", "manifest.json"):
        assert "instructions.md" in content(release, name)
        assert file.sha256 in content(release, name)


def test_a_stage_that_is_left_out_takes_what_it_read_with_it(cast, crowd_read_two_of_three):
    release = make(cast.study, stages=("legal",))
    assert not release.files.filter(name__in=["instructions.md", "catalogue.yaml"]).exists()
