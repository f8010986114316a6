"""Takes characters beyond ASCII out of a text: dropped as in the MisLC paper (B.1), or folded.

Dropping is what encoding to ASCII does when errors are ignored; letters vanish (`café` → `caf`).
Folding keeps what ASCII can say: accents off, typographic quotes, dashes and blanks made plain, and
only the rest dropped. Either way an emoji leaves nothing behind, also one that starts with a digit.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

VERSION = 1


class NonAscii(StrEnum):
    """What becomes of characters beyond ASCII."""

    DROP = "drop"
    FOLD = "fold"
    KEEP = "keep"


_KEYCAP = re.compile("[0-9#*]\ufe0f?\u20e3")
_SHOWN_AS_EMOJI = re.compile("[^\x00-\x7f]\ufe0f")
_BLANKS = ["\u00a0", "\u1680", *map(chr, range(0x2000, 0x200B)), "\u202f", "\u205f", "\u3000"]
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′‹›ʼ＇", "'"),
        **dict.fromkeys("“”„‟″«»＂", '"'),
        **dict.fromkeys("‐‑‒–—―−⁃", "-"),
        **dict.fromkeys("\u0085\u2028\u2029", "\n"),
        **dict.fromkeys(_BLANKS, " "),
        "…": "...",
        "•": "*",
        "·": ".",
        "⁄": "/",
        "×": "x",
        "ß": "ss",
        "ẞ": "SS",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ø": "o",
        "Ø": "O",
        "đ": "d",
        "Đ": "D",
        "ð": "d",
        "Ð": "D",
        "ł": "l",
        "Ł": "L",
        "þ": "th",
        "Þ": "Th",
        "ı": "i",
    }
)


def drop_non_ascii(text: str) -> str:
    """The text without characters beyond ASCII."""
    return _KEYCAP.sub("", text).encode("ascii", "ignore").decode("ascii")


def fold_to_ascii(text: str) -> str:
    """The text with accents taken off and typography made plain; what is left over is dropped."""
    without_emoji = _SHOWN_AS_EMOJI.sub("", _KEYCAP.sub("", text))
    parted = unicodedata.normalize("NFKD", without_emoji.translate(_PLAIN))
    return drop_non_ascii(parted.translate(_PLAIN))
