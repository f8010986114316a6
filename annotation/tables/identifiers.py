"""Turns cells into ids of posts; finds ids whose digits a spreadsheet has lost."""

from __future__ import annotations

import math
import re

_SCIENTIFIC = re.compile(
    r"""[+-]?\d+ (?: [.,]\d+ [eE][+-]?\d+    # 1.36e18, 1,36E+18
                   | [eE]\+\d+             # 1E+18
                )""",
    re.VERBOSE,
)
_LONG_WITH_FRACTION = re.compile(r"[+-]?\d{16,}[.,]0+")
_EXACT_BELOW = 2**53


def mangled_id(value: object) -> bool:
    """Whether an id went through a floating-point number, as in 1.36E+18, and lost its digits.

    A spreadsheet shows and saves a long id so, and so does a data frame with a missing id. A text
    such as `1e10`, without a point and without a plus sign, may be a true id and passes.
    """
    if isinstance(value, float):
        return not (value.is_integer() and abs(value) < _EXACT_BELOW)
    if isinstance(value, str):
        text = value.strip()
        return bool(_SCIENTIFIC.fullmatch(text) or _LONG_WITH_FRACTION.fullmatch(text))
    return False


def id_text(value: object) -> str:
    """The id as text: whole numbers with all their digits, text without blanks at its ends.

    Empty where there is no id: None, NaN, true and false, lists and objects.
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return ""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return str(int(value)) if value.is_integer() else repr(value)
    return ""
