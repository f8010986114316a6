"""Makes and revokes tokens for the API, and finds who sends one."""

import hashlib
import secrets

from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import ApiToken, User

PREFIX = "jr_"  # lets scanners of code find a token that was published by mistake
TOKEN_BYTES = 32
MOST_TOKENS = 20


class TokenRefused(Exception):
    """A token that cannot be made; its text is a sentence for the person."""


def make_token(*, by: User, name: str) -> tuple[ApiToken, str]:
    """Make a token; return it with its secret, which is shown once and stored nowhere."""
    if ApiToken.objects.filter(user=by, revoked_at=None).count() >= MOST_TOKENS:
        raise TokenRefused(
            _("You have %s tokens already. Revoke those that you no longer use.") % MOST_TOKENS
        )
    secret = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    return ApiToken.objects.create(user=by, name=name, digest=digest_of(secret)), secret


def digest_of(secret: str) -> str:
    """Return what is stored of a token. It is random and long, so that a quick hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def revoke_token(*, by: User, token_id: int) -> bool:
    """End one of a person's own tokens; say whether there was one to end."""
    own = ApiToken.objects.filter(user=by, pk=token_id, revoked_at=None)
    return bool(own.update(revoked_at=Now()))


def use_token(secret: str) -> User | None:
    """Return whose token this is, None for one that opens nothing; note the day of its use."""
    token = (
        ApiToken.objects.select_related("user")
        .filter(digest=digest_of(secret), revoked_at=None, user__is_active=True)
        .first()
    )
    if token is None:
        return None
    today = timezone.now().date()
    if token.last_used_on != today:
        ApiToken.objects.filter(pk=token.pk).update(last_used_on=today)
    return token.user
