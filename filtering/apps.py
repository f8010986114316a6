"""The adversarial filter: which of the posts with crowd votes go to the experts."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class FilteringConfig(AppConfig):
    """Registers the filter's stage and job."""

    name = "filtering"
    verbose_name = _("Filter")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register this app's stage and job."""
        from filtering import jobs, stage  # noqa: F401 -- registering is their effect
