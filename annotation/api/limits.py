"""How often somebody may ask: requests by token, refused tokens by address, in each minute.

What is counted here is counted for all web processes. Where it cannot be, nobody is refused.
"""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.request import Request

from annotation.api.errors import Refusal
from infra.counting import count_in_window

WINDOW = 60


class TooMany(Refusal):
    """One request too many in this minute."""

    def __init__(self, headers: dict[str, str], seconds: int) -> None:
        super().__init__(_("Too many requests: ask again in %s seconds.") % seconds, 429)
        self.headers = headers | {"Retry-After": str(seconds)}


def hold_to_rate(request: Request, what: str, who: str) -> None:
    """Count a request; refuse it where it is one too many."""
    most = settings.API_LIMITS[what]
    counted = count_in_window(f"{what}:{who}", WINDOW)
    if counted is None:
        return
    count, seconds = counted
    headers = {
        "RateLimit-Policy": f'"{what}";q={most};w={WINDOW}',
        "RateLimit": f'"{what}";r={max(0, most - count)};t={seconds}',
    }
    remember(request, headers)
    if count > most:
        raise TooMany(headers, seconds)


def remember(request: Request, headers: dict[str, str]) -> None:
    """Keep what the answer to a request says about its rate."""
    request._request.rate_headers = headers  # noqa: SLF001 -- Django's


def rate_headers(request: Any) -> dict[str, str]:
    """Return what the answer to a request says about its rate."""
    found: dict[str, str] = getattr(request, "rate_headers", {})
    return found
