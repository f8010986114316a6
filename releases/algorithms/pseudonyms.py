"""The names that people have in releases: the same in all of a study's, and nobody else's to undo.

A keyed hash (HMAC-SHA256) of the member's id. Without the study's key, which is never shown or
exported, a pseudonym can be tied neither to a person nor to one of another study.
"""

import base64
import hashlib
import hmac
import re
import secrets

KEY_BYTES = 32
_FORM = re.compile(r"a-[a-z2-7]{12}")


def new_key() -> bytes:
    """Return a key for a study."""
    return secrets.token_bytes(KEY_BYTES)


def pseudonym(member_id: int, key: bytes) -> str:
    """Return a member's name in releases: `a-` and 12 characters of 5 bits each."""
    digest = hmac.digest(key, str(member_id).encode(), hashlib.sha256)
    return "a-" + base64.b32encode(digest)[:12].decode().lower()


def is_pseudonym(text: str) -> bool:
    """Say whether a text has the form of such a name."""
    return bool(_FORM.fullmatch(text))
