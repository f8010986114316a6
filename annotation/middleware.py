"""Says who is signed in, shows times in their zone, and sends pages compressed."""

import zoneinfo
from collections.abc import Callable

from django.contrib.auth import get_user
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from annotation.models import User
from annotation.sessions import SessionStore


class SignedIn(AuthenticationMiddleware):
    """Finds who is signed in with their session; what is not plain goes Django's whole way."""

    def process_request(self, request: HttpRequest) -> None:
        """Give the request its user, who is looked for when first asked for."""
        super().process_request(request)
        request.user = SimpleLazyObject(lambda: who_is_signed_in(request))  # type: ignore[assignment]


def who_is_signed_in(request: HttpRequest) -> User | AnonymousUser:
    """Return the account of the request's session."""
    session = request.session
    found = session.signed_in() if isinstance(session, SessionStore) else None
    return found or get_user(request)


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


ONE_PACKET = 1_400


class CompressedPages(GZipMiddleware):
    """Compresses pages; downloads, and what fits into one packet of the network, go as they are."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Compress what is not streamed."""
        if not isinstance(response, HttpResponse) or len(response.content) <= ONE_PACKET:
            return response
        return super().process_response(request, response)
