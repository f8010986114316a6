"""The shared ground: people, studies, posts, tasks, votes and jobs."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnnotationConfig(AppConfig):
    """Registers the stages that need nothing but posts."""

    name = "annotation"
    verbose_name = _("Annotation")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register this app's stage and jobs."""
        from annotation import jobs, stage  # noqa: F401 -- registering is their effect
