"""The legal stage: experts decide on misinformation, legal issues and evidence."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LegalConfig(AppConfig):
    """Registers the stage, its importer and its jobs."""

    name = "legal"
    verbose_name = _("Legal stage")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register this app's stage and jobs."""
        from legal import jobs, stage  # noqa: F401 -- registering is their effect
