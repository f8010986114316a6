"""Who asks: a token in the header, not a cookie, so that no form of another site can ask."""

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotation.models import User
from annotation.services.tokens import use_token

SCHEME = "Bearer"


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer …` with one of the person's tokens."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """Return whose token was sent; None without one."""
        scheme, _blank, secret = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        user = use_token(secret.strip())
        if user is None:
            raise AuthenticationFailed(_("This token opens nothing: it is unknown or revoked."))
        return user, None

    def authenticate_header(self, request: Request) -> str:
        """Return what an answer of 401 asks for."""
        return SCHEME


class Session(BaseAuthentication):
    """Whoever is signed in in the browser; for reading what is no study's only."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """Return who is signed in."""
        user = request._request.user  # noqa: SLF001 -- the request that Django's session is on
        return (user, None) if isinstance(user, User) and user.is_active else None
