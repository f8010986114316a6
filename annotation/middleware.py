"""Shows times in the zone of whoever looks, and sends pages compressed."""

import zoneinfo
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
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


class CompressedPages(GZipMiddleware):
    """Compresses pages; files that are downloaded keep their length and go as they are."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Compress what is not streamed."""
        if response.streaming:
            return response
        return super().process_response(request, response)
