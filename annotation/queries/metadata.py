"""What a post's file said of it, as annotators may see it beside the text."""

from collections.abc import Sequence

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.formats import date_format

from annotation.models import Post


def metadata_in_words(post: Post, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return what the researchers chose to show beside a post; a time in the reader's zone."""
    values = ((name, post.metadata.get(name)) for name in names)
    return [
        (name.replace("_", " "), in_words(value))
        for name, value in values
        if value not in (None, "")
    ]


def in_words(value: object) -> str:
    """Return a value as text, a day or a point in time as a date."""
    text = str(value)
    if "-" not in text:
        return text  # a number of eight digits is no date
    try:
        if day := parse_date(text):
            return date_format(day, "j F Y")
        moment = parse_datetime(text)
    except ValueError:
        return text
    if moment is None:
        return text
    shown = timezone.localtime(moment) if timezone.is_aware(moment) else moment
    return date_format(shown, "j F Y, H:i")
