"""Makes the commands that compose all stages known to Django."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Wiring has commands, but no tables."""

    name = "config"
