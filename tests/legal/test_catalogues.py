"""A study's catalogue: versions, what the database refuses, the tree that people read."""

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from legal.catalogues import CANADA
from legal.models import Catalogue, Criterion, Issue
from legal.queries.catalogues import (
    catalogue_in_force,
    current_catalogue,
    guide,
    has_read,
    issue_names,
    issues_by_name,
)
from legal.services.batches import open_legal_batch
from legal.services.catalogues import (
    CatalogueRefused,
    ensure_catalogue,
    load_catalogue,
    note_guide_read,
)
from tests.cast import add_posts, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def other_source(tmp_path):
    text = CANADA.read_text(encoding="utf-8").replace("name: Hate Speech", "name: Hate")
    path = tmp_path / "other.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_loading_the_same_catalogue_again_makes_no_version(cast):
    first = load_catalogue(by=cast.owner.user, study=cast.study)
    assert load_catalogue(by=cast.owner.user, study=cast.study) == first
    assert (first.version, first.created_by) == (1, cast.owner.user)


def test_a_changed_catalogue_is_a_new_version_and_the_old_one_stays(cast, other_source):
    first = ensure_catalogue(by=None, study=cast.study)
    second = load_catalogue(by=None, study=cast.study, source=other_source)
    assert (first.version, second.version) == (1, 2)
    assert Issue.objects.get(catalogue=first, code="hate_speech").name == "Hate Speech"
    assert current_catalogue(cast.study) == second
    assert issue_names(cast.study)["hate_speech"] == "Hate"
    assert ensure_catalogue(by=None, study=cast.study) == second


def test_versions_belong_to_their_study(cast):
    load_catalogue(by=None, study=cast.study)
    other = make_cast("elsewhere")
    assert current_catalogue(other.study) is None


@pytest.mark.parametrize("model", [Catalogue, Issue, Criterion])
def test_a_version_cannot_be_changed_or_deleted(cast, model):
    load_catalogue(by=None, study=cast.study)
    with pytest.raises(Exception, match="Cannot update"):
        model.objects.update(id=F("id"))


def test_a_malformed_catalogue_is_refused_and_nothing_is_stored(cast, tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("title: x")
    with pytest.raises(CatalogueRefused, match="no issue"):
        load_catalogue(by=None, study=cast.study, source=path)
    with pytest.raises(CatalogueRefused, match=r"none\.yaml cannot be read"):
        load_catalogue(by=None, study=cast.study, source=tmp_path / "none.yaml")
    assert not Catalogue.objects.exists()


def test_the_guide_is_a_tree_in_the_catalogues_order_made_with_two_queries(cast):
    catalogue = load_catalogue(by=None, study=cast.study)
    with CaptureQueriesContext(connection) as queries:
        topics = guide(catalogue)
    assert len(queries) == 2
    assert [topic.code for topic in topics][:2] == ["defamation", "freedom_of_expression"]
    mischief = topics[2].issues[1]
    assert mischief.tests[1].parts[0].criterion.code == "false_accusation"
    assert topics[0].issues[0].defences[2].criterion.rule == "all"


def test_issues_are_found_by_name_and_code(cast):
    known = issues_by_name(load_catalogue(by=None, study=cast.study))
    assert known["federal competition act"] == known["competition"] == "competition"
    assert len(set(known.values())) == 11


def test_the_open_batchs_version_is_in_force_even_when_a_newer_one_is_loaded(cast, other_source):
    posts = add_posts(cast.study, 1)
    batch = open_legal_batch(by=None, study=cast.study, post_ids=[posts[0].pk])
    load_catalogue(by=None, study=cast.study, source=other_source)
    assert catalogue_in_force(cast.study).version == 1 == batch.legal_round.catalogue.version


def test_who_has_read_the_guide_is_known_by_version_and_study(cast, other_source):
    first = load_catalogue(by=None, study=cast.study)
    note_guide_read(by=cast.expert, catalogue=first)
    note_guide_read(by=cast.expert, catalogue=first)
    assert has_read(cast.expert, first)
    assert not has_read(cast.expert, load_catalogue(by=None, study=cast.study, source=other_source))
    with pytest.raises(CatalogueRefused):
        note_guide_read(by=make_cast("elsewhere").expert, catalogue=first)
