"""What stands beside a post: days as days, moments in the reader's zone, all else as it came."""

import pytest
from django.utils import timezone

from annotation.queries.metadata import in_words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("2024-11-23", "23 November 2024"),
        ("2024-11-23T23:30:00", "23 November 2024, 23:30"),
        ("2024-11-23T23:30:00+00:00", "24 November 2024, 00:30"),
        ("20241123", "20241123"),
        ("2024-13-45", "2024-13-45"),
        ("up-to-date", "up-to-date"),
        (12, "12"),
    ],
)
def test_values_are_shown_as_people_read_them(value, words):
    with timezone.override("Europe/Rome"):
        assert in_words(value) == words
