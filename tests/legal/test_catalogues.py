"""A study's catalogue: versions, what the database refuses, the tree that people read."""

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from legal.catalogues import CANADA
from legal.catalogues.reading import read_catalogue
from legal.catalogues.writing import as_json, as_yaml
from legal.models import Catalogue, Criterion, Issue
from legal.queries.catalogues import (
    catalogue_in_force,
    current_catalogue,
    guide,
    has_read,
    issue_names,
    issues_by_name,
    text_of,
)
from legal.services.batches import open_legal_batch
from legal.services.catalogues import (
    CatalogueMoved,
    CatalogueRefused,
    ensure_catalogue,
    note_guide_read,
    publish,
    read_or_refuse,
    shipped_catalogue,
)
from tests.cast import add_posts, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def other_text():
    text = CANADA.read_text(encoding="utf-8").replace("name: Hate Speech", "name: Hate")
    return read_catalogue(text.encode())


def shipped(study, by=None):
    return publish(by=by, study=study, text=shipped_catalogue())


def test_loading_the_same_catalogue_again_makes_no_version(cast):
    first = shipped(cast.study, cast.owner.user)
    assert shipped(cast.study, cast.owner.user) == first
    assert (first.version, first.created_by) == (1, cast.owner.user)


def test_a_changed_catalogue_is_a_new_version_and_the_old_one_stays(cast, other_text):
    first = ensure_catalogue(by=None, study=cast.study)
    second = publish(by=None, study=cast.study, text=other_text)
    assert (first.version, second.version) == (1, 2)
    assert Issue.objects.get(catalogue=first, code="hate_speech").name == "Hate Speech"
    assert current_catalogue(cast.study) == second
    assert issue_names(cast.study)["hate_speech"] == "Hate"
    assert ensure_catalogue(by=None, study=cast.study) == second


def test_versions_belong_to_their_study(cast):
    shipped(cast.study)
    other = make_cast("elsewhere")
    assert current_catalogue(other.study) is None


@pytest.mark.parametrize("model", [Catalogue, Issue, Criterion])
def test_a_version_cannot_be_changed_or_deleted(cast, model):
    shipped(cast.study)
    with pytest.raises(Exception, match="Cannot update"):
        model.objects.update(id=F("id"))


def test_a_malformed_catalogue_is_refused_with_a_sentence():
    with pytest.raises(CatalogueRefused, match="no issue"):
        read_or_refuse(b"{title: x, language: en, jurisdiction: y}")


def test_the_same_catalogue_written_otherwise_makes_no_version(cast):
    first = shipped(cast.study)
    again = read_catalogue(as_json(shipped_catalogue()).encode())
    assert publish(by=None, study=cast.study, text=again) == first


def test_what_was_stored_reads_as_what_was_published(cast):
    stored = text_of(shipped(cast.study))
    assert stored == shipped_catalogue()
    assert read_catalogue(as_yaml(stored).encode()) == stored


def test_a_version_that_the_person_did_not_know_of_is_not_passed_over(cast, other_text):
    shipped(cast.study)
    with pytest.raises(CatalogueMoved, match="version 1 meanwhile"):
        publish(by=None, study=cast.study, text=other_text, seen_version=0)
    note = "Hate Speech has a shorter name."
    made = publish(
        by=None, study=cast.study, text=other_text, seen_version=1, change_note=f" {note} "
    )
    assert (made.version, made.change_note) == (2, note)


@pytest.mark.parametrize("note", ["n" * 2_001, "a\0b", "\ud800"])
def test_a_note_that_cannot_be_kept_is_refused(cast, note):
    with pytest.raises(CatalogueRefused, match="note"):
        publish(by=None, study=cast.study, text=shipped_catalogue(), change_note=note)
    assert current_catalogue(cast.study) is None


def test_a_test_does_not_become_a_defence_under_the_same_code(cast):
    shipped(cast.study)
    text = CANADA.read_text(encoding="utf-8")
    moved = text.replace("code: publication", "code: fair_comment_x").replace(
        "code: qualified_privilege", "code: publication"
    )
    with pytest.raises(
        CatalogueRefused, match="“publication” of the issue “Defamation” was a test"
    ):
        publish(by=None, study=cast.study, text=read_catalogue(moved.encode()))
    renamed = text.replace("code: publication", "code: made_public")
    assert publish(by=None, study=cast.study, text=read_catalogue(renamed.encode())).version == 2


def test_the_guide_is_a_tree_in_the_catalogues_order_made_with_two_queries(cast):
    catalogue = shipped(cast.study)
    with CaptureQueriesContext(connection) as queries:
        topics = guide(catalogue)
    assert len(queries) == 2
    assert [topic.code for topic in topics][:2] == ["defamation", "freedom_of_expression"]
    mischief = topics[2].issues[1]
    assert mischief.tests[1].parts[0].criterion.code == "false_accusation"
    assert topics[0].issues[0].defences[2].criterion.rule == "all"


def test_issues_are_found_by_name_and_code(cast):
    known = issues_by_name(shipped(cast.study))
    assert known["federal competition act"] == known["competition"] == "competition"
    assert len(set(known.values())) == 11


def test_the_open_batchs_version_is_in_force_even_when_a_newer_one_is_loaded(cast, other_text):
    posts = add_posts(cast.study, 1)
    batch = open_legal_batch(by=None, study=cast.study, post_ids=[posts[0].pk])
    publish(by=None, study=cast.study, text=other_text)
    assert catalogue_in_force(cast.study).version == 1 == batch.legal_round.catalogue.version


def test_who_has_read_the_guide_is_known_by_version_and_study(cast, other_text):
    first = shipped(cast.study)
    note_guide_read(by=cast.expert, catalogue=first)
    note_guide_read(by=cast.expert, catalogue=first)
    assert has_read(cast.expert, first)
    assert not has_read(cast.expert, publish(by=None, study=cast.study, text=other_text))
    with pytest.raises(CatalogueRefused):
        note_guide_read(by=make_cast("elsewhere").expert, catalogue=first)
