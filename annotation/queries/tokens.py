"""A person's own tokens for the API."""

from django.db.models import QuerySet

from annotation.models import ApiToken, User


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the tokens that are not revoked, newest first; those that have ended among them."""
    return ApiToken.objects.filter(user=user, revoked_at=None).select_related("study")
