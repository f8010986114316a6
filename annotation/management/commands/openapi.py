"""Prints the OpenAPI description of the API; script/openapi keeps it in docs."""

from typing import Any

from django.core.management.base import BaseCommand

from annotation.api.description import written


class Command(BaseCommand):
    """Prints the description as YAML."""

    help = "Prints the OpenAPI description of the API as YAML."
    requires_system_checks: list[str] = []

    def handle(self, **_options: Any) -> None:
        """Print it."""
        self.stdout.write(written(), ending="")
