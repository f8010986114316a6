"""All text for people goes through gettext: in templates, and in the labels of forms and models."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django import forms
from django.apps import apps
from django.conf import settings
from django.urls import get_resolver
from django.utils.functional import Promise

TEMPLATES = sorted(Path(settings.BASE_DIR, "templates").rglob("*.html"))
ATTRIBUTES = {"title", "placeholder", "aria-label", "alt", "summary"}
SAME_EVERYWHERE = re.compile(r"\b(SHA-256|UTC|SVG|PNG|CSV|YAML|JSON|https|(?:Bin|Ma|Mi)-F1)\b")
STANDS_ALONE = {"500.html"}  # rendered when something is broken, so nothing in it may break
OURS = ("annotation", "crowd", "legal", "filtering", "releases", "embeddings")

BLOCKS = re.compile(
    r"{%\s*blocktrans(?:late)?\b.*?{%\s*endblocktrans(?:late)?\s*%}"
    r"|{%\s*comment\b.*?{%\s*endcomment\s*%}"
    r"|{%\s*block body_class\s*%}.*?{%\s*endblock\b.*?%}"
    r"|{%.*?%}|{{.*?}}|{#.*?#}",
    re.S,
)
WITH_WORDS = re.compile(r"""{%\s*include\b[^%]*?\b(\w+)=(["'])([^"'{}]*\s[^"'{}]*)\2""")


class Words(HTMLParser):
    """Collects the text and the spoken attributes that are left when template tags are gone."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in {"script", "style", "code", "kbd"}
        self.found += [
            value
            for name, value in attrs
            if value and (name in ATTRIBUTES or name.startswith("data-text"))
        ]

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in {"script", "style", "code", "kbd"}

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.found.append(data)


def untranslated(source: str) -> list[str]:
    """Return words of a template that no translation reaches."""
    parser = Words()
    parser.feed(BLOCKS.sub("", source))
    parser.close()
    passed_on = [match.group(3) for match in WITH_WORDS.finditer(source)]
    words = [" ".join(SAME_EVERYWHERE.sub("", text).split()) for text in parser.found + passed_on]
    return [text for text in words if re.search(r"[^\W\d_]{2}", text)]


@pytest.mark.parametrize(
    "path", TEMPLATES, ids=lambda path: str(path.relative_to(settings.BASE_DIR))
)
def test_a_template_says_nothing_that_cannot_be_translated(path):
    if path.name not in STANDS_ALONE:
        assert untranslated(path.read_text(encoding="utf-8")) == []


def test_the_rule_sees_text_attributes_and_words_that_are_passed_on():
    assert untranslated("<p>Hello there</p>") == ["Hello there"]
    assert untranslated('<img alt="A mark">{{ x }}') == ["A mark"]
    assert untranslated('{% include "a.html" with title="Two words" only %}') == ["Two words"]
    assert (
        untranslated('<p title="{% translate "Hello" %}">{{ name }} · <kbd>Enter</kbd></p>') == []
    )
    assert untranslated("{% blocktranslate %}Hello <b>you</b>{% endblocktranslate %}") == []


def all_forms() -> Iterator[type[forms.BaseForm]]:
    """Yield our forms; the addresses import all views, and those their forms."""
    assert get_resolver().url_patterns
    waiting = [forms.BaseForm]
    while waiting:
        form = waiting.pop()
        waiting += form.__subclasses__()
        if form.__module__.startswith(OURS):
            yield form


def labels_of(form: type[forms.BaseForm]) -> Iterator[tuple[str, object]]:
    for name, field in form.base_fields.items():
        yield f"{form.__name__}.{name}", field.label
        yield f"{form.__name__}.{name}'s help", field.help_text


def test_labels_of_forms_are_translated_when_they_are_shown():
    shown = [pair for form in all_forms() for pair in labels_of(form)]
    assert len(shown) > 20
    assert [name for name, text in shown if text and not isinstance(text, Promise)] == []


def test_labels_of_models_are_translated_when_they_are_shown():
    fixed = [
        f"{model.__name__}.{field.name}"
        for label in OURS
        for model in apps.get_app_config(label).get_models()
        if not model.__name__.endswith("Event")
        for field in model._meta.fields
        if (field.help_text and not isinstance(field.help_text, Promise))
        or any(not isinstance(label, Promise) for _code, label in lazy_choices(field))
    ]
    assert fixed == []


def lazy_choices(field: object) -> list[tuple[str, object]]:
    """Return a field's choices with the labels as they were written."""
    written = getattr(field, "choices", None) or []
    return [(code, label) for code, label in written if code != ""]
