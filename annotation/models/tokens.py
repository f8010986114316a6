"""Tokens for the API. Only a digest is stored, so that nobody can read one out of the database."""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.models.studies import Study

ENDS_SOON = timedelta(days=7)


class Scope(models.TextChoices):
    """How far a token reaches of what its owner may do."""

    READ = "read", _("Read what you may see")
    MANAGE = "manage", _("Change what you may change as a researcher")
    WORK = "work", _("Label as yourself, and see your own work")


class ApiToken(models.Model):
    """A key of one person to the API; it opens what the person may do, as far as its scopes reach.

    It opens nothing after it was revoked or has ended, and nothing elsewhere if it is for a study.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="api_tokens"
    )
    name = models.CharField(_("name"), max_length=100)
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope.choices))
    study = models.ForeignKey(Study, null=True, on_delete=models.PROTECT, related_name="api_tokens")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_on = models.DateField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=models.Q(scopes__len__gt=0), name="token_has_scopes")
        ]

    def __str__(self) -> str:
        return self.name

    def has_ended(self, now: datetime | None = None) -> bool:
        """Say whether its time is over."""
        return self.expires_at <= (now or timezone.now())

    def ends_soon(self) -> bool:
        """Say whether somebody should make another one now."""
        return not self.has_ended() and self.has_ended(timezone.now() + ENDS_SOON)

    def scope_names(self) -> list[str]:
        """Return its scopes in words."""
        return [str(Scope(code).label) for code in self.scopes]
