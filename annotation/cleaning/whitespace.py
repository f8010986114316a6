"""Tidies blanks: none at the ends of lines, single ones inside; line breaks stay, as `\\n`."""

from __future__ import annotations

import re

VERSION = 1

_LINE_BREAK = re.compile("\r\n|[\r\n\u0085\u2028\u2029]")
_BLANKS = re.compile(r"[^\S\n]+")
_BLANKS_AT_BREAK = re.compile(" ?\n ?")


def tidy_whitespace(text: str) -> str:
    """The text without blanks at its ends and at line breaks, and with runs of blanks made one."""
    single = _BLANKS.sub(" ", _LINE_BREAK.sub("\n", text))
    return _BLANKS_AT_BREAK.sub("\n", single).strip()
