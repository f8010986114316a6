"""The app filtering."""

from django.apps import AppConfig


class FilteringConfig(AppConfig):
    """Placeholder until its stage is registered."""

    name = "filtering"
    default_auto_field = "django.db.models.BigAutoField"
