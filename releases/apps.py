"""Releases: the dataset as immutable, checksummed files."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReleasesConfig(AppConfig):
    """Registers the release's stage and job."""

    name = "releases"
    verbose_name = _("Releases")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register this app's stage and job."""
        from releases import jobs, stage  # noqa: F401 -- registering is their effect
