"""The guide as a document, what changed since it was read, and files of the catalogue."""

import json
import re
from dataclasses import replace

import pytest
from django.urls import reverse

from legal.catalogues.reading import read_catalogue
from legal.services.catalogues import (
    note_guide_read,
    publish,
    read_or_refuse,
    shipped_catalogue,
)
from tests.cast import make_cast
from tests.legal.world import legal_batch, read_guide

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(cast, sign_in):
    return sign_in(cast.researcher)


def url(cast, name, *more):
    return reverse(name, args=[cast.study.slug, *more])


def page(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return re.sub(r"\s+", " ", response.content.decode())


def publish_next(cast, **changes):
    return publish(by=None, study=cast.study, text=replace(shipped_catalogue(), **changes))


def reworded():
    """Return the shipped catalogue with one word of it changed."""
    text = shipped_catalogue()
    issue = text.topics[0].issues[0]
    issue = replace(issue, summary=issue.summary.replace("sensible", "prudent"))
    topic = replace(text.topics[0], issues=(issue,))
    return replace(text, topics=(topic, *text.topics[1:]))


def test_the_guide_says_which_version_it_is_of_when_and_all_that_is_in_it(cast, client):
    assert "No guide yet" in page(client, url(cast, "legal_guide"))
    made = publish_next(cast)
    shown = page(client, url(cast, "legal_guide"))
    assert f"version 1 of {made.created_at:%Y-%m-%d}" in shown
    for words in ("Irwin Toy", "Qualified privilege", "Invented death", "harbour contract"):
        assert words in shown
    assert "How the form works" in shown and "Canada" in shown
    assert "What changed since" not in shown


def test_the_guide_shows_a_version_and_what_changed_since_another(cast, client):
    publish_next(cast)
    publish(by=None, study=cast.study, text=reworded())
    publish_next(cast, title="Other law")
    newest = page(client, url(cast, "legal_guide"))
    assert "What changed since version 2" in newest and "prudent" in newest
    second = page(client, url(cast, "legal_guide") + "?version=2&since=1")
    assert "removed: </span>sensible " in second and "added: </span>prudent " in second
    plain = page(client, url(cast, "legal_guide") + "?version=2&since=")
    assert "<del>" not in plain and "prudent" in plain
    same = page(client, url(cast, "legal_guide") + "?version=2&since=2")
    assert "Nothing differs between the two" in same


@pytest.mark.parametrize("query", ["version=7", "version=x", "version=", "since=7", "since=%00"])
def test_a_version_that_does_not_exist_is_not_found(cast, client, query):
    publish_next(cast)
    assert client.get(url(cast, "legal_guide") + "?" + query).status_code == 404


def test_an_expert_sees_what_changed_since_they_last_read_the_guide(cast, sign_in):
    first = publish_next(cast)
    reader = sign_in(cast.expert)
    assert "which you read" not in page(reader, url(cast, "legal_guide"))
    note_guide_read(by=cast.expert, catalogue=first)
    assert "which you read" not in page(reader, url(cast, "legal_guide"))
    publish_next(cast, title="Between")
    third = publish(by=None, study=cast.study, text=reworded())
    shown = page(reader, url(cast, "legal_guide"))
    assert "What changed since version 1, which you read" in shown
    assert "prudent" in shown and "Between" not in shown
    note_guide_read(by=cast.expert, catalogue=third)
    assert "which you read" not in page(reader, url(cast, "legal_guide"))


def test_the_first_page_of_work_begins_with_what_changed_since_the_guide_was_read(cast, sign_in):
    reader = sign_in(cast.expert)
    batch = legal_batch(cast.study, 1)
    assert "which you read" not in page(reader, url(cast, "legal_work"))
    read_guide(cast.expert, batch)
    second = publish(by=None, study=cast.study, text=reworded(), change_note="A better word.")
    batch.legal_round.catalogue = second
    batch.legal_round.save()
    shown = page(reader, url(cast, "legal_work"))
    assert "What changed from version 1 of the guide, which you read, to version 2" in shown
    assert shown.index("prudent") < shown.index("qualifies as misinformation")
    assert "A better word." in shown


def test_who_may_read_the_guide_and_who_may_take_files(cast, client, sign_in):
    publish_next(cast)
    reader = sign_in(cast.expert)
    assert "YAML" in page(client, url(cast, "legal_catalogue"))
    versions = page(reader, url(cast, "legal_catalogue"))
    assert "Version 1" in versions and "YAML" not in versions
    assert reader.get(url(cast, "legal_catalogue_yaml", 1)).status_code == 403
    worker = sign_in(cast.worker)
    assert worker.get(url(cast, "legal_catalogue")).status_code == 403
    assert worker.get(url(cast, "legal_guide")).status_code == 403


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_a_file_of_a_version_reads_as_that_version(cast, client, form):
    publish_next(cast)
    publish(by=None, study=cast.study, text=reworded())
    first = client.get(url(cast, f"legal_catalogue_{form}", 1))
    second = client.get(url(cast, f"legal_catalogue_{form}", 2))
    assert f'filename="rumours-catalogue-2.{form}"' in second["Content-Disposition"]
    assert read_catalogue(first.content) == shipped_catalogue()
    assert read_catalogue(second.content) == reworded()
    assert form == "yaml" or json.loads(second.content)["jurisdiction"] == "Canada"
    assert client.get(url(cast, f"legal_catalogue_{form}", 3)).status_code == 404


def test_the_newest_version_stands_first_with_who_has_read_it(cast, client):
    first = publish_next(cast)
    note_guide_read(by=cast.expert, catalogue=first)
    publish(by=None, study=cast.study, text=reworded(), change_note="A word.")
    shown = page(client, url(cast, "legal_catalogue"))
    assert shown.index("Version 2") < shown.index("A word.") < shown.index("Version 1")


def test_another_studys_version_is_not_found(cast, client):
    publish_next(make_cast("elsewhere"))
    assert client.get(url(cast, "legal_catalogue_yaml", 1)).status_code == 404


def test_what_a_catalogue_says_is_never_html(cast, client):
    attack = "<img src=x onerror=alert(1)>"
    raw = f"""
jurisdiction: "{attack}"
language: en
title: "{attack}"
note: "{attack}"
topics:
  - code: t
    name: "{attack}"
    issues:
      - code: i
        name: "{attack}"
        summary: "{attack}"
        sources: [{{kind: case, citation: "{attack}", section: "{attack}"}}]
        tests: {{rule: all, items: [{{code: x, name: "{attack}", question: "{attack}"}}]}}
        defences: {{rule: any, items: []}}
        positive_example: "{attack}"
        negative_example: "{attack}"
"""
    publish(by=None, study=cast.study, text=shipped_catalogue())
    publish(by=None, study=cast.study, text=read_or_refuse(raw.encode()), change_note=attack)
    shown = page(client, url(cast, "legal_guide"))
    assert attack not in shown and shown.count("&lt;img") >= 15
    assert "What changed since version 1" in shown
    assert attack not in page(client, url(cast, "legal_catalogue"))
