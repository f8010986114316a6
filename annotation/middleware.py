"""Shows times in the zone of whoever looks."""

import zoneinfo
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone


class PersonalTimeZone:
    """Activates the signed-in person's time zone for the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer in the person's zone; an unknown zone is the site's."""
        name = getattr(request.user, "time_zone", "")
        try:
            zone = zoneinfo.ZoneInfo(name) if name else None
        except (zoneinfo.ZoneInfoNotFoundError, ValueError):
            zone = None
        with timezone.override(zone):
            return self.get_response(request)
