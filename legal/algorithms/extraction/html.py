"""The text of an HTML page: its blocks as paragraphs, headings marked as in Markdown."""

import re
from collections.abc import Iterator
from typing import Any

from legal.algorithms.extraction.faults import Unreadable, gettext_noop
from legal.algorithms.extraction.plain import decode

_DECLARED = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_PREAMBLE = re.compile(r"\A\s*<\?xml[^>]{0,200}\?>")
_SPACE = re.compile(r"\s+")
_SILENT = frozenset(
    "script style noscript template head nav iframe object svg math form button select".split()  # noqa: SIM905
)
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_PARTED = (
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption "
    "figure footer header hr li main ol p pre section summary table tbody td tfoot th thead tr "
    "ul"
)
_BLOCKS = _HEADINGS.keys() | frozenset(_PARTED.split())


def read_html(content: bytes) -> tuple[str, str]:
    """Return the text of a page and its title."""
    from lxml import etree, html

    declared = _DECLARED.search(content[:4096])
    source = decode(content, declared[1].decode("ascii") if declared else "")
    parser = html.HTMLParser(remove_comments=True, remove_pis=True)
    try:
        page = html.document_fromstring(_PREAMBLE.sub("", source), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        raise Unreadable(gettext_noop("The file is no HTML page that could be read.")) from None
    title = page.findtext(".//title") or ""
    return "\n\n".join(_paragraphs(page)), _SPACE.sub(" ", title).strip()


def _paragraphs(page: Any) -> Iterator[str]:
    from lxml import etree

    words: list[str] = []
    mark, silent = "", 0
    for event, element in etree.iterwalk(page, events=("start", "end")):
        tag, is_start = element.tag, event == "start"
        if tag in _BLOCKS:
            yield from _joined(words, mark)
            mark = _HEADINGS.get(tag, "") if is_start else ""
        if tag in _SILENT:
            silent += 1 if is_start else -1
        if tag == "br" and is_start:
            words.append(" ")
        text = element.text if is_start else element.tail
        if text and not silent:
            words.append(text)
    yield from _joined(words, mark)


def _joined(words: list[str], mark: str) -> Iterator[str]:
    """Yield what was gathered as one paragraph, if there is anything, and begin anew."""
    text = _SPACE.sub(" ", "".join(words)).strip()
    words.clear()
    if text:
        yield mark + text
