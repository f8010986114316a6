"""The crowd stage: lay people say whether a post is worth checking; researchers label gold."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CrowdConfig(AppConfig):
    """Registers the crowd's and the gold pool's stage and jobs."""

    name = "crowd"
    verbose_name = _("Crowd")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register this app's stages and jobs."""
        from crowd import jobs, stage  # noqa: F401 -- registering is their effect
