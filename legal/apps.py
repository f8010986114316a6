"""The app legal."""

from django.apps import AppConfig


class LegalConfig(AppConfig):
    """Placeholder until its stage is registered."""

    name = "legal"
    default_auto_field = "django.db.models.BigAutoField"
