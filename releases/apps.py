"""The app releases."""

from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    """Placeholder until its stage is registered."""

    name = "releases"
    default_auto_field = "django.db.models.BigAutoField"
