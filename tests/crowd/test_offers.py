"""Pages offer nothing that would be refused: in an archived study, and to whose work has ended."""

import pytest
from django.urls import reverse

from annotation.models import ExclusionKind
from annotation.services.standings import exclude
from annotation.services.studies import archive_study
from crowd.services.recruitment import create_recruitment, move_recruitment

pytestmark = pytest.mark.django_db

CHANGES = {
    "crowd": ["Make a batch", 'value="paused"', "Close for good"],
    "crowd_batch": ['value="paused"', "Close for good"],
    "gold": ["Make a gold batch", 'value="paused"', "Label posts"],
    "imports": ["Upload and look through"],
    "recruitments": ["Make a way in"],
    "crowd_labels": ["labels/edit"],
    "crowd_instructions": ["Write a new version", "instructions/edit"],
}


def page(client, cast, name):
    more = [1] if name == "crowd_batch" else []
    return client.get(reverse(name, args=[cast.study.slug, *more])).content.decode()


def test_an_archived_study_offers_no_change(cast, batch, gold_batch, sign_in):
    client = sign_in(cast.owner)
    for name, words in CHANGES.items():
        assert any(word in page(client, cast, name) for word in words), name
    archive_study(by=cast.owner)
    for name, words in CHANGES.items():
        assert not [word for word in words if word in page(client, cast, name)], name
    assert "crowd/rules/" in page(client, cast, "crowd")


@pytest.mark.parametrize("how", [None, *ExclusionKind, "archived"])
def test_going_on_is_offered_only_to_who_may(cast, batch, worker, sign_in, how):
    if how == "archived":
        archive_study(by=cast.owner)
    elif how:
        exclude(by=None, member=worker, stage="crowd", kind=how)
    client = sign_in(worker)
    start = client.get(reverse("home")).content.decode()
    assert ("Go on working" in page(client, cast, "earnings")) == (how is None)
    assert ("Judge posts" in start) == (how is None)
    assert ("What you did" in start) == (how is not None)


def test_a_way_that_never_was_open_is_not_called_paused(cast, sign_in):
    made = create_recruitment(by=None, study=cast.study, kind="link", name="leaflet")
    client = sign_in(cast.researcher)
    assert "Not open yet" in page(client, cast, "recruitments")
    move_recruitment(by=None, recruitment=made, to="open")
    move_recruitment(by=None, recruitment=made, to="paused")
    html = page(client, cast, "recruitments")
    assert "Not open yet" not in html and "Paused" in html


def test_a_page_without_rows_has_its_first_step_once(cast, sign_in):
    client = sign_in(cast.owner)
    for name in ("crowd", "gold", "pay_payouts"):
        assert page(client, cast, name).count("button button-primary") == 1, name
