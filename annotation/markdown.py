"""Turns Markdown that people wrote into safe HTML; raw HTML, images and scripts never get through.

Two walls: the parser shows raw HTML as text and makes no images, and what it gives is cleaned by an
allow-list.
"""

from collections.abc import Sequence
from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

TAGS = {
    *("a", "blockquote", "br", "code", "del", "em", "hr", "p", "pre", "s", "strong"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "li", "ol", "ul"),
    *("table", "tbody", "td", "th", "thead", "tr"),
}
LOWEST_HEADING = 6


def parser() -> MarkdownIt:
    """Return a parser of CommonMark with tables and struck-out text, without HTML and images."""
    return (
        MarkdownIt("commonmark", {"html": False})
        .enable(["table", "strikethrough"])
        .disable("image")
    )


@lru_cache(maxsize=64)
def render_markdown(text: str, top_heading: int = 2) -> SafeString:
    """Return Markdown as HTML whose highest headings have the level `top_heading`."""
    markdown = parser()
    tokens = markdown.parse(text)
    lower_headings(tokens, top_heading)
    html = markdown.renderer.render(tokens, markdown.options, {})
    clean = nh3.clean(
        html,
        tags=TAGS,
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(clean)  # noqa: S308 -- cleaned by an allow-list


def lower_headings(tokens: Sequence[Token], top: int) -> None:
    """Move all headings down alike, so that they fit below a page's own."""
    headings = [token for token in tokens if token.type in {"heading_open", "heading_close"}]
    highest = min((int(token.tag[1]) for token in headings), default=top)
    for token in headings:
        token.tag = f"h{min(int(token.tag[1]) - highest + top, LOWEST_HEADING)}"
