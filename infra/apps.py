"""Makes the commands and the database backend of `infra` known to Django."""

from django.apps import AppConfig


class InfraConfig(AppConfig):
    """Infrastructure without tables."""

    name = "infra"
    label = "infra"
