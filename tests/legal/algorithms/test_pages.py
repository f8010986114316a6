"""Whatever bytes a website sends, a text comes back that a database can hold."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legal.algorithms.pages import MOST_TEXT, decoded, read_page, site_of

DAY = date(2024, 5, 1)
DECLARED = '<meta charset="koi8-r">кафе'
PUBLISHED = '<meta property="article:published_time" content="{}">'
PAGE = "<html><head><title>T</title>{}</head><body><p>Some words of a page.</p>{}</body></html>"


def read(markup: str | bytes, content_type: str = "text/html; charset=utf-8"):
    body = markup.encode() if isinstance(markup, str) else markup
    return read_page(body, content_type, url="https://a.example/", retrieved=DAY)


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("café".encode(), "text/plain", "café"),
        ("café".encode("latin-1"), "text/plain", "café"),
        ("café".encode("latin-1"), "text/plain; charset=ISO-8859-1", "café"),
        ("“café”".encode("cp1252"), "text/plain; charset=iso-8859-1", "“café”"),
        ("кафе".encode("koi8-r"), 'text/plain; CHARSET="koi8-r"', "кафе"),
        ("кафе".encode("utf-16"), "text/plain; charset=utf-8", "кафе"),
        (b"\xef\xbb\xbfcaf\xc3\xa9", "text/plain; charset=koi8-r", "café"),
        ("café".encode(), "text/plain; charset=no-such", "café"),
        ("café".encode(), "text/plain; charset=zip", "café"),
        (b"a\xff", "text/plain; charset=utf-8", "a�"),
        (DECLARED.encode("koi8-r"), "text/html", DECLARED),
    ],
)
def test_bytes_become_text_by_mark_header_declaration_or_likeness(body, content_type, text):
    assert decoded(body, content_type) == text


@settings(max_examples=60)
@given(
    st.binary(max_size=400),
    st.sampled_from(["text/html", "application/xhtml+xml", "text/plain", "application/pdf"]),
    st.sampled_from(["", "; charset=utf-8", "; charset=utf-16", "; charset=hex", "; charset=\0"]),
)
def test_no_bytes_break_the_reader_or_leave_what_cannot_be_stored(body, kind, charset):
    found = read_page(body, kind + charset, url="https://a.example/", retrieved=DAY)
    (found.title + found.text).encode()
    assert "\0" not in found.title + found.text


@pytest.mark.parametrize(
    ("head", "foot", "day"),
    [
        (
            PUBLISHED.format("2023-04-05T10:00Z"),
            "",
            date(2023, 4, 5),
        ),
        (PUBLISHED.format("2099-04-05"), "", None),
        (PUBLISHED.format("soon"), "", None),
        ("", "<footer>Copyright 2019</footer>", None),
    ],
)
def test_the_day_of_publication_is_what_the_page_declares_and_never_guessed(head, foot, day):
    assert read(PAGE.format(head, foot)).published_on == day


def test_scripts_styles_and_markup_are_no_text():
    found = read(PAGE.format("<script>alert(1)</script><style>p{}</style>", "<b>&lt;i&gt;</b>"))
    assert "alert" not in found.text and "p{}" not in found.text


def test_deep_nesting_and_long_texts_end():
    assert read("<div>" * 30_000 + "x" + "</div>" * 30_000)
    assert len(read("x" * (MOST_TEXT + 5), "text/plain").text) == MOST_TEXT


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.News.example/a", "news.example"),
        ("http://user@news.example.:80/?q=http://other.example", "news.example"),
        ("https://[2606:4700::1111]/", "2606:4700::1111"),
        ("https://www.example", "example"),
        ("nothing", ""),
        ("http://[::1", ""),
    ],
)
def test_the_site_of_an_address_is_its_host(url, site):
    assert site_of(url) == site
