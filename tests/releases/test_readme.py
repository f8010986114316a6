"""The README of a release: words of a study stay words in its header, tables and blocks."""

from datetime import UTC, datetime

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from annotation.models import Study
from releases.algorithms.card import texts_of
from releases.choices import ReleaseChoices
from releases.models import Release
from releases.services.describing import layout_of, readme
from tests.releases.algorithms.facts import COUNTS, LOW, PROTOCOL, UNKNOWN, facts
from tests.releases.describing.folders import NASTY, files_of

PLAIN = "word"


def written(word: str, *, rows: int = 1, **choices) -> str:
    """A README in which everything that people may choose is this word."""
    statistics = {
        "counts": COUNTS,
        "table_1": [{"key": "total", "label": "All", "count": 5, "of": 5, "share": 1.0}],
        "agreement": {"crowd": LOW, "legal": UNKNOWN},
        "issues": [{"code": word or PLAIN, "name": word, "count": 3}],
        "open_tasks": {"crowd": 1, "legal": 0},
    }
    manifest = {
        "study": {"slug": "rumours", "title": word},
        "choices": ReleaseChoices(licence=word, citation=word, **choices).as_json(),
        "protocol": PROTOCOL,
        "software": {"name": "Juryroom", "version": "1"},
        "card": texts_of(facts(), {}),
        "crowd_labels": [word or PLAIN],
        "metadata": [word or PLAIN],
        "statistics": statistics,
    }
    release = Release(
        study=Study(slug="rumours", title=word),
        number=3,
        manifest=manifest,
        complete=False,
        open_tasks=1,
        created_at=datetime(2026, 5, 4, tzinfo=UTC),
    )
    return readme(release, files_of(layout_of(release), rows))


def shape(text: str) -> list[str]:
    """The blocks of the text after the header, in their order."""
    body = text.split("\n---\n", 1)[1]
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    return [token.type for token in tokens if token.type != "inline"]


USUAL = shape(written(PLAIN))


@settings(max_examples=30, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_no_word_changes_the_shape_of_the_text(word):
    text = written(word)
    assert isinstance(yaml.safe_load(text.split("---\n", 2)[1].rsplit("\n---", 1)[0]), dict)
    assert shape(text) == USUAL


@pytest.mark.parametrize(
    "word", [NASTY, "```\n# x", "| a | b |\n|---|---|", "</code><h1>", "---", "+ x", "1. x", "=="]
)
def test_words_that_look_like_markdown_change_nothing_either(word):
    assert shape(written(word)) == USUAL


def test_what_is_open_and_what_is_empty_is_told():
    assert "**This release is incomplete**: 1 post was still" in written(PLAIN)
    assert "unknown to `load_dataset`" not in written(PLAIN)
    told = "unknown to `load_dataset`: posts (test), votes (test), verdicts (test), evidence,"
    assert told in written(PLAIN, rows=0)
    assert "| Crowd | 0.300 | 0.250 to 0.350 | 2,700 | 900 | 30 |" in written(PLAIN)
    assert "| Experts | – | – | 2,700 | 900 | – |" in written(PLAIN)
