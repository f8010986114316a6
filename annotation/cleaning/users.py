"""Masks the names of users: words that start with @ become `<user>`, as in the MisLC paper (B.1).

An e-mail address is no mention, because its @ does not start a word; web addresses stay whole.
"""

from __future__ import annotations

import re

USER = "<user>"
VERSION = 2

# Platforms put invisible marks of direction or width between the sign and the name.
_INVISIBLE = "[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe0f\ufeff]*"
_NAME = r"\w+(?:\.\w+)*"
_MENTION = re.compile(
    rf"""(?P<address> \b(?:https?://|www\.) \S+ )      # a web address may hold an @ of its own
       | (?<![\w]) [@＠﹫] {_INVISIBLE} {_NAME}        # @name, @name.on.bluesky
         (?: [@＠﹫] {_INVISIBLE} {_NAME} (?:-\w+(?:\.\w+)*)* )*    # @name@server
    """,
    re.VERBOSE,
)


def mask_users(text: str) -> str:
    """The text with each mention of a user replaced by `<user>`."""
    return _MENTION.sub(lambda found: found["address"] or USER, text)


def mentions_user(text: str) -> bool:
    """Whether the text mentions a user: whether masking would change it."""
    return any(found["address"] is None for found in _MENTION.finditer(text))
