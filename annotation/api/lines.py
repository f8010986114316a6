"""Long answers as JSON Lines: one object a line, made while it is sent."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder


def as_lines(rows: Iterable[Any]) -> Iterator[str]:
    """Yield each row as a line."""
    for row in rows:
        yield json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False) + "\n"
