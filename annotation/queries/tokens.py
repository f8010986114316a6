"""A person's own tokens for the API."""

from django.db.models import QuerySet

from annotation.models import ApiToken, User


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the tokens that open something, newest first."""
    return ApiToken.objects.filter(user=user, revoked_at=None)
