"""Makes and revokes tokens for the API, and finds who sends one."""

import hashlib
import secrets
from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from annotation.models import ApiToken, Member, Scope, Study, User

PREFIX = "jr_"  # lets scanners of code find a token that was published by mistake
TOKEN_BYTES = 32
MOST_TOKENS = 20
USUAL_DAYS, MOST_DAYS = 90, 365


class TokenRefused(Exception):
    """A token that cannot be made; its text is a sentence for the person."""


class TokenEnded(Exception):
    """A token whose time is over; its text is a sentence for the person."""


@transaction.atomic
def make_token(
    *,
    by: User,
    name: str,
    scopes: Collection[str] = tuple(Scope),
    days: int = USUAL_DAYS,
    study: Study | None = None,
) -> tuple[ApiToken, str]:
    """Make a token; return it with its secret, which is shown once and stored nowhere."""
    now = timezone.now()
    User.objects.select_for_update().get(pk=by.pk)  # tokens are counted
    if ApiToken.objects.filter(user=by, revoked_at=None, expires_at__gt=now).count() >= MOST_TOKENS:
        raise TokenRefused(
            _("You have %s tokens already. Revoke those that you no longer use.") % MOST_TOKENS
        )
    if not scopes or not set(scopes) <= set(Scope):
        raise TokenRefused(_("Choose what the token may do."))
    if not 1 <= days <= MOST_DAYS:
        raise TokenRefused(_("A token lives from 1 to %s days.") % MOST_DAYS)
    if study and not Member.objects.filter(study=study, user=by, is_active=True).exists():
        raise TokenRefused(_("You are not a member of this study."))
    secret = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    token = ApiToken.objects.create(
        user=by,
        name=name,
        digest=digest_of(secret),
        scopes=[scope.value for scope in Scope if scope in set(scopes)],
        study=study,
        expires_at=now + timedelta(days=days),
    )
    return token, secret


def digest_of(secret: str) -> str:
    """Return what is stored of a token. It is random and long, so that a quick hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def revoke_token(*, by: User, token_id: int) -> bool:
    """End one of a person's own tokens; say whether there was one to end."""
    own = ApiToken.objects.filter(user=by, pk=token_id, revoked_at=None)
    return bool(own.update(revoked_at=Now()))


def use_token(secret: str) -> ApiToken | None:
    """Return the token that was sent, None for one that opens nothing; note the day of its use."""
    token = (
        ApiToken.objects.select_related("user", "study")
        .filter(digest=digest_of(secret), revoked_at=None, user__is_active=True)
        .first()
    )
    if token is None:
        return None
    now = timezone.now()
    if token.has_ended(now):
        day = date_format(token.expires_at, "j F Y")
        raise TokenEnded(_("This token ended on %s. Make another one in your profile.") % day)
    if token.last_used_on != now.date():
        ApiToken.objects.filter(pk=token.pk).update(last_used_on=now.date())
    return token
