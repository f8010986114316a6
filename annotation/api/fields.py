"""Fields that many answers have."""

from datetime import UTC
from typing import Any

from rest_framework import serializers


class Moment(serializers.DateTimeField):
    """A point in time, in UTC whoever asks."""

    def __init__(self, **more: Any) -> None:
        super().__init__(default_timezone=UTC, **more)


class Anything(serializers.JSONField):
    """What the schema does not settle, such as the columns of an imported file."""
