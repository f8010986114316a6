"""Who asks: a token in the header, not a cookie, so that no form of another site can ask."""

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotation.api.limits import hold_to_rate
from annotation.models import ApiToken, User
from annotation.services.tokens import TokenEnded, use_token

SCHEME = "Bearer"


class Ended(AuthenticationFailed):
    """A token whose time is over."""

    word = "token_ended"


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer …` with one of the person's tokens."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return whose token was sent, and the token; None without one."""
        scheme, _blank, secret = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        try:
            token = use_token(secret.strip())
            if token is None:
                raise AuthenticationFailed(_("This token opens nothing: it is unknown or revoked."))
        except (TokenEnded, AuthenticationFailed) as refusal:
            hold_to_rate(request, "failures", request.META.get("REMOTE_ADDR", ""))
            raise Ended(str(refusal)) if isinstance(refusal, TokenEnded) else refusal from None
        hold_to_rate(request, "requests", str(token.pk))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return what an answer of 401 asks for."""
        return SCHEME


class Session(BaseAuthentication):
    """Whoever is signed in in the browser; for reading what is no study's only."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """Return who is signed in."""
        user = request._request.user  # noqa: SLF001 -- the request that Django's session is on
        return (user, None) if isinstance(user, User) and user.is_active else None
