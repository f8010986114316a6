"""The app crowd."""

from django.apps import AppConfig


class CrowdConfig(AppConfig):
    """Placeholder until its stage is registered."""

    name = "crowd"
    default_auto_field = "django.db.models.BigAutoField"
